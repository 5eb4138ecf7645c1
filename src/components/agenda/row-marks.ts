// What marks a row out from the others: cancelled, postponed, confirmed, in another language, for
// adults. Pure.
import type { EventCard } from '../../domain/agenda.ts';
import { findOriginals } from '../../domain/event/event.ts';
import { isConfirmed } from '../../domain/event/facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';

/** One mark in words; its kind is its colour. */
interface RowMark {
  readonly kind: 'status' | 'original' | 'adults';
  readonly text: string;
}

export interface RowMarks {
  /** Cancelled or postponed, the date or the whole event; null where it takes place. */
  readonly status: 'cancelled' | 'postponed' | null;
  readonly words: readonly RowMark[];
  /** Whether its date and hour are confirmed. */
  readonly is_sure: boolean;
}

function toStatus({ event, next }: EventCard): RowMarks['status'] {
  if (next && next.status !== 'scheduled') return next.status;
  return event.status === 'published' ? null : event.status;
}

/** The marks of a card; not those in `said`, which stand above it. */
export function toRowMarks(card: EventCard, lang: Lang, said: readonly string[]): RowMarks {
  const status = toStatus(card);
  const adults = t(lang, 'agenda.adults');
  const words: RowMark[] = [];
  if (status !== null) words.push({ kind: 'status', text: t(lang, `status.${status}`) });
  if (/\b18\b/.test(card.event.age_restriction?.[lang] ?? '') && !said.includes(adults))
    words.push({ kind: 'adults', text: adults });
  const original = findOriginals(card.event, lang).title;
  if (original) words.push({ kind: 'original', text: t(lang, `original.row.${original}`) });
  return { status, words, is_sure: isConfirmed(card) };
}
