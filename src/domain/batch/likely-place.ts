// What a calendar writes as the place of an event, as what our form asks for: a place of the agenda
// where it is likely one, else its name, its address and its zone.
import { fold } from '../folding.ts';
import { LANGS } from '../lang.ts';
import { findByName } from '../place-names.ts';
import { compareTitles } from '../submission/likeness.ts';
import { SUBMISSION_LIMITS } from '../submission/rules.ts';
import type { TaxonRecord } from '../taxon.ts';

/** How like the name of a place must be to be offered. */
const NEEDED = 0.6;

interface Place {
  readonly id: string;
  readonly name: string;
}

export interface LikelyPlace {
  /** The id of the place that it likely is; null for a new one. */
  readonly venue: string | null;
  readonly name: string;
  readonly address: string;
  /** The key of a zone; empty where the text names none. */
  readonly zone: string;
}

/** What to offer for a place as the calendar says it; all empty where that is a link or nothing. */
export function findLikelyPlace(
  said: string,
  venues: readonly Place[],
  zones: readonly TaxonRecord[],
): LikelyPlace {
  if (said === '' || /^(https?:\/\/|www\.)/i.test(said))
    return { venue: null, name: '', address: '', zone: '' };
  const cut = said.search(/\s*[,;|]\s*|\s+-\s+/);
  const first = cut < 1 ? said : said.slice(0, cut);
  const found = findByName(venues, said) ?? findByName(venues, first) ?? findLike(venues, first);
  if (found !== null) return { venue: found.id, name: found.name, address: '', zone: '' };
  const text = fold(said);
  const zone = zones.find(({ name }) => LANGS.some((lang) => text.includes(fold(name[lang]))));
  return {
    venue: null,
    name: first.slice(0, SUBMISSION_LIMITS.name),
    address: cut < 1 ? '' : said.slice(first.length).replace(/^[\s,;|-]+/, ''),
    zone: zone?.key ?? '',
  };
}

function findLike(venues: readonly Place[], name: string): Place | null {
  const likely = venues
    .map((venue) => ({ venue, likeness: compareTitles(name, venue.name) }))
    .filter(({ likeness }) => likeness >= NEEDED)
    .sort((a, b) => b.likeness - a.likeness);
  return likely[0]?.venue ?? null;
}
