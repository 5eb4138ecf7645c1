// What people type into a search means more than words: `gratis hoy`, `kids saturday`, `música en vivo Isla`.
// Days, zones, categories, what is free and what is for families are read as the filters that they are.
import { toCancunDay } from '../../domain/cancun-time.ts';
import { fold, toWords } from '../../domain/folding.ts';
import { LANGS } from '../../domain/lang.ts';
import { isSilent } from '../../domain/search.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toWeekdayWord } from '../../i18n/dates.ts';
import { t } from '../../i18n/translate.ts';

type Flag = 'free' | 'family' | 'indoor';
type Filter = readonly [name: 'date' | 'zone' | 'category' | Flag, value: string];

const READ = {
  now: ['date', 'now'],
  tonight: ['date', 'tonight'],
  today: ['date', 'today'],
  tomorrow: ['date', 'tomorrow'],
  weekend: ['date', 'weekend'],
  week: ['date', 'week'],
  free: ['free', '1'],
  family: ['family', '1'],
  indoor: ['indoor', '1'],
} as const satisfies Readonly<Record<string, Filter>>;
type ReadKey = keyof typeof READ;
const isReadKey = (key: string): key is ReadKey => key in READ;

/** Most words of a phrase: `este fin de semana`. */
const LONGEST = 4;

/** Filters by the folded phrases for them, in every language. */
function listPhrases({ zones, categories }: Taxonomy, now_ms: number): Map<string, Filter> {
  const phrases = new Map<string, Filter>();
  const add = (text: string, filter: Filter): void =>
    void phrases.set(toWords(text).join(' '), filter);
  const today = toCancunDay(now_ms);
  for (const lang of LANGS) {
    for (const { key, name } of categories) add(name[lang], ['category', key]);
    for (const { key, name, search_words } of zones)
      for (const phrase of [name[lang], ...search_words]) add(phrase, ['zone', key]);
    for (const key of Object.keys(READ).filter(isReadKey))
      for (const phrase of t(lang, `search.reads.${key}`).split(', ')) add(phrase, READ[key]);
    for (let days = 0; days < 7; days++) {
      const day = today.add({ days });
      add(toWeekdayWord(day, lang), ['date', day.toString()]);
    }
  }
  return phrases;
}

/** A text as filters, by name, and the words that are left. */
export interface ReadText {
  readonly q: string;
  readonly texts: Readonly<Partial<Record<Filter[0], string>>>;
}

/** Each filter is read once: what says another day than one that is there, in the text or in `given`, stays a word. */
export function readSearchText(
  text: string,
  taxonomy: Taxonomy,
  now_ms: number,
  given: ReadText['texts'] = {},
): ReadText {
  const phrases = listPhrases(taxonomy, now_ms);
  const words = text.split(/\s+/).filter(Boolean);
  const texts: Partial<Record<Filter[0], string>> = {};
  const left: string[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(LONGEST, words.length - at);
    const find = (): Filter | undefined =>
      phrases.get(toWords(words.slice(at, at + length).join(' ')).join(' '));
    while (length > 0 && find() === undefined) length -= 1;
    const found = find();
    const [name, value] = found ?? [];
    if (length > 0 && name && value && [undefined, value].includes(texts[name] ?? given[name])) {
      texts[name] = value;
      at += length;
    } else left.push(words[at++] ?? '');
  }
  // `el sábado en el centro`: what is left of it says nothing.
  const is_said = Object.keys(texts).length === 0 || !left.every((word) => isSilent(fold(word)));
  return { q: is_said ? left.join(' ') : '', texts };
}
