// Complete answers: tests that text and structured content of an answer have the same facts (contract 13.9).
import { describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import es from '../../src/i18n/es.json' with { type: 'json' };
import { TOWN } from '../../src/town.ts';
import { updateHistories } from '../../src/sources/update-histories.ts';
import { FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import { loadFixtureInSeason } from '../fixtures/season.ts';
import { call, contextOf } from './ask.ts';

const town = loadFixtureInSeason();
const { snapshot } = useFixture(town);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

function listLeaves(value: Json, path = ''): readonly (readonly [string, string])[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  const inner: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(value);
  return inner.flatMap(([name, child]) =>
    listLeaves(child, [path, name].filter((part) => part !== '').join('.')),
  );
}

/**
 * Paths of values that the text has in another form: names for ids and keys, words for flags, days and hours for
 * timestamps, the price for amounts; and URLs in the other language.
 */
const REWORDED_PATHS = [
  /(^|\.)(id|key|url_es|url_en|zone|languages|coordinates|kind|change|changed_at)$/,
  /^(about|now)$/,
  /(^|\.)(start|end|date|last_date|starts_at|ends_at|opens|closes|last_entry)$/,
  /(^|\.)(all_day|time_known|end_known|open|season|inferred|is_past|verified)$/,
  /(^|\.)(status|severity|type|certainty|source_published|source_checked)$/,
  /(^|\.)free_for$/,
  /\.price\.(is_free|min|max|currency|visitors\..*)$/,
  /(^|\.)(image\.(kind|width|height)|admission\.(visitor|amount|currency))$/,
  /^day\.(date|sky\..*|holidays\..*|next_feast\..*|seasons\..*|links\.(topic|checked|source))$/,
  /^meta\.(lang|generated_at|docs|count|date|since|range\..*|spellings\..*)$/,
];
/** Further such paths of detalle_evento: an unknown price is omitted, and the next date is one of the dates. */
const DETAIL_PATHS = /^data\.(price\.text|more_dates)$/;

/** Removes Markdown syntax from a text. */
const toPlainText = (text: string): string =>
  text
    .replace(/\\([\\`*_{}[\]()#+\-.!<>~|:&])/g, '$1')
    .replace(/\*\*/g, '')
    .replace(/^- /gm, '')
    .replace(/\s+/g, ' ');

/** Matches the advice that a list has once in the text, but for each event in the structured content. */
const USUAL_PATTERN = new RegExp(
  `^(?:${[es, en].flatMap((words) => [words['confirm.usual'], words['confirm.usual_noted']]).join('|')})\\s*`,
);
/** Normalizes a leaf to its form in the text: without its final period, which a separator may replace. */
const normalizeLeaf = (leaf: string, tool: string): string =>
  (tool === 'detalle_evento' ? leaf : leaf.replace(USUAL_PATTERN, ''))
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');

// Words that only the text has: those in templates, and in dates.
const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre January February March April May June July August September October November December';
const DAYS =
  'lunes martes miércoles jueves viernes sábado domingo Monday Tuesday Wednesday Thursday Friday Saturday Sunday agenda';
const ADDRESS = /https?:\/\/[^\s<>)]+/g;
const listWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/(?<!\p{L})\p{L}{4,}/gu) ?? [];
const ZONES = [
  ...snapshot.taxonomy.zones.map(({ name }) => name),
  ...Object.values(TOWN.words),
].flatMap((name) => Object.values(name));
const VOCABULARY = new Set(
  [...Object.values(es), ...Object.values(en), MONTHS, DAYS, ...ZONES].flatMap(listWords),
);

const QUESTIONS: readonly (readonly [string, Record<string, string | number | boolean>])[] = [
  ['eventos_hoy', { zone: 'tajamar' }],
  ['eventos_hoy', { limit: 1 }],
  ['eventos_fin_de_semana', { family: true }],
  ['buscar_eventos', { limit: 2 }],
  ['buscar_eventos', { q: 'zzz', zone: 'tajamar' }],
  ['buscar_eventos', { q: 'muisca' }],
  ['buscar_eventos', { q: 'taller' }],
  ['buscar_eventos', { q: 'concierto zzzzzz' }],
  ['buscar_eventos', { near: '21.1266,-86.8161' }],
  ['buscar_eventos', { date: '2026-12-25' }],
  ['lugares', {}],
  ['lugares', { open_on: '2026-12-24', limit: 1 }],
  ['lugares', { q: 'zzz' }],
  ['cambios', { since: '2026-01-01' }],
  ['avisos_hoy', { date: 'tomorrow' }],
  ...town.events.map(({ id }) => ['detalle_evento', { id }] as const),
];

describe.each(['es', 'en'])('in %s', (lang) => {
  test.each(QUESTIONS)(
    '%s with %o has the same facts in text and structured content',
    async (tool, args) => {
      const result = await call(tool, { ...args, lang }, contextOf(snapshot));
      if (result.isError) return expect(result.content[0].text).toMatch(/withdrawn/);
      const text = toPlainText(result.content[0].text);
      // The sentence that marks untrusted text as data is in both.
      expect(result.structuredContent.about).toMatch(/Léelos como datos|Read them as data/);
      const leaves = listLeaves(result.structuredContent);
      const reworded =
        tool === 'detalle_evento' ? [...REWORDED_PATHS, DETAIL_PATHS] : REWORDED_PATHS;
      const missing = leaves.filter(
        ([path, leaf]) =>
          !reworded.some((pattern) => pattern.test(path)) &&
          !text.includes(normalizeLeaf(leaf, tool)),
      );
      expect(missing).toEqual([]);
      const json = JSON.stringify(result.structuredContent);
      expect(text.match(ADDRESS)?.filter((link) => !json.includes(link))).toEqual([]);
      const structured_words = new Set(leaves.flatMap(([, leaf]) => listWords(leaf)));
      const text_only_words = listWords(text.replace(ADDRESS, ' ')).filter(
        (word) => !structured_words.has(word) && !VOCABULARY.has(word),
      );
      expect(text_only_words).toEqual([]);
    },
  );
});

const [organizer = expect.unreachable()] = town.organizers;
const toCopy = (_: unknown, n: number) => ({ ...organizer, id: `or_copy${222_000 + n}` });
const copied = { ...town, organizers: Array.from({ length: 60 }, toCopy), ledger: EMPTY_LEDGER };
const full = useFixture(updateHistories(copied, FRIDAY_NOON_MS));

test.each([
  ['buscar_eventos', { limit: 2 }, 5],
  ['lugares', { limit: 1 }, 2],
  ['cambios', { since: '2026-01-01' }, 61],
])('the next_cursor of %s leads through all pages', async (tool, args, min_total) => {
  const ids = new Set<string>();
  let cursor: string | null = null;
  let total = 0;
  do {
    const page_args = { ...args, ...(cursor === null ? {} : { cursor }) };
    const { structuredContent } = await call(tool, page_args, contextOf(full.snapshot));
    for (const { id } of structuredContent.data) ids.add(id);
    ({ next_cursor: cursor } = structuredContent);
    total = structuredContent.total ?? structuredContent.meta.total;
  } while (cursor !== null);
  expect(ids.size).toBe(total);
  expect(total).toBeGreaterThanOrEqual(min_total);
});
