// What a row says of an event's other dates. Pure.
import type { EventCard } from '../../domain/agenda.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import { toAlsoOn } from '../../i18n/dates.ts';
import { t, tCount } from '../../i18n/translate.ts';

/** Above so many dates, that there are many says more than their number. */
const MAX_COUNTED = 30;

/** Gives the line of a card, null where there is nothing to say. */
export type ToMore = (card: EventCard) => string | null;

/** `+3 fechas`, `muchas fechas más`. */
export const toMoreDates =
  (lang: Lang): ToMore =>
  ({ more_dates }) => {
    if (more_dates > MAX_COUNTED) return t(lang, 'dates.many');
    return more_dates > 0 ? tCount(lang, 'dates.row', more_dates) : null;
  };

/** `también domingo y de martes a viernes`, from every occurrence of at most a week. */
export function toFurtherDays(occurrences: readonly OccurrenceRecord[], lang: Lang): ToMore {
  const by_event = Map.groupBy(occurrences, (occurrence) => occurrence.event);
  return (card) => {
    const first = card.next?.first_day ?? Number.POSITIVE_INFINITY;
    const later = (by_event.get(card.event.id) ?? []).filter(
      (one) => one.status === 'scheduled' && one.first_day > first,
    );
    return toAlsoOn([...new Set(later.map((one) => one.first_day))], lang);
  };
}
