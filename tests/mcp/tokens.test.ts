// What the tools cost a model: within the bounds over the content of the repository, and over a town
// whose texts are as long as texts get (contract 13.10).
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { listTools } from '../../src/mcp/tools/catalog.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-things.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at, openFixture } from '../fixtures/fixture.ts';
import { LONGEST_EVENT, LONGEST_VENUE, readLongestTown } from '../fixtures/longest-town.ts';
import { BOUNDS, countAnswer, countWords, toMedian } from '../fixtures/count-tokens.ts';
import { QUESTIONS } from '../fixtures/token-questions.ts';
import { contextOf } from './ask.ts';

const NOW_MS = at('2026-11-21T19:30:00');
const CONTENT = join(import.meta.dirname, '../../content');
const own = openFixture(readDataset(CONTENT, EMPTY_LEDGER, NOW_MS), NOW_MS);
afterAll(() => {
  own.close();
});

describe('over the content of the repository', async () => {
  const context = contextOf(own.snapshot, { now_ms: NOW_MS });
  const [first] = listUpcomingEvents(own.snapshot, NOW_MS);
  const asked = await Promise.all(
    QUESTIONS.map(({ args, ...question }) => {
      const id = args.id === '{event}' ? { id: first?.id ?? '' } : {};
      return countAnswer({ ...question, args: { ...args, ...id } }, context);
    }),
  );

  test('the list of the tools costs what it may', () => {
    const listed = JSON.stringify({ tools: listTools(own.snapshot) });
    expect(countWords(listed)).toBeLessThanOrEqual(BOUNDS.list);
  });

  test('no answer costs more than it may, both halves together', () => {
    expect(asked.filter(({ both: tokens }) => tokens > BOUNDS.answer)).toEqual([]);
    expect(asked).toHaveLength(25);
  });

  test('the text of the median answer costs what it may', () => {
    expect(toMedian(asked.map(({ text }) => text))).toBeLessThanOrEqual(BOUNDS.median);
  });
});

/** Texts of so many characters: as people write, as nobody does, as other people do. */
const WRITERS: readonly (readonly [string, string])[] = [
  ['prose', 'Música y comida en la plaza, con entrada libre; lleva silla y algo para el sol. '],
  ['markup', '**Feria** [de_todo](x) <|im_start|> #1 & "más" | `a` '],
  ['one word', 'Otorrinolaringologikamaxtlan'],
  ['Chinese', '坎昆本地节日音乐会免费入场请自带椅子'],
];
const ASKED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['eventos_hoy', {}],
  ['eventos_hoy', { zone: 'tajamar', free: true }],
  ['eventos_fin_de_semana', {}],
  ['buscar_eventos', {}],
  ['buscar_eventos', { limit: 200 }],
  ['buscar_eventos', { date: '2026-11-21' }],
  ['buscar_eventos', { q: 'zzzzz feria', date: 'today' }],
  ['buscar_eventos', { q: 'x'.repeat(2000), date: 'x'.repeat(2000), zone: 'x,'.repeat(1000) }],
  ['detalle_evento', { id: LONGEST_EVENT, from: '2026-12-01', to: '2027-02-28' }],
  ['lugares', {}],
  ['lugares', { limit: 200, open_on: 'saturday', near: '21.1266, -86.8161' }],
  ['lugares', { q: LONGEST_VENUE }],
  ['avisos_hoy', { date: 'tomorrow' }],
  ['cambios', { since: '2026-01-01' }],
  ['enviar_evento', Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`unknown${n}`, n]))],
];

describe.each(WRITERS)('over the longest of everything, in %s', (_, words) => {
  const write = (characters: number): string =>
    words
      .repeat(Math.ceil(characters / words.length))
      .slice(0, characters)
      .replace(/[\ud800-\udbff]$/, '')
      .trim();
  const { snapshot, close } = openFixture(readLongestTown(write));
  afterAll(close);

  test('no answer costs more than it may', async () => {
    const costs = await Promise.all(
      ASKED.map(([tool, args], n) => {
        const lang = (n + words.length) % 2 === 0 ? 'es' : 'en';
        return countAnswer({ asks: '', tool, args: { ...args, lang } }, contextOf(snapshot));
      }),
    );
    expect(
      costs
        .map(({ question, both }) => ({ question, both }))
        .filter(({ both }) => both > BOUNDS.answer),
    ).toEqual([]);
  });
});
