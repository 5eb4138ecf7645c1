// A thousand mixed messages, half of them wrong: no 5xx, no word that is not ours, and no memory
// lost.
import { afterAll, expect, test } from 'vitest';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { askLegacy, askModern, contextOf, post } from './ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);

/** Words of the SDK, of zod, of valibot, of node and of SQLite, and paths. */
const FOREIGN =
  /zod|valibot|invalid_type|Invalid (key|type|input|arguments)|Expected |expected|TypeError|Sqlite|node_modules|\/src\/|at Object|undefined|\[object/;

/** Pseudo-random numbers of our own, so that a failure can be repeated (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = createRandom(20_261_120);
const pick = (values: readonly unknown[]): unknown => values[Math.floor(random() * values.length)];

const toTexts = (line: string): readonly string[] => line.split(' ');
const VALUES = [
  ...toTexts('today weekend 2026-11-21 2026-02-30 tajamar party 1 en fr feria \u202e "'),
  ...['', "'; drop table events; --", 'x'.repeat(3000)],
  ...[0, -1, 1e21, 2.5, true, false, null, [], {}, ['a'], { a: { b: 1 } }],
];
const NAMES = [
  ...toTexts(
    'date from to category zone free family near radius_km lang q limit cursor id zona title',
  ),
  ...['start', 'venue', '__proto__', 'toString', ''],
];
const TOOLS = [
  ...toTexts('buscar_eventos detalle_evento eventos_hoy eventos_fin_de_semana avisos_hoy cambios'),
  ...['enviar_evento', 'nope', '', 5, null],
];
const METHODS = [
  ...toTexts('tools/list resources/list resources/templates/list prompts/list resources/read'),
  ...toTexts('prompts/get ping initialize server/discover completion/complete logging/setLevel'),
  ...['tasks/get', 'toString', ''],
];

const toArguments = (): unknown =>
  random() < 0.05
    ? pick([[], 'x', 5, null])
    : Object.fromEntries(
        Array.from({ length: Math.floor(random() * 4) }, () => [String(pick(NAMES)), pick(VALUES)]),
      );
const toParams = (): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: Math.floor(random() * 3) }, () => [
      String(pick(['uri', 'name', 'arguments', 'cursor', 'protocolVersion', '_meta'])),
      pick(VALUES),
    ]),
  );

test('a thousand of them', async () => {
  const issues: unknown[] = [];
  const context = contextOf(snapshot, { onError: (issue) => issues.push(issue) });
  for (let n = 0; n < 1000; n++) {
    const ask = random() < 0.5 ? askModern : askLegacy;
    const dice = random();
    const sent =
      dice < 0.7
        ? (['tools/call', { name: pick(TOOLS), arguments: toArguments() }] as const)
        : ([String(pick(METHODS)), toParams()] as const);
    const answer =
      dice < 0.97
        ? await ask(sent[0], sent[1], context)
        : await post(
            { jsonrpc: '2.0', id: pick(['a', 1]), method: sent[0], params: pick(VALUES) },
            {},
            context,
          );
    expect(answer.status, JSON.stringify(sent)).toBeLessThan(500);
    const body = String(answer.body);
    if (body.includes('"isError":true') || !body.includes('"result"'))
      expect(body, JSON.stringify(sent)).not.toMatch(FOREIGN);
  }
  expect(issues).toEqual([]);
}, 120_000);

test('memory is flat', async () => {
  const context = contextOf(snapshot);
  const measure = async (count: number): Promise<number> => {
    for (let n = 0; n < count; n++)
      await (n % 2 ? askModern : askLegacy)(
        'tools/call',
        { name: 'buscar_eventos', arguments: { q: `palabra ${n}`, limit: 1 + (n % 5) } },
        context,
      );
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  await measure(500);
  const before = await measure(500);
  const after = await measure(1000);
  // A leak of one answer a call would be 20 MB.
  expect(after - before).toBeLessThan(4e6);
}, 120_000);
