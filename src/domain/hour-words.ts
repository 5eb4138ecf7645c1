// The words for a stretch of hours (`date` in the API): what is going on at this minute, and tonight
// (contract 2.10).
import { AGENDA_WORDS, type AgendaWord } from './agenda-words.ts';
import {
  floorToMinute,
  NIGHT_ENDS_HOUR,
  toCancun,
  toCancunDay,
  toDayNumber,
  ZONE,
  type DayRange,
} from './cancun-time.ts';
import type { EventRecord, OccurrenceRecord } from './event/event.ts';

/** Where the evening begins: what touches the hours from here to NIGHT_ENDS_HOUR is tonight's. */
export const EVENING_HOUR = 18;

export const HOUR_WORDS = ['now', 'tonight'] as const;
export type HourWord = (typeof HOUR_WORDS)[number];

/** Every word that `date` takes, in the order in which they are offered. */
export const DATE_WORDS: readonly (AgendaWord | HourWord)[] = [...AGENDA_WORDS, ...HOUR_WORDS];

/** Instants, epoch ms: an occurrence touches it that begins before `until_ms` and ends after `from_ms`. */
export interface HourSpan {
  readonly word: HourWord;
  readonly from_ms: number;
  /** Also the moment from which the word means something else. */
  readonly until_ms: number;
}

/** The minute of `now_ms`. */
function toNow(now_ms: number): HourSpan {
  const from_ms = floorToMinute(now_ms);
  return { word: 'now', from_ms, until_ms: from_ms + 60_000 };
}

/** From 18:00 to 06:00: the night to come, or between midnight and 06:00 the one under way. */
function toTonight(now_ms: number): HourSpan {
  const now = toCancun(now_ms);
  const evening = now.toPlainDate().subtract({ days: now.hour < NIGHT_ENDS_HOUR ? 1 : 0 });
  const toMs = (day: typeof evening, hour: number): number =>
    day.toZonedDateTime(ZONE).with({ hour }).epochMilliseconds;
  return {
    word: 'tonight',
    from_ms: toMs(evening, EVENING_HOUR),
    until_ms: toMs(evening.add({ days: 1 }), NIGHT_ENDS_HOUR),
  };
}

/** The hours that a word means at an instant; null for a word that is none of these. */
export function resolveHourWord(text: string | undefined, now_ms: number): HourSpan | null {
  if (text === 'now') return toNow(now_ms);
  return text === 'tonight' ? toTonight(now_ms) : null;
}

/** The days that hours touch: one for `now`, the evening's and the next for `tonight`. */
export const toTouchedDays = ({ from_ms, until_ms }: HourSpan): DayRange => ({
  from: toCancun(from_ms).toPlainDate(),
  to: toCancun(until_ms - 1).toPlainDate(),
});

type Told = Pick<EventRecord, 'category' | 'tags' | 'title'>;

/** The tag, and the words of a title or of a date's note, that say that it is at night. */
const NIGHT_TAG = 'noche';
const NIGHT_WORDS = /\b(?:noches?|nights?|evenings?)\b/i;

const saysNight = ({ category, tags, title }: Told, { notes }: OccurrenceRecord): boolean =>
  category === 'party' ||
  tags.includes(NIGHT_TAG) ||
  [title, notes].some((text) => text !== null && NIGHT_WORDS.test(`${text.es} ${text.en}`));

/**
 * Whether an occurrence that begins before the hours end is in them. What was called off or has no
 * known hour does not go on now; tonight keeps the former with its status, and of what has no hour that
 * day only what says that it is at night.
 */
export function isWithin(hours: HourSpan, occurrence: OccurrenceRecord, event: Told): boolean {
  const { status, time_known, all_day, first_day, last_day, end_ms } = occurrence;
  if (end_ms <= hours.from_ms) return false;
  if (hours.word === 'now') return status === 'scheduled' && time_known;
  if (!all_day) return true;
  const evening = toDayNumber(toCancunDay(hours.from_ms));
  return first_day <= evening && last_day >= evening && saysNight(event, occurrence);
}
