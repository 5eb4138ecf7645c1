// The filters of a query in words: the name of a feed, the title of a page.
import { date } from '../domain/filters/date.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { PhraseContext } from '../domain/filters/filter.ts';
import { EVENT_FILTERS } from '../domain/filters/filters.ts';
import { near } from '../domain/filters/near.ts';
import { t } from './translate.ts';

/** Where and when come last. */
const NAMED = [...EVENT_FILTERS.filter(({ name }) => name !== near.name), near, date] as const;

/** A phrase as it begins a label: `Esta noche`. */
export const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * What the filters that are on ask for, one phrase for each thing: `gratis`, `Isla Mujeres`,
 * `«jazz»`. Days and free text are named as they stand in the query.
 */
export const toFilterWords = (filter: EventFilter, context: PhraseContext): readonly string[] =>
  NAMED.flatMap((one) => toPhraseWords(one, filter, context));

/** What one of them asks for. */
export const toPhraseWords = (
  { toPhrases }: Pick<(typeof NAMED)[number], 'toPhrases'>,
  filter: EventFilter,
  context: PhraseContext,
): readonly string[] =>
  toPhrases(filter, context).map((phrase) =>
    typeof phrase === 'string' ? phrase : t(context.lang, `ics.filter.${phrase.key}`, phrase.parts),
  );
