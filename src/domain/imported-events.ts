// Imported events: defines the result of parsing a calendar file or feed: its events with their
// upcoming days in local time, warnings about each, and failures with their line (contract 14.34).
import * as v from 'valibot';

/**
 * Limits of a calendar: bytes without past events, and with them (`fetched_bytes`), events offered
 * for selection, events examined (`looked_at`) to find them.
 */
export const IMPORT_LIMITS = {
  bytes: 1024 * 1024,
  fetched_bytes: 8 * 1024 * 1024,
  events: 200,
  looked_at: 2_000,
} as const;

/** Replaces `webcal://`, the scheme of calendar subscriptions, by https. */
export const replaceWebcal = (url: string): string => url.trim().replace(/^webcals?:/i, 'https:');

/** Warnings for the sender; each has a message, `batch.doubt.<rule>`. */
export const IMPORT_WARNINGS = [
  'zone_unknown',
  'rule_ignored',
  'dates_unread',
  'called_off',
  'letters_unread',
  'dates_cut',
  'end_ignored',
  'long_ago',
  'not_closed',
  'line_skipped',
  'text_cut',
  'call_cut',
  'join_link',
  'tentative',
  'private',
] as const;
/** Reasons why an event cannot be imported; each has a message, `batch.failure.<rule>`. */
export const IMPORT_FAILURES = [
  'no_title',
  'no_start',
  'bad_start',
  'bad_rule',
  'all_left_out',
  'only_rest_days',
  'not_understood',
  'script_broken',
  'too_many',
] as const;

/** `text`: the value of the file that the warning is about; may be empty. */
const ImportWarningSchema = v.object({ rule: v.picklist(IMPORT_WARNINGS), text: v.string() });
export type ImportWarning = Readonly<v.InferOutput<typeof ImportWarningSchema>>;

/**
 * An event of a calendar, in the form of a submission: local times, and only the day if it is all
 * day.
 */
export const ImportedEventSchema = v.object({
  /** Stable across imports of the same calendar. */
  uid: v.string(),
  /** Line of its beginning in the file, from 1. */
  line: v.number(),
  title: v.string(),
  description: v.string(),
  start: v.string(),
  end: v.nullable(v.string()),
  all_day: v.boolean(),
  /** Upcoming days after `start`, YYYY-MM-DD, at the same hours. */
  dates: v.array(v.string()),
  location: v.string(),
  url: v.nullable(v.string()),
  categories: v.array(v.string()),
  /** Cancelled as a whole, or only on the days of `off` if it has any. */
  is_cancelled: v.boolean(),
  /** Postponed without a new date. */
  is_postponed: v.optional(v.boolean(), false),
  /** `off`: upcoming cancelled days, YYYY-MM-DD, not included in `dates`. */
  off: v.optional(v.array(v.string()), []),
  /**
   * Upcoming customary rest days of its rule that the calendar does not name (contract 14.58), not
   * included in `dates`; absent if there are none.
   */
  resting: v.exactOptional(v.array(v.string())),
  /** `doubts`: warnings about the event. */
  doubts: v.array(ImportWarningSchema),
});
export type ImportedEvent = Readonly<v.InferOutput<typeof ImportedEventSchema>>;

export const ImportFailureSchema = v.object({
  rule: v.picklist(IMPORT_FAILURES),
  line: v.number(),
  /** Title of the event; empty if it has none. */
  title: v.string(),
  /** The invalid value; may be empty. */
  text: v.string(),
});
export type ImportFailure = Readonly<v.InferOutput<typeof ImportFailureSchema>>;

/** Returns true if an event is cancelled or postponed as a whole, not only on some days. */
export const isWhollyCancelled = ({ is_cancelled, off }: ImportedEvent): boolean =>
  is_cancelled && off.length === 0;

/** A parsed calendar. */
export interface ImportedCalendar {
  /** The calendar's own name; may be empty. */
  readonly name: string;
  /** Events with upcoming days, by the first of them. */
  readonly events: readonly ImportedEvent[];
  readonly failures: readonly ImportFailure[];
  /** `over`: number of past events, which are skipped. */
  readonly over: number;
  /** False if the file ends within a calendar. */
  readonly is_whole: boolean;
}

/** Reasons why a whole calendar cannot be imported; each has a message, `batch.problem.<rule>`. */
export const IMPORT_PROBLEMS = [
  'nothing_given',
  'empty',
  'too_large',
  'not_calendar',
  'is_page',
  'no_events',
  'not_address',
  'not_public',
  'not_found',
  'not_fetched',
  'too_slow',
  'too_often',
  'busy',
  'cut_off',
  'not_allowed',
  'emptied',
  'not_feed',
  'failed',
  'too_complex',
] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];
