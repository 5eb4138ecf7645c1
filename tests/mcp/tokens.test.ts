// What the tools cost a model: within the bounds over the content of the repository, and over a town
// whose texts are as long as texts get (contract 13.10).
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { listTools } from '../../src/mcp/tools/catalog.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-things.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at, openFixture, readFixture } from '../fixtures/fixture.ts';
import { BOUNDS, countAnswer, countWords, toMedian } from '../fixtures/count-tokens.ts';
import { QUESTIONS } from '../fixtures/token-questions.ts';
import { contextOf } from './ask.ts';

const NOW_MS = at('2026-11-21T19:30:00');
const CONTENT = join(import.meta.dirname, '../../content');
const own = openFixture(readDataset(CONTENT, EMPTY_LEDGER, NOW_MS), NOW_MS);
const fixture = readFixture();
const LONG =
  'Música y comida en la plaza, con entrada libre; lleva silla y algo para el sol. '.repeat(6);
const both = { es: LONG, en: LONG };
const [event] = fixture.events;
const [notice] = fixture.notices;
if (event === undefined || notice === undefined) throw new Error('the fixture is empty');
const occurrences = fixture.occurrences.filter((each) => each.event === event.id);
const COPIES = Array.from({ length: 40 }, (_, at) => `ev_copy${String(at + 222_000)}`);
const wordy = openFixture({
  ...fixture,
  events: COPIES.map((id) => ({
    ...event,
    id,
    slug: { es: `${id}-es`, en: `${id}-en` },
    summary: both,
    location_note: both,
    confirm_note: both,
  })),
  occurrences: COPIES.flatMap((id) =>
    occurrences.map((each) => ({ ...each, id: each.id.replace(event.id, id), event: id })),
  ),
  notices: Array.from({ length: 40 }, (_, at) => ({
    ...notice,
    id: `no_copy${String(at + 222_000)}-20261101`,
    body: both,
  })),
});
afterAll(() => {
  own.close();
  wordy.close();
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

test.each([
  ['eventos_hoy', {}],
  ['eventos_fin_de_semana', { lang: 'en' }],
  ['buscar_eventos', {}],
  ['avisos_hoy', {}],
  ['detalle_evento', { id: COPIES[0] ?? '' }],
])('over the longest texts %s is shorter rather than too long', async (tool, args) => {
  const context = contextOf(wordy.snapshot);
  expect((await countAnswer({ asks: '', tool, args }, context)).both).toBeLessThanOrEqual(
    BOUNDS.answer,
  );
});
