// No input of any kind is a fault of ours: whatever is sent, nothing is 5xx, /api answers in its
// own JSON, nothing foreign is said.
import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_PARAMETER_NAMES } from '../../src/domain/filters/filters.ts';
import {
  EventResponse,
  DayResponse,
  EventListResponse,
  NoticeListResponse,
  OrganizerResponse,
  VenueResponse,
} from '../../src/serializers/wire/responses.ts';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-any-'));
let server: BuiltServer;
beforeAll(async () => {
  server = await startServer({ data_dir, content_dir: FIXTURE_DIR });
});
afterAll(async () => {
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

/** Longer than any answer takes. */
const PATIENCE_MS = 5_000;
/** After this, a request that is not complete is given up by us, not by the server. */
const SHORT_PATIENCE_MS = 400;

/** Bytes on a bare connection, and all that comes back until it is closed. */
function send(bytes: Buffer, patience_ms = PATIENCE_MS): Promise<string> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      done(Buffer.concat(chunks).toString('latin1'));
    };
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(end, patience_ms);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', end);
    socket.on('close', end);
  });
}

function parseReply(text: string) {
  const cut = text.indexOf('\r\n\r\n');
  const [line = '', ...fields] = text.slice(0, cut).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]),
    headers,
    body: Buffer.from(text.slice(cut + 4), 'latin1').toString('utf8'),
  };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function toBytes({ method, path, query, headers, body }: Sent): Buffer {
  const sent = Buffer.from(body);
  const fields = {
    host: 'agenda.example',
    ...headers,
    connection: 'close',
    ...(sent.length > 0 ? { 'content-length': String(sent.length) } : {}),
  };
  const head = `${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1\r\n${Object.entries(
    fields,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), sent]);
}

/**
 * What no answer may say, whatever was sent: names of our parts, of our libraries, of our files.
 */
const FOREIGN =
  /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|TypeError|RangeError|SyntaxError|ValiError|Cannot read prop|is not a function|Invalid time value/;

const SCHEMAS: readonly (readonly [RegExp, v.GenericSchema])[] = [
  [/^\/api\/v1\/events$/, EventListResponse],
  [/^\/api\/v1\/events\/[^/]+(?<!\.ics)$/, EventResponse],
  [/^\/api\/v1\/venues\/[^/]+$/, VenueResponse],
  [/^\/api\/v1\/organizers\/[^/]+$/, OrganizerResponse],
  [/^\/api\/v1\/notices$/, NoticeListResponse],
  [/^\/api\/v1\/days\/[^/]+$/, DayResponse],
];

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
  } else if (status === 200) {
    const schema = SCHEMAS.find(([path]) => path.test(sent.path))?.[1];
    if (schema) v.parse(schema, JSON.parse(body));
  }
}

/** Anything that may stand in a request line: no space, no line end. */
const garbage = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => encodeURIComponent(text)),
    fc.string({
      unit: fc.constantFrom(...'%09afAFzZ.;:=&+~*!\'()[]{}|\\^`"<>@,$-_'),
      maxLength: 20,
    }),
    fc.string({
      unit: fc
        .integer({ min: 0x21, max: 0xff })
        .filter((code) => code !== 0x7f)
        .map((code) => String.fromCharCode(code)),
      maxLength: 20,
    }),
    fc.constantFrom(
      '%',
      '%zz',
      '%ff',
      '%00',
      '%0d%0a',
      '%2f',
      '%2e%2e',
      '..',
      '.',
      '%C0%AF',
      '%F0%9F%8E%BA',
      '%ED%A0%80',
      '%u0041',
      '__proto__',
      'constructor',
      'NaN',
      '-1',
      '1e309',
      '999999999999999999999',
      'null',
    ),
  )
  .map((text) => text.replace(/[?#\s]/g, ''));
const KNOWN_SEGMENTS = [
  'api',
  'v1',
  'events',
  'events.ics',
  'venues',
  'organizers',
  'notices',
  'days',
  'openapi.json',
  'malecon-inventado',
  'concierto-unico',
  'concierto-unico.ics',
  'hoy',
  'hoy.md',
  'en',
  'today',
  'fecha',
  'date',
  '2026-11-21',
  '2026-02-30',
  '0000-00-00',
  'eventos',
  'lugares',
  'zonas',
  'categorias',
  'mcp',
  'healthz',
  '_hoy',
  '_astro',
  '.ics',
  '.md',
  '',
];
const segment = fc.oneof(fc.constantFrom(...KNOWN_SEGMENTS), garbage);
const path = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/api/v1/events',
      '/api/v1/events.ics',
      '/api/v1/notices',
      '/api/openapi.json',
      '/hoy',
      '/en/today.md',
      '/mcp',
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          '/api/v1/events/',
          '/api/v1/venues/',
          '/api/v1/organizers/',
          '/api/',
          '/venues/',
          '/eventos/',
          '/en/date/',
        ),
        segment,
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 40_000 })
      .map((length) => `/api/v1/events/${'a'.repeat(length)}`),
  },
);
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...EVENT_PARAMETER_NAMES, 'cursor', 'categoria', 'Date'),
  },
  garbage,
);
const VALUES = [
  '',
  'today',
  'weekend',
  '2026-11-21',
  '2026-02-30',
  '-271821-04-19',
  '275760-09-13',
  '9999-12-31',
  '0001-01-01',
  'music',
  'family,party',
  ',',
  '1',
  '0',
  'true',
  '21.1,-86.8',
  '91,181',
  '0.0,0.0',
  '-90,180',
  '50',
  '0.0001',
  '1e2',
  'NaN',
  'es',
  'en',
  '%22',
  'a*',
  'a%20OR%20b',
  '%F0%9F%8E%BA',
  '%00',
];
const value = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...VALUES) }, garbage);
const query = fc
  .array(
    fc.tuple(name, value).map((pair) => pair.join('=')),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.join('&'));
