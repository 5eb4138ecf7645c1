// Nightclubs: open to adults on most nights, so that every list says them together, after what a day
// has besides. Pure.
import type { EventCard } from '../agenda.ts';
import type { EventRecord } from './event.ts';

/** The tag by which an editor says that a party is a night at a club. */
const TAG = 'antro';

/** A party at a nightclub, for those of 18 and over. */
export const isNightclub = ({ category, tags }: Pick<EventRecord, 'category' | 'tags'>): boolean =>
  category === 'party' && tags.includes(TAG);

/** Cards with the nightclubs apart, both in their order. */
export interface FoldedCards {
  readonly others: readonly EventCard[];
  readonly nightclubs: readonly EventCard[];
}

/** What a list says first, and the nightclubs that it says after it (contract 1.11). */
export const foldNightclubs = (cards: readonly EventCard[]): FoldedCards => ({
  others: cards.filter(({ event }) => !isNightclub(event)),
  nightclubs: cards.filter(({ event }) => isNightclub(event)),
});
