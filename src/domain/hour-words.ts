// The words for a stretch of hours (`date` in the API): what is going on at this minute, and tonight
// (contract 2.10).
import { AGENDA_WORDS, type AgendaWord } from './agenda-words.ts';
import { floorToMinute, NIGHT_ENDS_HOUR, toCancun, ZONE, type DayRange } from './cancun-time.ts';

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
  /**
   * Whether only what takes place at hours that are known is in: what goes on now does, while
   * tonight also holds what has no hour yet and, with its status, what was called off.
   */
  readonly is_going_on: boolean;
}

/** The minute of `now_ms`. */
function toNow(now_ms: number): HourSpan {
  const from_ms = floorToMinute(now_ms);
  return { word: 'now', from_ms, until_ms: from_ms + 60_000, is_going_on: true };
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
    is_going_on: false,
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
