// The form on the web: its own controls to the fields of a submission and back (decisions,
// Submissions 1).
import { parseDay } from '../cancun-time.ts';
import { listRepeatDays, type Repeat, REPEATS } from './repeat-days.ts';
import type { Submission, SubmissionIssue } from './submission.ts';
import { SUBMISSION_LIMITS } from './schema.ts';

/** Languages with a box to tick; `yua` is Yucatec Maya, `mfs` Mexican Sign Language. */
export const OFFERED_LANGUAGES = ['es', 'en', 'fr', 'yua', 'mfs'] as const;

export const PRICE_KINDS = ['free', 'fixed', 'unknown'] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];

/** The names of the controls, in the order of the page. */
export const FORM_FIELDS = [
  'title',
  'description',
  'category',
  'start_date',
  'start_time',
  'all_day',
  'end_date',
  'end_time',
  'repeat',
  'repeat_until',
  'dates',
  'venue',
  'venue_name',
  'venue_address',
  'zone',
  'price_kind',
  'price_min',
  'price_max',
  'price_note',
  'ticket_url',
  'registration_url',
  'organizer_name',
  'organizer_url',
  'source_url',
  'age_restriction',
  'languages',
  'image_url',
  'image_alt',
  'contact_email',
  'lang',
] as const;
export type FormField = (typeof FORM_FIELDS)[number];

/** What stands in the controls; several ticked languages are joined with commas. */
export type FormValues = Readonly<Partial<Record<FormField, string>>>;

/** Fields that the form passes on as they are. */
const SAME = [
  'lang',
  'title',
  'description',
  'category',
  'zone',
  'age_restriction',
  'languages',
  'image_alt',
  'organizer_name',
  'contact_email',
] as const satisfies readonly FormField[];
const ADDRESSES = [
  'ticket_url',
  'registration_url',
  'image_url',
  'organizer_url',
  'source_url',
] as const satisfies readonly FormField[];

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
const textOf = (values: FormValues, name: FormField): string => (values[name] ?? '').trim();

/** The fields of a submission from the controls. */
export function toSubmissionInput(values: FormValues): FormInput {
  const issues: SubmissionIssue[] = [];
  const input: Record<string, string> = {};
  for (const name of SAME) input[name] = textOf(values, name);
  for (const name of ADDRESSES) input[name] = toAddress(textOf(values, name));
  Object.assign(input, toMoments(values, issues), toPlace(values, issues), toPrice(values, issues));
  return {
    input: Object.fromEntries(Object.entries(input).filter(([, text]) => text !== '')),
    issues,
  };
}

/** `colectivo.mx/fiesta` is what people write. */
const toAddress = (text: string): string =>
  /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(text) ? `https://${text}` : text;

/** `24/12/2026` means the same day as `2026-12-24`. */
const toIsoDay = (text: string): string =>
  text.replace(
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

function toMoments(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const [start_day, start_hour] = [
    toIsoDay(textOf(values, 'start_date')),
    textOf(values, 'start_time'),
  ];
  const [end_day, end_hour] = [toIsoDay(textOf(values, 'end_date')), textOf(values, 'end_time')];
  const all_day = textOf(values, 'all_day') !== '';
  const further = textOf(values, 'dates')
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(toIsoDay);
  const dates = [...further, ...toRepeated(values, start_day, issues)].join(',');
  if (all_day || start_day === '')
    return { start: start_day, end: end_day, all_day: all_day ? '1' : '', dates };
  if (start_hour === '') issues.push(issue('start_time', 'no_hour'));
  if (end_day !== '' && end_hour === '') issues.push(issue('end_time', 'no_hour'));
  return {
    start: start_hour === '' ? start_day : `${start_day}T${start_hour}`,
    end: toEnd(start_day, start_hour, end_day, end_hour),
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

function toRepeated(values: FormValues, start_day: string, issues: SubmissionIssue[]): string[] {
  const repeat = REPEATS.find((known): known is Repeat => known === textOf(values, 'repeat'));
  const first = parseDay(start_day);
  const is_bounded = textOf(values, 'repeat_until') !== '';
  if (!repeat && is_bounded) issues.push(issue('repeat', 'missing'));
  if (!repeat) return [];
  const until = parseDay(toIsoDay(textOf(values, 'repeat_until')));
  if (!until) issues.push(issue('repeat_until', is_bounded ? 'not_dates' : 'missing'));
  if (!first || !until) return [];
  const days = listRepeatDays(first, repeat, until, SUBMISSION_LIMITS.dates);
  if (days.length <= SUBMISSION_LIMITS.dates) return days;
  issues.push(issue('repeat_until', 'too_many', SUBMISSION_LIMITS.dates));
  return [];
}

/** A place of the list wins over one typed in beside it. */
function toPlace(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const venue = textOf(values, 'venue');
  if (venue === '' && textOf(values, 'venue_name') === '') issues.push(issue('venue', 'no_place'));
  return venue !== ''
    ? { venue }
    : { venue_name: textOf(values, 'venue_name'), venue_address: textOf(values, 'venue_address') };
}

/** `$1,500` is what people write. */
const toAmount = (text: string): string =>
  text
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}\b)/g, '')
    .replace(/\s*(mxn|pesos)\.?$/i, '');

