// What is read of somebody's calendar file: events with their days ahead in local time, what is
// doubtful about each, and what could not be read, with its line (contract 14.34).
import * as v from 'valibot';

/** Bytes of a file, events that are offered of one, events that are looked at. */
export const IMPORT_LIMITS = { bytes: 1024 * 1024, events: 200, looked_at: 2_000 } as const;

/** What its sender should look at twice: each has its sentence, `batch.doubt.<rule>`. */
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
/** Why an event cannot be read: `batch.failure.<rule>`. */
export const IMPORT_FAILURES = [
  'no_title',
  'no_start',
  'bad_start',
  'bad_rule',
  'all_left_out',
  'too_many',
] as const;

const DoubtSchema = v.object({ rule: v.picklist(IMPORT_WARNINGS), text: v.string() });
export type ImportWarning = Readonly<v.InferOutput<typeof DoubtSchema>>;

/** Moments as a submission has them: local, the day alone where it lasts all day. */
export const ImportedEventSchema = v.object({
  /** The same for the same event each time the calendar is read. */
  uid: v.string(),
  /** Where it begins in the file, from 1. */
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
  /** Put off, and a new day is not known. */
  is_postponed: v.optional(v.boolean(), false),
  /** Its days ahead that are called off, which are not among its dates. */
  off: v.optional(v.array(v.string()), []),
  doubts: v.array(DoubtSchema),
});
export type ImportedEvent = Readonly<v.InferOutput<typeof ImportedEventSchema>>;

export const ImportFailureSchema = v.object({
  rule: v.picklist(IMPORT_FAILURES),
  line: v.number(),
  /** Empty where it has none. */
  title: v.string(),
  /** What stands there instead; empty where nothing does. */
  text: v.string(),
});
export type ImportFailure = Readonly<v.InferOutput<typeof ImportFailureSchema>>;

export interface ImportedCalendar {
  /** What the calendar calls itself; empty where it does not. */
  readonly name: string;
  /** With days ahead, in the order of their first. */
  readonly events: readonly ImportedEvent[];
  readonly failures: readonly ImportFailure[];
  /** Events that are over: nothing is wrong with them. */
  readonly over: number;
}

/** Why nothing of a calendar can be shown: `batch.problem.<rule>`. */
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