const header_text = fc.oneof(
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 60,
  }),
  fc.constantFrom(
    '*',
    '',
    '"',
    'W/"x", "',
    '*/*;q=2',
    'text/markdown;q=NaN',
    'gzip;q=0, *;q=0',
    'identity;q=0',
    'Sat, 99 Nov 2026',
    '::1',
    ',,,',
    'bytes=0-',
    '9'.repeat(5000),
  ),
);
const HEADER_NAMES = [
  'accept',
  'accept-language',
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
  'range',
  'origin',
  'cookie',
  'x-forwarded-for',
  'forwarded',
  'content-type',
  'x-http-method-override',
  'mcp-protocol-version',
  'access-control-request-method',
];
const headers = fc.dictionary(fc.constantFrom(...HEADER_NAMES), header_text, { maxKeys: 3 });
const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'QUERY'];
const method = fc.oneof({ weight: 6, arbitrary: fc.constant('GET') }, fc.constantFrom(...METHODS));
const body = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.json(),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '{',
    '[]',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    'title=x&%',
    `{"a":"${'x'.repeat(70_000)}"}`,
  ),
);
const request = fc.record({ method, path, query, headers, body });

test('any question', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(request, async (sent) => expectOurs(sent, await send(toBytes(sent)))),
    { numRuns: 2_500 },
  );
});

test('any key: 401 or 429 where it is sent, and never a fault', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(header_text, path, async (key, some) => {
      const sent = {
        method: 'GET',
        path: some,
        query: '',
        headers: { 'x-api-key': key },
        body: '',
      };
      const text = await send(toBytes(sent));
      expectOurs(sent, text);
      // What is too long, or no HTTP (a byte beyond ASCII in the line), is refused before anybody
      // looks at a key.
      if (/^\/api(\/[\x21-\x7e]*)?$/.test(some))
        expect([401, 414, 431], JSON.stringify(sent).slice(0, 300)).toContain(
          parseReply(text).status,
        );
    }),
    { numRuns: 300 },
  );
});

/** What is almost HTTP, and what is none at all. */
const raw = fc.oneof(
  fc
    .uint8Array({ minLength: 1, maxLength: 200 })
    .map((bytes) => Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\n')])),
  fc
    .tuple(
      fc.constantFrom('GET', 'get', 'G T', 'POST', '\u0000'),
      garbage,
      fc.constantFrom('HTTP/1.1', 'HTTP/9.9', 'HTTP/2', '', 'http/1.1'),
      fc.array(fc.tuple(fc.string({ maxLength: 10 }), header_text), { maxLength: 3 }),
    )
    .map(([verb, target, version, fields]) =>
      Buffer.from(
        `${verb} /api/${target} ${version}\r\n${fields.map((field) => `${field.join(':')}\r\n`).join('')}host: x\r\n\r\n`,
        'latin1',
      ),
    ),
  fc
    .constantFrom(
      'GET /api HTTP/1.1\r\n\r\n',
      'GET /api HTTP/1.0\r\n\r\n',
      'GET http://[ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      'GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET /api HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n',
      'GET /api HTTP/1.1\r\nhost: x\r\nexpect: nonsense\r\nconnection: close\r\n\r\n',
      'GET /api HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      'POST /mcp HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n',
    )
    .map((text) => Buffer.from(text)),
);

test('any bytes: an answer below 500, or a closed connection', { timeout: 240_000 }, async () => {
  // Half-sent requests are waited for; ten at a time keep that short.
  await fc.assert(
    fc.asyncProperty(fc.array(raw, { minLength: 10, maxLength: 10 }), async (all) => {
      for (const text of await Promise.all(all.map((bytes) => send(bytes, SHORT_PATIENCE_MS)))) {
        if (text === '') continue;
        expect(parseReply(text).status, text.slice(0, 300)).toBeLessThan(500);
        expect(text).not.toMatch(FOREIGN);
      }
    }),
    { numRuns: 40 },
  );
});

test('and the log knows of no fault', () => {
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