function toPrice(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const kind = PRICE_KINDS.find((known) => known === textOf(values, 'price_kind'));
  const price_note = textOf(values, 'price_note');
  if (kind === undefined) issues.push(issue('price_kind', 'missing'));
  if (kind !== 'fixed') return { free: kind === 'free' ? '1' : '', price_note };
  const price_min = toAmount(textOf(values, 'price_min'));
  if (price_min === '') issues.push(issue('price_min', 'missing'));
  return { price_min, price_max: toAmount(textOf(values, 'price_max')), price_note };
}

/** The control beside which a fault of a submission's field is shown. */
export function toFormField(field: string): FormField {
  const own: Readonly<Record<string, FormField>> = {
    start: 'start_date',
    end: 'end_date',
    free: 'price_kind',
    repeats: 'repeat',
  };
  return own[field] ?? FORM_FIELDS.find((name) => name === field) ?? 'title';
}

/** The controls in which two texts of a submission differ, in the order of the page. */
export function listChangedFields(before: Submission, after: Submission): readonly FormField[] {
  const [was, is] = [toFormValues(before), toFormValues(after)];
  return FORM_FIELDS.filter((name) => was[name] !== is[name]);
}

/** What stands in the controls for a submission that was sent before. */
export function toFormValues(submission: Submission): FormValues {
  const { start, end, price, image, organizer } = submission;
  const kind: PriceKind = price.is_free
    ? 'free'
    : price.min === null && price.max === null
      ? 'unknown'
      : 'fixed';
  const values: Record<FormField, string | null> = {
    title: submission.title,
    description: submission.description,
    category: submission.category,
    start_date: start.slice(0, 10),
    start_time: start.slice(11),
    all_day: submission.all_day ? '1' : null,
    end_date: end?.slice(0, 10) ?? null,
    end_time: end?.slice(11) ?? null,
    repeat: null,
    repeat_until: null,
    dates: submission.dates.join('\n'),
    venue: submission.venue,
    venue_name: submission.venue_name,
    venue_address: submission.venue_address,
    zone: submission.zone,
    price_kind: kind,
    price_min: price.min === null ? null : String(price.min),
    price_max: price.max === null ? null : String(price.max),
    price_note: price.note,
    ticket_url: submission.ticket_url,
    registration_url: submission.registration_url,
    organizer_name: organizer.name,
    organizer_url: organizer.url,
    source_url: submission.source_url,
    age_restriction: submission.age_restriction,
    languages: submission.languages.join(','),
    image_url: image?.url ?? null,
    image_alt: image?.alt ?? null,
    contact_email: submission.contact_email,
    lang: submission.lang,
  };
  return Object.fromEntries(
    Object.entries(values).filter(([, text]) => text !== null && text !== ''),
  );
}
