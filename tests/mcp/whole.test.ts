// Either half of an answer is whole: each fact of the structured half is in the text, and each of
// the text is in the structured half (contract 13.9).
import { afterAll, describe, expect, test } from 'vitest';
import en from '../../src/i18n/en.json' with { type: 'json' };
import es from '../../src/i18n/es.json' with { type: 'json' };
import { openFixture } from '../fixtures/fixture.ts';
import { readFixtureInSeason } from '../fixtures/season.ts';
import { call, contextOf } from './ask.ts';

const town = readFixtureInSeason();
const { snapshot, close } = openFixture(town);
afterAll(close);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The leaves of a value by their paths, positions left out: `data.price.text`. */
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
  /(^|\.)(id|key|url_es|url_en)$/,
  /^about$/,
  /^now$/,
  /(^|\.)(start|end|date|starts_at|ends_at|opens|closes|last_entry)$/,
  /(^|\.)(all_day|time_known|end_known|open|season|inferred|is_past|verified)$/,
  /(^|\.)(status|severity|type|certainty)$/,
  /\.price\.(is_free|min|max|currency|visitors\..*)$/,
  /(^|\.)(zone|languages)$/,
  /(^|\.)(source_published|source_checked)$/,
  /(^|\.)image\.(width|height)$/,
  /(^|\.)coordinates$/,
  /^day\.(date|sky\..*|holidays\..*|next_feast\..*|seasons\..*|links\.(topic|checked|source))$/,
  /(^|\.)(admission\.(visitor|amount|currency)|kind|change|changed_at)$/,
  /^meta\.(lang|generated_at|docs|count|date|since|range\..*|spellings\..*)$/,
];
const isInWords = (path: string): boolean => IN_WORDS.some((pattern) => pattern.test(path));

/**
 * Of an event by itself: beside its label a price that is not known is not called a price again, and
 * the next date is counted with the others.
 */
const isOfDetail = (path: string): boolean => /^data\.(price\.text|more_dates)$/.test(path);

/** Markdown without its signs, one line: what a reader reads. */
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

/** What the templates say; dates and hours are in words what the structured half has as moments. */
const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre January February March April May June July August September October November December';
const DAYS =
  'lunes martes miércoles jueves viernes sábado domingo Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun lun mar mié jue vie sáb dom Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec ene feb abr may jun jul ago sep oct nov dic a p m de al y and to or o agenda';
const toWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}]{2,}/gu) ?? [];
const VOCABULARY = new Set(
  [
    ...Object.values(es),
    ...Object.values(en),
    MONTHS,
    DAYS,
    // The structured half has the keys of zones where REST has.
    ...snapshot.taxonomy.zones.flatMap(({ name }) => Object.values(name)),
  ].flatMap(toWords),
);

const QUESTIONS: readonly (readonly [string, Record<string, string | number | boolean>])[] = [
  ['eventos_hoy', {}],
  ['eventos_hoy', { zone: 'tajamar' }],
  ['eventos_hoy', { limit: 1 }],
  ['eventos_fin_de_semana', { family: true }],
  ['buscar_eventos', {}],
  ['buscar_eventos', { limit: 2 }],
  ['buscar_eventos', { q: 'zzz', zone: 'tajamar' }],
  ['buscar_eventos', { q: 'muisca' }],
  ['buscar_eventos', { q: 'taller' }],
  ['buscar_eventos', { q: 'concierto zzzzzz' }],
  ['buscar_eventos', { near: '21.1266,-86.8161' }],
  ['buscar_eventos', { near: '21.23114,-86.73105' }],
  ['buscar_eventos', { date: 'tonight' }],
  ['buscar_eventos', { date: '2026-12-25' }],
  ['lugares', {}],
  ['lugares', { open_on: '2026-12-24', limit: 1 }],
  ['lugares', { q: 'zzz' }],
  ['lugares', { near: '21.1266, -86.8161' }],
  ['cambios', { since: '2026-01-01' }],
  ['avisos_hoy', {}],
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
    const unsaid = leaves.filter(
      ([path, leaf]) =>
        !(tool === 'detalle_evento' && isOfDetail(path)) &&
        !isInWords(path) &&
        !text.includes(toSaid(leaf, tool)),
    );
    expect(unsaid).toEqual([]);
    const json = JSON.stringify(result.structuredContent);
    const links = text.match(/https?:\/\/[^\s<>)]+/g) ?? [];
    expect(links.filter((link) => !json.includes(link))).toEqual([]);
    const told = new Set(leaves.flatMap(([, leaf]) => toWords(leaf)));
    const unknown = toWords(text.replace(/https?:\/\/[^\s<>)]+/g, ' ')).filter(
      (word) => !told.has(word) && !VOCABULARY.has(word),
    );
    expect(unknown).toEqual([]);
  });
});

test('the pages of a list follow one another from the structured half alone', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  let total = 0;
  do {
    const args = { limit: 2, ...(cursor === null ? {} : { cursor }) };
    const { structuredContent } = await call('buscar_eventos', args, contextOf(snapshot));
    seen.push(...structuredContent.data.map(({ id }: { id: string }) => id));
    ({ next_cursor: cursor } = structuredContent);
    ({ total } = structuredContent.meta);
  } while (cursor !== null);
  expect(new Set(seen).size).toBe(total);
  expect(total).toBeGreaterThan(4);
});
