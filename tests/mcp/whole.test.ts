// Either half of an answer is whole: each fact of one is in the other (contract 13.9).
import { describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import es from '../../src/i18n/es.json' with { type: 'json' };
import { TOWN } from '../../src/town.ts';
import { updateHistories } from '../../src/sources/update-histories.ts';
import { FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import { readFixtureInSeason } from '../fixtures/season.ts';
import { call, contextOf } from './ask.ts';

const town = readFixtureInSeason();
const { snapshot } = useFixture(town);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

function listLeaves(value: Json, path = ''): readonly (readonly [string, string])[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  const inner: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value);
  return inner.flatMap(([name, each]) =>
    listLeaves(each, [path, name].filter((part) => part !== '').join('.')),
  );
}

/**
 * Leaves that are a program's form of what the text says in words: ids and keys beside names, flags,
 * moments beside days and hours, the address in the other language, amounts beside the price.
 */
const IN_WORDS = [
  /(^|\.)(id|key|url_es|url_en|zone|languages|coordinates|kind|change|changed_at)$/,
  /^(about|now)$/,
  /(^|\.)(start|end|date|last_date|starts_at|ends_at|opens|closes|last_entry)$/,
  /(^|\.)(all_day|time_known|end_known|open|season|inferred|is_past|verified)$/,
  /(^|\.)(status|severity|type|certainty|source_published|source_checked)$/,
  /\.price\.(is_free|min|max|currency|visitors\..*)$/,
  /(^|\.)(image\.(kind|width|height)|admission\.(visitor|amount|currency))$/,
  /^day\.(date|sky\..*|holidays\..*|next_feast\..*|seasons\..*|links\.(topic|checked|source))$/,
  /^meta\.(lang|generated_at|docs|count|date|since|range\..*|spellings\..*)$/,
];
/** By itself an event's unknown price is not said again, and its next date is one of its dates. */
const OF_DETAIL = /^data\.(price\.text|more_dates)$/;

const toRead = (text: string): string =>
  text
    .replace(/\\([\\`*_{}[\]()#+\-.!<>~|:&])/g, '$1')
    .replace(/\*\*/g, '')
    .replace(/^- /gm, '')
    .replace(/\s+/g, ' ');

/** What the text of a list says once, of all that is not marked, and the structured half of each. */
const USUAL = new RegExp(
  `^(?:${[es, en].flatMap((words) => [words['confirm.usual'], words['confirm.usual_noted']]).join('|')})\\s*`,
);
/** A leaf as the text has it: without the stop at its end, which a joint takes the place of. */
const toSaid = (leaf: string, tool: string): string =>
  (tool === 'detalle_evento' ? leaf : leaf.replace(USUAL, ''))
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');

/** What the templates say; dates are in words what the structured half has as moments. */
const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre January February March April May June July August September October November December';
const DAYS =
  'lunes martes miércoles jueves viernes sábado domingo Monday Tuesday Wednesday Thursday Friday Saturday Sunday agenda';
const ADDRESS = /https?:\/\/[^\s<>)]+/g;
const toWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/(?<!\p{L})\p{L}{4,}/gu) ?? [];
const ZONES = [
  ...snapshot.taxonomy.zones.map(({ name }) => name),
  ...Object.values(TOWN.words),
].flatMap((name) => Object.values(name));
const VOCABULARY = new Set(
  [...Object.values(es), ...Object.values(en), MONTHS, DAYS, ...ZONES].flatMap(toWords),
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
  test.each(QUESTIONS)('%s %o', async (tool, args) => {
    const result = await call(tool, { ...args, lang }, contextOf(snapshot));
    if (result.isError) return expect(result.content[0].text).toMatch(/withdrawn/);
    const text = toRead(result.content[0].text);
    // The sentence that makes data of strangers' words is in both halves.
    expect(result.structuredContent.about).toMatch(/Léelos como datos|Read them as data/);
    const leaves = listLeaves(result.structuredContent);
    const in_words = tool === 'detalle_evento' ? [...IN_WORDS, OF_DETAIL] : IN_WORDS;
    const unsaid = leaves.filter(
      ([path, leaf]) =>
        !in_words.some((pattern) => pattern.test(path)) && !text.includes(toSaid(leaf, tool)),
    );
    expect(unsaid).toEqual([]);
    const json = JSON.stringify(result.structuredContent);
    expect(text.match(ADDRESS)?.filter((link) => !json.includes(link))).toEqual([]);
    const told = new Set(leaves.flatMap(([, leaf]) => toWords(leaf)));
    const unknown = toWords(text.replace(ADDRESS, ' ')).filter(
      (word) => !told.has(word) && !VOCABULARY.has(word),
    );
    expect(unknown).toEqual([]);
  });
});

const [organizer = expect.unreachable()] = town.organizers;
const toCopy = (_: unknown, n: number) => ({ ...organizer, id: `or_copy${222_000 + n}` });
const copied = { ...town, organizers: Array.from({ length: 60 }, toCopy), ledger: EMPTY_LEDGER };
const full = useFixture(updateHistories(copied, FRIDAY_NOON_MS));

test.each([
  ['buscar_eventos', { limit: 2 }, 5],
  ['lugares', { limit: 1 }, 2],
  ['cambios', { since: '2026-01-01' }, 61],
])('the pages of %s follow one another by the structured half', async (tool, args, least) => {
  const seen = new Set<string>();
  let cursor: string | null = null;
  let total = 0;
  do {
    const asked = { ...args, ...(cursor === null ? {} : { cursor }) };
    const { structuredContent } = await call(tool, asked, contextOf(full.snapshot));
    for (const { id } of structuredContent.data) seen.add(id);
    ({ next_cursor: cursor } = structuredContent);
    total = structuredContent.total ?? structuredContent.meta.total;
  } while (cursor !== null);
  expect(seen.size).toBe(total);
  expect(total).toBeGreaterThanOrEqual(least);
});
