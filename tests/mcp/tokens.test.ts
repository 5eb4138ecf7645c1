// Token costs: tests the limits of the tool list and of answers, with our content and with the longest texts
// (contract 13.10).
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { computeMedian } from '../../bench/report.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { listTools } from '../../src/mcp/tools/catalog.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-records.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { localMs, openFixture, useFixture } from '../fixtures/fixture.ts';
import { LONGEST_EVENT, LONGEST_VENUE, buildLongestTown } from '../fixtures/longest-town.ts';
import { TOKEN_LIMITS, countAnswerTokens, countTextTokens } from '../fixtures/count-tokens.ts';
import { contextOf } from './ask.ts';

/** Questions of tourists and residents, written before costs were measured; `*` is an event. */
const QUESTIONS = [
  ['¿Qué hay hoy?', 'eventos_hoy', ''],
  ['What is on today?', 'eventos_hoy', 'lang=en'],
  ['¿Qué hay gratis hoy?', 'eventos_hoy', 'free=true'],
  ['Anything on Isla Mujeres today?', 'eventos_hoy', 'zone=isla-mujeres&lang=en'],
  ['¿Qué hago con los niños hoy?', 'eventos_hoy', 'family=true'],
  ['¿Qué hay el fin de semana?', 'eventos_fin_de_semana', ''],
  ['What can kids do this weekend?', 'eventos_fin_de_semana', 'family=true&lang=en'],
  ['¿Hay algo gratis el fin?', 'eventos_fin_de_semana', 'free=true'],
  ['¿Dónde hay música en vivo esta noche?', 'buscar_eventos', 'date=tonight&category=live-music'],
  ['What is going on right now?', 'buscar_eventos', 'date=now&lang=en'],
  ['¿Cuándo hay jazz?', 'buscar_eventos', 'q=jazz'],
  ['Any markets this week?', 'buscar_eventos', 'date=week&q=markets&lang=en'],
  ['¿Qué hay mañana en el centro?', 'buscar_eventos', 'date=tomorrow&zone=downtown'],
  ['What is free tomorrow?', 'buscar_eventos', 'date=tomorrow&free=true&lang=en'],
  ['¿Hay teatro?', 'buscar_eventos', 'from=2026-11-21&to=2026-12-20&category=theater'],
  ['Is there a salsa class?', 'buscar_eventos', 'q=salsa&lang=en'],
  ['¿Y cerca de mi hotel?', 'buscar_eventos', 'near=21.134,-86.768&radius_km=3&date=today'],
  ['¿Y el día 30 de febrero?', 'buscar_eventos', 'date=2026-02-30'],
  ['What is on in Puerto Morelos?', 'buscar_eventos', 'zone=puerto-morelos&lang=en'],
  ['¿Cuándo es Coco Bongo?', 'buscar_eventos', 'q=coco+bongo'],
  ['¿Qué hay en Navidad?', 'buscar_eventos', 'date=2026-12-25'],
  ['¿A qué hora y cuánto?', 'detalle_evento', 'id=*'],
  ['Tell me more about it', 'detalle_evento', 'id=*&lang=en'],
  ['¿Cómo está el mar hoy?', 'avisos_hoy', ''],
  ['Any warnings for tomorrow?', 'avisos_hoy', 'date=tomorrow&lang=en'],
] as const;
const NOW_MS = localMs('2026-11-21T19:30:00');
const CONTENT = join(import.meta.dirname, '../../content');

test('with our content, the tool list, each answer and the median text are within the limits', async () => {
  const release = openFixture(loadDataset(CONTENT, EMPTY_LEDGER, NOW_MS), NOW_MS);
  const context = contextOf(release.snapshot, { now_ms: NOW_MS });
  const [first] = listUpcomingEvents(release.snapshot, NOW_MS);
  const costs = await Promise.all(
    QUESTIONS.map(([, tool, query]) => {
      const params = new URLSearchParams(query.replace('*', first?.id ?? ''));
      return countAnswerTokens(tool, Object.fromEntries(params), context);
    }),
  );
  const tool_list = JSON.stringify({ tools: listTools(release.snapshot) });
  release.close();
  expect(countTextTokens(tool_list)).toBeLessThanOrEqual(TOKEN_LIMITS.list);
  expect(costs.filter(({ both }) => both > TOKEN_LIMITS.answer)).toEqual([]);
  expect(computeMedian(costs.map(({ text }) => text))).toBeLessThanOrEqual(TOKEN_LIMITS.median);
});

const WRITERS = [
  ['prose', 'Música y comida en la plaza, con entrada libre; lleva silla y algo para el sol. '],
  ['markup', '**Feria** [de_todo](x) <|im_start|> #1 & "más" | `a` '],
  ['one word', 'Otorrinolaringologikamaxtlan'],
  ['Chinese', '坎昆本地节日音乐会免费入场请自带椅子'],
] as const;
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['eventos_hoy', { zone: 'tajamar', free: true }],
  ['eventos_fin_de_semana', {}],
  ['buscar_eventos', { limit: 200 }],
  ['buscar_eventos', { date: '2026-11-21' }],
  ['buscar_eventos', { q: 'zzzzz feria', date: 'today' }],
  ['buscar_eventos', { q: 'x'.repeat(2000), date: 'x'.repeat(2000), zone: 'x,'.repeat(1000) }],
  ['detalle_evento', { id: LONGEST_EVENT, from: '2026-12-01', to: '2027-02-28' }],
  ['lugares', { limit: 200, open_on: 'saturday', near: '21.1266, -86.8161' }],
  ['lugares', { q: LONGEST_VENUE }],
  ['avisos_hoy', { date: 'tomorrow' }],
  ['cambios', { since: '2026-01-01' }],
  ['enviar_evento', Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`unknown${n}`, n]))],
];

describe.each(WRITERS)('with the longest texts in %s', (_, words) => {
  const write = (characters: number): string =>
    words
      .repeat(Math.ceil(characters / words.length))
      .slice(0, characters)
      .replace(/[\ud800-\udbff]$/, '')
      .trim();
  const { snapshot } = useFixture(buildLongestTown(write));

  test.each(CALLS)('an answer of %s is within the limit', async (tool, args) => {
    const lang = words.length % 2 === 0 ? 'es' : 'en';
    const { both } = await countAnswerTokens(tool, { ...args, lang }, contextOf(snapshot));
    expect(both).toBeLessThanOrEqual(TOKEN_LIMITS.answer);
  });
});
