// What the search reads of each thing, and the words by which people mean the same (contract 7.13).
import type { EventRecord } from './event/event.ts';
import { splitWords } from './text-folding.ts';
import { LANGS, type LocalText } from './lang.ts';
import type { NoticeRecord } from './notice.ts';
import { isFreeForLocals } from './opening-hours.ts';
import type { OrganizerRecord } from './organizer.ts';
import { switchGrammaticalNumber } from './word-matching.ts';
import type { Taxonomy } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** As content/search-words.yml has it: words or short phrases, in any language. */
export interface SearchSynonyms {
  /** Each list means one thing. */
  readonly same: readonly (readonly string[])[];
  /** What is free is called so. */
  readonly free: readonly string[];
}

/** Folded words between spaces, so that a phrase is found whole. */
const toLine = (words: readonly string[]): string => ` ${words.join(' ')} `;

/**
 * The further words of a text: of each list that it has an entry of, in either number, all entries.
 * Made once a vocabulary, for every event is asked.
 */
export function createSynonymExpander({
  same,
}: Pick<SearchSynonyms, 'same'>): (text: string) => readonly string[] {
  const named = same.flatMap((entries, list) =>
    entries.map((entry) => ({ words: splitWords(entry), list })),
  );
  const phrases = named.filter(({ words }) => words.length > 1);
  const by_word = Map.groupBy(named, ({ words }) => (words.length === 1 ? words[0] : undefined));
  return (text) => {
    const words = splitWords(text);
    const line = toLine(words);
    const forms = new Set(words.flatMap((word) => [word, ...switchGrammaticalNumber(word)]));
    const there = [
      ...phrases.filter((phrase) => line.includes(toLine(phrase.words))),
      ...[...forms].flatMap((form) => by_word.get(form) ?? []),
    ];
    const lists = new Set(there.map(({ list }) => list));
    return same.filter((_, list) => lists.has(list)).flat();
  };
}

interface Searched {
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly taxonomy: Taxonomy;
  readonly search_words: SearchSynonyms;
}

/**
 * What `q` reads of each thing of a dataset, in every language, with other words for the same, and for what is
 * free: of an event title, summary, tags and the names of its venue, organizer, category and zone (contract 7.13).
 */
export function createSearchDocuments({
  venues,
  organizers,
  taxonomy: { categories, zones },
  search_words,
}: Searched) {
  const names = new Map([...venues, ...organizers].map(({ id, name }) => [id, name]));
  const addWords = createSynonymExpander(search_words);
  const inAll = (text: LocalText | null): string =>
    LANGS.map((lang) => text?.[lang] ?? '').join(' ');
  const write = (parts: readonly string[], is_free = false): string => {
    const own = parts.join(' ');
    return [own, ...addWords(own), ...(is_free ? search_words.free : [])].join(' ');
  };
  return {
    event: ({ title, summary, tags, venue, organizer, category, zone, price }: EventRecord) => {
      const taxa = [
        ...categories.filter(({ key }) => key === category),
        ...zones.filter(({ key }) => key === zone),
      ];
      const own = [
        ...[inAll(title), inAll(summary), ...tags],
        ...[names.get(venue ?? '') ?? '', names.get(organizer ?? '') ?? ''],
        ...taxa.flatMap((taxon) => [inAll(taxon.name), ...taxon.search_words]),
      ];
      return write(own, isFreeForLocals(price.visitors, price.is_free));
    },
    venue: ({ name, address, locality, description, zone }: VenueRecord) => {
      const zone_name = zones.find(({ key }) => key === zone)?.name ?? null;
      return write([name, address ?? '', locality, inAll(zone_name), inAll(description)]);
    },
    organizer: ({ name, description }: OrganizerRecord) => write([name, inAll(description)]),
    notice: ({ title, body, short, type }: NoticeRecord) =>
      write([inAll(title), inAll(body), inAll(short), type]),
  };
}
