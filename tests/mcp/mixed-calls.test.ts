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

const oneOf = (words: string, ...others: readonly unknown[]) =>
  fc.constantFrom<unknown>(...words.split(' '), ...others);
const value = fc.oneof(
  oneOf('today weekend 2026-11-21 2026-02-30 tajamar party 1 en fr feria \u202e "'),
  oneOf('', "'; drop table events; --", 'x'.repeat(3000), -1, 1e21, 2.5, true, null, [], ['a'], {}),
);
const name = oneOf(
  'date from to category zone free near radius_km lang q limit cursor id zona start __proto__',
).map(String);
const args = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(name, value, { maxKeys: 3 }) },
  oneOf('x', [], 5, null),
);
const tool = oneOf('nope toString', ...TOOL_NAMES, '', 5, null);
const call = fc.tuple(fc.constant('tools/call'), fc.record({ name: tool, arguments: args }));
const other = fc.tuple(
  oneOf(
    'tools/list resources/list resources/read prompts/get ping initialize server/discover completion/complete toString',
  ).map(String),
  fc.dictionary(oneOf('uri name arguments cursor protocolVersion _meta').map(String), value, {
    maxKeys: 3,
  }),
);

test('a thousand messages', { timeout: 120_000 }, async () => {
  const issues: unknown[] = [];
  const context = contextOf(snapshot, { onError: (issue) => issues.push(issue) });
  const bare = (method: string, params: unknown) =>
    post({ jsonrpc: '2.0', id: 1, method, params }, {}, context);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 7, arbitrary: call }, { weight: 3, arbitrary: other }),
      fc.constantFrom(askModern, askLegacy, bare),
      async ([method, params], ask) => {
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
});
