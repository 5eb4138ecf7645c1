// The days of a repetition: those after the first, by a rule with its last day, without those that are
// left out (contract 14.1).
import type { Temporal } from 'temporal-polyfill';
import { parseDay } from '../cancun-time.ts';
import { splitDays, toIsoDay } from './date-rows.ts';
import { REPEATS } from './fields.ts';
import type { SubmissionIssue } from './read-submission.ts';
import { SUBMISSION_LIMITS } from './rules.ts';

const issue = (
  field: string,
  rule: SubmissionIssue['rule'],
  limit: number | null = null,
): SubmissionIssue => ({ field, rule, limit, accepted: [] });

type Repeat = (typeof REPEATS)[number];
/** What says that it repeats, on the form and in a tool; `exceptions` are the days that are left out. */
type RepeatValues = Readonly<Partial<Record<'repeat' | 'repeat_until' | 'exceptions', string>>>;

/**
 * The days after the first: those that were named and those of a repetition, without those that are
 * left out. What is wrong with it is pushed.
 */
export function listFurtherDays(
  named: readonly string[],
  values: RepeatValues,
  start_day: string,
  issues: Pick<SubmissionIssue[], 'push'>,
): string[] {
  const left_out = new Set(splitDays(values.exceptions ?? ''));
  if ([...left_out].some((day) => parseDay(day) === null))
    issues.push(issue('exceptions', 'not_dates'));
  if (left_out.has(start_day)) issues.push(issue('exceptions', 'first_left_out'));
  const is_bounded = (values.repeat_until ?? '').trim() !== '';
  const is_alone = left_out.size > 0 && named.length === 0;
  const repeat = REPEATS.find((known) => known === (values.repeat ?? '').trim());
  if (!repeat && (is_bounded || is_alone)) issues.push(issue('repeat', 'missing'));
  const repeated = repeat
    ? toRepeated(repeat, (values.repeat_until ?? '').trim(), start_day, left_out, issues)
    : [];
  return [...named.filter((day) => !left_out.has(day)), ...repeated];
}

/** The further days of a repetition; what is wrong with it is pushed. */
function toRepeated(
  repeat: Repeat,
  until_text: string,
  start_day: string,
  left_out: ReadonlySet<string>,
  issues: Pick<SubmissionIssue[], 'push'>,
): string[] {
  const [first, until] = [parseDay(start_day), parseDay(toIsoDay(until_text))];
  if (!until) issues.push(issue('repeat_until', until_text === '' ? 'missing' : 'not_dates'));
  if (!first || !until) return [];
  const days = listRepeatDays(first, repeat, until, left_out);
  if (days.length <= SUBMISSION_LIMITS.dates) return days;
  issues.push(issue('repeat_until', 'too_many', SUBMISSION_LIMITS.dates));
  return [];
}

const STEP = {
  daily: { days: 1 },
  weekly: { weeks: 1 },
  biweekly: { weeks: 2 },
  monthly: { months: 1 },
} as const;

/**
 * The days after `first` up to `until`, inclusive, in order, without those left out; at most one more
 * than are accepted, so that too many are seen.
 */
function listRepeatDays(
  first: Temporal.PlainDate,
  repeat: Repeat,
  until: Temporal.PlainDate,
  left_out: ReadonlySet<string>,
): string[] {
  const days: string[] = [];
  for (let count = 1; days.length <= SUBMISSION_LIMITS.dates; count += 1) {
    const step = STEP[repeat];
    // Counted from the first day, so that the 31st stays the 31st.
    const day = first.add(
      'months' in step
        ? { months: count }
        : 'weeks' in step
          ? { weeks: step.weeks * count }
          : { days: count },
    );
    const next = day.toString();
    if (next > until.toString()) break;
    if (left_out.has(next)) continue;
    if (repeat !== 'monthly' || day.day === first.day) days.push(next);
  }
  return days;
}
