// The filter by words: free text over title, summary and venue (contract 7.1, 7.13).
import * as v from 'valibot';
import type { EventRecord } from '../event/event.ts';
import { toWords } from '../folding.ts';
import { LANGS } from '../lang.ts';
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

/** What `q` reads of an event: title and summary in every language and the venue's name. */
export function toSearchText(event: EventRecord, venue_name: string | null): string {
  return [
    ...LANGS.map((lang) => event.title[lang]),
    ...LANGS.map((lang) => event.summary[lang]),
    venue_name ?? '',
  ].join(' ');
}
