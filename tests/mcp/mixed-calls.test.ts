// Messages of every kind, most of them wrong: no 5xx, and no word that is not ours.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { TOOL_NAMES } from '../../src/i18n/translate.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { askLegacy, askModern, contextOf, post } from './ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);

/** Words of the SDK, of zod, of valibot, of node and of SQLite, and paths. */
const FOREIGN =
  /zod|valibot|invalid_type|Invalid (key|type|input|arguments)|Expected |expected|TypeError|Sqlite|node_modules|\/src\/|at Object|undefined|\[object/;

const value = fc.constantFrom<unknown>(
  ...'today weekend 2026-11-21 2026-02-30 tajamar party 1 en fr feria \u202e "'.split(' '),
  ...['', "'; drop table events; --", 'x'.repeat(3000)],
  ...[0, -1, 1e21, 2.5, true, false, null, [], {}, ['a'], { a: { b: 1 } }],
);
const name = fc.constantFrom(
  ...'date from to category zone free family near radius_km lang q limit cursor id zona'.split(' '),
  ...['start', '__proto__', 'toString', ''],
);
const args = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(name, value, { maxKeys: 3 }) },
  fc.constantFrom<unknown>([], 'x', 5, null),
);
const call = fc.record({
  method: fc.constant('tools/call'),
  params: fc.record({
    name: fc.constantFrom<unknown>(...TOOL_NAMES, 'nope', '', 5, null),
    arguments: args,
  }),
});
const other = fc.record({
  method: fc.constantFrom(
    ...'tools/list resources/list resources/read prompts/get ping initialize'.split(' '),
    ...['server/discover', 'completion/complete', 'logging/setLevel', 'toString', ''],
  ),
  params: fc.dictionary(
    fc.constantFrom('uri', 'name', 'arguments', 'cursor', 'protocolVersion', '_meta'),
    value,
    { maxKeys: 3 },
  ),
});

test('a thousand messages', async () => {
  const issues: unknown[] = [];
  const context = contextOf(snapshot, { onError: (issue) => issues.push(issue) });
  const bare = (method: string, params: unknown) =>
    post({ jsonrpc: '2.0', id: 1, method, params }, {}, context);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 7, arbitrary: call }, { weight: 3, arbitrary: other }),
      fc.constantFrom(askModern, askLegacy, bare),
      async ({ method, params }, ask) => {
        const answer = await ask(method, params, context);
        expect(answer.status).toBeLessThan(500);
        const body = String(answer.body);
        if (body.includes('"isError":true') || !body.includes('"result"'))
          expect(body).not.toMatch(FOREIGN);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(issues).toEqual([]);
}, 120_000);
