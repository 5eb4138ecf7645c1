// The form on the web: its own controls to the fields of a submission and back (contract 14.1).
import type { Temporal } from 'temporal-polyfill';
import { parseDay } from '../cancun-time.ts';
import { FORM_FIELDS, type FormField, type FormValues } from './controls.ts';
import { FIELDS, PRICE_KINDS, REPEATS } from './fields.ts';
import { toAddress } from './links.ts';
import { SUBMISSION_LIMITS } from './rules.ts';
import type { SubmissionIssue } from './read-submission.ts';
import type { Submission } from './submission.ts';

/** Controls that the form passes on as they are, links with `https://` where it is missing. */
const PASSED_ON = Object.entries(FIELDS).flatMap(([name, field]) =>
  'control' in field ? [{ name, is_link: field.control.kind === 'url' }] : [],
);

export interface FormInput {
  /** For readSubmission. */
  readonly input: Readonly<Record<string, string>>;
  /** What only the form can be wrong about. */
  readonly issues: readonly SubmissionIssue[];
}

const issue = (
  field: FormField,
  rule: SubmissionIssue['rule'],
  limit: number | null = null,
): SubmissionIssue => ({ field, rule, limit, accepted: [] });
const textOf = (values: Readonly<Record<string, string | undefined>>, name: string): string =>
  (values[name] ?? '').trim();

/** The fields of a submission from the controls. */
export function toSubmissionInput(values: FormValues): FormInput {
  const issues: SubmissionIssue[] = [];
  const input: Record<string, string> = {};
  for (const { name, is_link } of PASSED_ON) {
    const text = textOf(values, name);
    input[name] = is_link ? toAddress(text) : text;
  }
  Object.assign(input, toMoments(values, issues), toPlace(values, issues), toPrice(values, issues));
  return {
    input: Object.fromEntries(Object.entries(input).filter(([, text]) => text !== '')),
    issues,
  };
}

/** `24/12/2026` means the same day as `2026-12-24`. */
const toIsoDay = (text: string): string =>
  text.replace(
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

const splitDays = (text: string): string[] =>
  text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(toIsoDay);

function toMoments(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const [start_day, start_hour] = [
    toIsoDay(textOf(values, 'start_date')),
    textOf(values, 'start_time'),
  ];
  const [end_day, end_hour] = [toIsoDay(textOf(values, 'end_date')), textOf(values, 'end_time')];
  const all_day = textOf(values, 'all_day') !== '';
  const named = splitDays(textOf(values, 'dates'));
  const dates = listFurtherDays(named, values, start_day, issues).join(',');
  const is_unknown = textOf(values, 'hour_unknown') !== '';
  const flags = { all_day: all_day ? '1' : '', hour: is_unknown ? 'unknown' : '' };
  if (all_day || start_day === '') return { start: start_day, end: end_day, ...flags, dates };
  // What is ticked and filled in at once is passed on, to be refused as from a tool.
  if (is_unknown && start_hour === '' && end_hour === '')
    return { start: start_day, end: end_day, ...flags, dates };
  if (start_hour === '' && !is_unknown) issues.push(issue('start_time', 'no_hour'));
  if (end_day !== '' && end_hour === '' && !is_unknown) issues.push(issue('end_time', 'no_hour'));
  return {
    start: start_hour === '' ? start_day : `${start_day}T${start_hour}`,
    end: toEnd(start_day, start_hour, end_day, end_hour),
    ...flags,
    dates,
  };
}

/** An hour without a day is of the same night: a party from 22:00 to 03:00 ends the day after. */
function toEnd(start_day: string, start_hour: string, end_day: string, end_hour: string): string {
  if (end_hour === '') return '';
  const first = parseDay(start_day);
  const day =
    end_day !== '' || !first
      ? end_day
      : (end_hour > start_hour ? first : first.add({ days: 1 })).toString();
  return `${day === '' ? start_day : day}T${end_hour}`;
}

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
  const left_out = new Set(splitDays(textOf(values, 'exceptions')));
  if ([...left_out].some((day) => parseDay(day) === null))
    issues.push(issue('exceptions', 'not_dates'));
  if (left_out.has(start_day)) issues.push(issue('exceptions', 'first_left_out'));
  const is_bounded = textOf(values, 'repeat_until') !== '';
  const is_alone = left_out.size > 0 && named.length === 0;
  const repeat = REPEATS.find((known) => known === textOf(values, 'repeat'));
  if (!repeat && (is_bounded || is_alone)) issues.push(issue('repeat', 'missing'));
  const repeated = repeat
    ? toRepeated(repeat, textOf(values, 'repeat_until'), start_day, left_out, issues)
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

/** A place of the list wins over one typed in beside it. */
function toPlace(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const venue = textOf(values, 'venue');
  if (venue === '' && textOf(values, 'venue_name') === '') issues.push(issue('venue', 'no_place'));
  return venue !== '' ? { venue, venue_name: '', venue_address: '' } : { venue };
}

/** `$1,500` is what people write. */
const toAmount = (text: string): string =>
  text
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}\b)/g, '')
    .replace(/\s*(mxn|pesos)\.?$/i, '');

function toPrice(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const kind = PRICE_KINDS.find((known) => known === textOf(values, 'price_kind'));
  if (kind === undefined) issues.push(issue('price_kind', 'missing'));
  if (kind !== 'fixed') return { free: kind === 'free' ? '1' : '', price_min: '', price_max: '' };
  const price_min = toAmount(textOf(values, 'price_min'));
  if (price_min === '') issues.push(issue('price_min', 'missing'));
  return { price_min, price_max: toAmount(textOf(values, 'price_max')) };
}

/** The controls in which two texts of a submission differ, in the order of the page. */
export function listChangedFields(before: Submission, after: Submission): readonly FormField[] {
  const [was, is] = [toFormValues(before), toFormValues(after)];
  return FORM_FIELDS.filter((name) => was[name] !== is[name]);
}

/** What stands in the controls for a submission that was sent before. */
export function toFormValues(submission: Submission): FormValues {
  const { start, end, price, image, organizer } = submission;
  const stored: Readonly<Record<string, unknown>> = submission;
  const has_price = price.min !== null || price.max !== null;
  const values: Readonly<Partial<Record<string, string | number | null>>> = {
    start_date: start.slice(0, 10),
    start_time: start.slice(11),
    all_day: submission.all_day ? '1' : null,
    hour_unknown: submission.hour === 'unknown' ? '1' : null,
    end_date: end?.slice(0, 10),
    end_time: end?.slice(11),
    dates: submission.dates.join('\n'),
    price_kind: price.is_free ? 'free' : has_price ? 'fixed' : 'unknown',
    price_min: price.min,
    price_max: price.max,
    price_note: price.note,
    organizer_name: organizer.name,
    organizer_url: organizer.url,
    languages: submission.languages.join(','),
    image_url: image && 'url' in image ? image.url : null,
    picture_id: image && 'upload' in image ? image.upload : null,
    image_alt: image?.alt,
  };
  return Object.fromEntries(
    FORM_FIELDS.flatMap((name) => {
      const value = values[name] ?? stored[name];
      return (typeof value === 'string' && value !== '') || typeof value === 'number'
        ? [[name, String(value)]]
        : [];
    }),
  );
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
