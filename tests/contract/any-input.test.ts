// No input of any kind is a fault of ours: whatever is sent, nothing is 5xx, /api answers in its
// own JSON, nothing foreign is said.
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { raw, request } from '../fixtures/any-request.ts';
import {
  parseReply,
  send,
  type Sent,
  SHORT_PATIENCE_MS,
  toBytes,
} from '../fixtures/bare-connection.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveShared } from '../fixtures/shared-release.ts';

const server = await serveShared({ content_dir: FIXTURE_DIR });

/** What no answer may say, whatever was sent: names of our parts, of our libraries, of our files. */
const FOREIGN =
  /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|TypeError|RangeError|SyntaxError|ValiError|Cannot read prop|is not a function|Invalid time value/;

function expectOurs(sent: Sent, text: string): void {
  const shown = JSON.stringify(sent).slice(0, 400);
  const { status, headers, body } = parseReply(text);
  expect(status, `${shown}\n${text.slice(0, 300)}`).toBeGreaterThanOrEqual(200);
  expect(status, `${shown}\n${text.slice(0, 300)}`).toBeLessThan(500);
  if (headers['content-encoding'] !== undefined || body === '') return;
  expect(body, shown).not.toMatch(FOREIGN);
  if (!/^\/api(\/|$)/.test(sent.path)) return;
  if (status >= 400) {
    expect(headers['content-type'], shown).toBe('application/json; charset=utf-8');
    const { message } = v.parse(ErrorSchema, JSON.parse(body)).error;
    expect(message, shown).toMatch(/^[^:]+: \S/);
  }
}

test('any question', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(request, async (sent) =>
      expectOurs(sent, await send(server.port, toBytes(sent))),
    ),
    { numRuns: 1_500 },
  );
});

test('any bytes: an answer below 500, or a closed connection', { timeout: 240_000 }, async () => {
  // Half-sent requests are waited for; ten at a time keep that short.
  await fc.assert(
    fc.asyncProperty(fc.array(raw, { minLength: 10, maxLength: 10 }), async (all) => {
      for (const text of await Promise.all(
        all.map((bytes) => send(server.port, bytes, SHORT_PATIENCE_MS)),
      )) {
        if (text === '') continue;
        expect(parseReply(text).status, text.slice(0, 300)).toBeLessThan(500);
        expect(text).not.toMatch(FOREIGN);
      }
    }),
    { numRuns: 20 },
  );
});

test('and the log knows of no fault', () => {
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
