// Search documents: builds the searchable text of each record, expanded by synonyms (contract
// 7.13).
import { type EventRecord, listFreeVisitorsOf } from './event/event.ts';
import { splitWords } from './text-folding.ts';
import { LANGS, type LocalText } from './lang.ts';
import type { NoticeRecord } from './notice.ts';
import type { OrganizerRecord } from './organizer.ts';
import { switchGrammaticalNumber } from './word-matching.ts';
import type { Taxonomy } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

/** The synonyms of content/search-words.yml: words or short phrases in any language. */
export interface SearchSynonyms {
  /** Each list holds words of the same meaning. */
  readonly same: readonly (readonly string[])[];
  /** Words for free admission. */
  readonly free: readonly string[];
}

/** Joins folded words with a space around each, so that phrases match whole words. */
const joinPadded = (words: readonly string[]): string => ` ${words.join(' ')} `;

/**
 * Creates a function that returns the synonyms of a text: all entries of each list of which the
 * text contains one, in singular or plural.
 */
export function createSynonymExpander({
  same,
}: Pick<SearchSynonyms, 'same'>): (text: string) => readonly string[] {
  const all_entries = same.flatMap((entries, list_index) =>
    entries.map((entry) => ({ words: splitWords(entry), list_index })),
  );
  const phrases = all_entries.filter(({ words }) => words.length > 1);
  const single_words = Map.groupBy(all_entries, ({ words }) =>
    words.length === 1 ? words[0] : undefined,
  );
  return (text) => {
    const words = splitWords(text);
    const padded_text = joinPadded(words);
    const forms = new Set(words.flatMap((word) => [word, ...switchGrammaticalNumber(word)]));
    const matches = [
      ...phrases.filter((phrase) => padded_text.includes(joinPadded(phrase.words))),
      ...[...forms].flatMap((form) => single_words.get(form) ?? []),
    ];
    const list_indexes = new Set(matches.map(({ list_index }) => list_index));
    return same.filter((_, list_index) => list_indexes.has(list_index)).flat();
  };
}

interface SearchSources {
  readonly venues: readonly VenueRecord[];
  readonly organizers: readonly OrganizerRecord[];
  readonly taxonomy: Taxonomy;
  readonly search_words: SearchSynonyms;
}

/**
 * Creates functions that build the text searched by `q`, in all languages, with synonyms. An event
 * has title, summary, tags and the names of its venue, organizer, category and zone, plus words for
 * free admission (contract 7.13).
 */
export function createSearchDocuments({
  venues,
  organizers,
  taxonomy: { categories, zones },
  search_words,
}: SearchSources) {
  const names = new Map([...venues, ...organizers].map(({ id, name }) => [id, name]));
  const findSynonyms = createSynonymExpander(search_words);
  const inAllLangs = (text: LocalText | null): string =>
    LANGS.map((lang) => text?.[lang] ?? '').join(' ');
  const buildText = (parts: readonly string[], is_free = false): string => {
    const text = parts.join(' ');
    return [text, ...findSynonyms(text), ...(is_free ? search_words.free : [])].join(' ');
  };
  return {
    event: ({ title, summary, tags, venue, organizer, category, zone, price }: EventRecord) => {
      const taxa = [
        ...categories.filter(({ key }) => key === category),
        ...zones.filter(({ key }) => key === zone),
      ];
      const parts = [
        ...[inAllLangs(title), inAllLangs(summary), ...tags],
        ...[names.get(venue ?? '') ?? '', names.get(organizer ?? '') ?? ''],
        ...taxa.flatMap((taxon) => [inAllLangs(taxon.name), ...taxon.search_words]),
      ];
      return buildText(parts, listFreeVisitorsOf(price).length > 0);
    },
    venue: ({ name, address, locality, description, zone }: VenueRecord) => {
      const zone_name = zones.find(({ key }) => key === zone)?.name ?? null;
      return buildText([
        name,
        address ?? '',
        locality,
        inAllLangs(zone_name),
        inAllLangs(description),
      ]);
    },
    organizer: ({ name, description }: OrganizerRecord) =>
      buildText([name, inAllLangs(description)]),
    notice: ({ title, body, short, type }: NoticeRecord) =>
      buildText([inAllLangs(title), inAllLangs(body), inAllLangs(short), type]),
  };
}
