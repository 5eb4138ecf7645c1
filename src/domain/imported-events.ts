// Imported events: types of a parsed calendar file: events with their upcoming days in local time, warnings
// for each, and failures with their line (contract 14.34).
import * as v from 'valibot';

/** Limits of a file: bytes, events offered, events examined. */
export const IMPORT_LIMITS = { bytes: 1024 * 1024, events: 200, looked_at: 2_000 } as const;

/** Warnings for the sender; each has a message, `batch.doubt.<rule>`. */
export const IMPORT_WARNINGS = [
  'zone_unknown',
  'rule_ignored',
  'dates_cut',
  'end_ignored',
  'not_closed',
  'line_skipped',
  'text_cut',
  'call_cut',
  'join_link',
  'tentative',
  'private',
] as const;
/** Why an event cannot be imported; messages: `batch.failure.<rule>`. */
export const IMPORT_FAILURES = [
  'no_title',
  'no_start',
  'bad_start',
  'bad_rule',
  'all_left_out',
  'too_many',
] as const;

const ImportWarningSchema = v.object({ rule: v.picklist(IMPORT_WARNINGS), text: v.string() });
export type ImportWarning = Readonly<v.InferOutput<typeof ImportWarningSchema>>;

/** Times as in a submission: local, and only the day for all-day events. */
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
  dates: v.array(v.string()),
  location: v.string(),
  url: v.nullable(v.string()),
  categories: v.array(v.string()),
  is_cancelled: v.boolean(),
  /** Postponed without a new date. */
  is_postponed: v.optional(v.boolean(), false),
  /** Upcoming cancelled days, not included in `dates`. */
  off: v.optional(v.array(v.string()), []),
  doubts: v.array(ImportWarningSchema),
});
export type ImportedEvent = Readonly<v.InferOutput<typeof ImportedEventSchema>>;

export const ImportFailureSchema = v.object({
  rule: v.picklist(IMPORT_FAILURES),
  line: v.number(),
  /** Empty if it has none. */
  title: v.string(),
  /** The invalid value; may be empty. */
  text: v.string(),
});
export type ImportFailure = Readonly<v.InferOutput<typeof ImportFailureSchema>>;

export interface ImportedCalendar {
  /** The calendar's own name; may be empty. */
  readonly name: string;
  /** Events with upcoming days, by the first of them. */
  readonly events: readonly ImportedEvent[];
  readonly failures: readonly ImportFailure[];
  /** Number of past events, which are skipped. */
  readonly over: number;
}

/** Why a whole calendar cannot be imported; messages: `batch.problem.<rule>`. */
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
] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];
