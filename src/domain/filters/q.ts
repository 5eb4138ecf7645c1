// The filter by words: free text over an event and the names around it (contract 7.1, 7.13, 7.14).
import * as v from 'valibot';
import type { Dataset } from '../dataset.ts';
import type { EventRecord } from '../event/event.ts';
import { toWords } from '../folding.ts';
import { LANGS } from '../lang.ts';
import { createAddWords } from '../search-vocabulary.ts';
import type { TaxonRecord } from '../taxon.ts';
import { type Filter, readText } from './filter.ts';

/** Most characters of `q`. */
export const MAX_Q_LENGTH = 100;

const TextSchema = v.pipe(
  v.string(),
  v.check(
    (text) => [...text].length <= MAX_Q_LENGTH,
    (i) => `q: has ${[...String(i.input)].length} characters. At most ${MAX_Q_LENGTH} are accepted`,
  ),
);

/** Folded words, all of which must match; null is no search. */
export type WantedWords = readonly string[] | null;

/** `q`. */
export const q: Filter<'q', { readonly words: WantedWords }, 'words'> = {
  name: 'q',
  parameters: [
    {
      name: 'q',
      other_names: ['busca', 'buscar', 'busqueda', 'query', 'search', 'texto'],
      schema: { type: 'string', maxLength: MAX_Q_LENGTH },
      example: 'musica',
    },
  ],
  off: { words: null },
  read: (params, { issues }) => {
    const text = readText<string | null>(TextSchema, params.q, null, issues.form);
    return { words: text === null ? null : toWords(text) };
  },
  isOn: ({ words }) => words !== null,
  toPhrases: (_value, { params: { q } }) =>
    q === undefined ? [] : [{ key: 'words', parts: { words: q } }],
};

/** What an event is called by beside its own words. */
interface SearchNames {
  readonly venue: string | null;
  readonly organizer: string | null;
  /** Its category and its zone. */
  readonly taxa: readonly TaxonRecord[];
}

/** The names of an event's venue, organizer, category and zone in a dataset, by event. */
function toSearchNames({
  venues,
  organizers,
  taxonomy: { categories, zones },
}: Pick<Dataset, 'venues' | 'organizers' | 'taxonomy'>): (event: EventRecord) => SearchNames {
  const toNames = (things: readonly { readonly id: string; readonly name: string }[]) =>
    new Map(things.map(({ id, name }) => [id, name]));
  const [venue_names, organizer_names] = [toNames(venues), toNames(organizers)];
  return (event) => ({
    venue: venue_names.get(event.venue ?? '') ?? null,
    organizer: organizer_names.get(event.organizer ?? '') ?? null,
    taxa: [
      ...categories.filter(({ key }) => key === event.category),
      ...zones.filter(({ key }) => key === event.zone),
    ],
  });
}

const toOwnText = (event: EventRecord, { venue, organizer, taxa }: SearchNames): string =>
  [
    ...LANGS.map((lang) => event.title[lang]),
    ...LANGS.map((lang) => event.summary[lang]),
    ...event.tags,
    venue ?? '',
    organizer ?? '',
    ...taxa.flatMap(({ name, search_words }) => [
      ...LANGS.map((lang) => name[lang]),
      ...search_words,
    ]),
  ].join(' ');

/**
 * What `q` reads of an event of a dataset, in every language: title, summary, tags, and the names of
 * its venue, organizer, category and zone; with other words for the same, and for what is free
 * (contract 7.14).
 */
export function createSearchText(
  dataset: Pick<Dataset, 'venues' | 'organizers' | 'taxonomy' | 'search_words'>,
): (event: EventRecord) => string {
  const toNames = toSearchNames(dataset);
  const addWords = createAddWords(dataset.search_words);
  return (event) => {
    const own = toOwnText(event, toNames(event));
    const free = event.price.is_free ? dataset.search_words.free : [];
    return [own, ...addWords(own), ...free].join(' ');
  };
}
