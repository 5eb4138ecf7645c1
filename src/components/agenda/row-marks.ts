// What marks a row out from the others: cancelled, postponed, not confirmed, for adults. Pure.
import type { EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';

/** One mark in words; its kind is its colour. */
interface RowMark {
  readonly kind: 'status' | 'unsure' | 'adults';
  readonly text: string;
}

export interface RowMarks {
  /** Cancelled or postponed, the date or the whole event; null where it takes place. */
  readonly status: 'cancelled' | 'postponed' | null;
  readonly words: readonly RowMark[];
}

function toStatus({ event, next }: EventCard): RowMarks['status'] {
  if (next && next.status !== 'scheduled') return next.status;
  return event.status === 'published' ? null : event.status;
}

/** The marks of a card; not those in `said`, which stand above it. */
export function toRowMarks(card: EventCard, lang: Lang, said: readonly string[]): RowMarks {
  const status = toStatus(card);
  const certainty = card.next?.certainty ?? card.event.certainty;
  const adults = t(lang, 'agenda.adults');
  const words: RowMark[] = [];
  if (status !== null) words.push({ kind: 'status', text: t(lang, `status.${status}`) });
  else if (certainty !== 'confirmed')
    words.push({ kind: 'unsure', text: t(lang, `event.certainty.${certainty}`) });
  if (/\b18\b/.test(card.event.age_restriction?.[lang] ?? '') && !said.includes(adults))
    words.push({ kind: 'adults', text: adults });
  return { status, words };
}
