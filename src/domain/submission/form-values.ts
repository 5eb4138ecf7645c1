// The form on the web: its own controls to the fields of a submission and back (contract 14.1).
import { TOWN } from '../../town.ts';
import type { Lang } from '../lang.ts';
import {
  SUBMISSION_FIELD_TABLE,
  FORM_FIELDS,
  type FormField,
  selectControls,
  PRICE_KINDS,
} from './fields.ts';
import { normalizeUrl } from './links.ts';
import { type SubmissionIssue, type ControlTexts, createIssue } from './field-rules.ts';
import type { Submission } from './submission.ts';
import {
  EXCEPTION_CONTROL,
  type expandFurtherDays,
  parseFormDates,
  joinDateControls,
  splitDayList,
  formatDateRows,
  datesToControls,
} from './form-dates.ts';

/** What stands in the controls; several ticked languages are joined with commas. */
export type FormValues = Readonly<Partial<Record<FormField, string>>>;

/** What an editor or a sender who ticks that it be left out does without. */
const DROPPED: ReadonlySet<FormField> = new Set(['picture_id', 'image_url']);

/** What of sent or stored fields belongs to controls, and is not empty. */
export function selectFormValues(fields: ControlTexts | null): FormValues {
  if (fields === null) return {};
  const is_dropped = Boolean(fields.picture_drop);
  const sent: ControlTexts = {
    ...fields,
    dates: joinDateControls(fields),
    exceptions: splitDayList([fields.exceptions, fields[EXCEPTION_CONTROL]].join(',')).join('\n'),
  };
  return Object.fromEntries(
    FORM_FIELDS.flatMap((name) =>
      sent[name] && !(is_dropped && DROPPED.has(name)) ? [[name, sent[name]]] : [],
    ),
  );
}

const BESIDE: Readonly<Record<string, FormField>> = {
  start: 'start_date',
  end: 'end_date',
  hour: 'hour_unknown',
  free: 'price_kind',
  repeats: 'repeat',
  hours: 'dates',
  venue: 'venue_name',
};

/** The control beside which an issue of a submission's field is shown. */
export const controlOfField = (field: string): FormField =>
  BESIDE[field] ?? FORM_FIELDS.find((name) => name === field) ?? 'title';

const textOf = (values: ControlTexts, name: string): string => (values[name] ?? '').trim();

const OWN_CONTROLS = selectControls(
  FORM_FIELDS.filter((name) => Object.hasOwn(SUBMISSION_FIELD_TABLE, name)),
);

/**
 * The `input` of parseSubmission, and what only the form can be wrong about. Controls of a field's own name are passed
 * on as they are, links with `https://` where it is missing.
 */
export function formToSubmissionInput(values: FormValues, listDays?: typeof expandFurtherDays) {
  const issues: SubmissionIssue[] = [];
  const input: Record<string, string> = {};
  for (const { name, kind } of OWN_CONTROLS) {
    const text = textOf(values, name);
    input[name] = kind === 'url' ? normalizeUrl(text) : text;
  }
  Object.assign(
    input,
    parseFormDates(values, issues, listDays),
    toPlace(values, issues),
    parsePriceControls(values, issues),
  );
  return {
    input: Object.fromEntries(Object.entries(input).filter(([, text]) => text !== '')),
    issues,
  };
}

/** A place of the list wins over one typed in beside it. */
function toPlace(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const venue = textOf(values, 'venue');
  if (venue === '' && textOf(values, 'venue_name') === '')
    issues.push(createIssue('venue', 'no_place'));
  return venue !== '' ? { venue, venue_name: '', venue_address: '' } : { venue };
}

/** The town's money behind an amount. */
const OWN_MONEY = new RegExp(
  `\\s*(${[TOWN.currency.code, ...Object.values(TOWN.currency.name)].join('|')}|[€£])\\.?$`,
  'i',
);

/** `$1,500`, `15,50 €` are what people write. */
const toAmount = (text: string): string =>
  text
    .replace(/^[$€£]\s*/, '')
    .replace(/,(?=\d{3}\b)/g, '')
    .replace(OWN_MONEY, '')
    .replace(/,(?=\d\d?$)/, '.');

/** `80-250`, `$80 a $250`: both in one. */
const RANGE = /^(\S*\d)\s*[€£]?\s*(?:[-–]|\ba\b|\bto\b)\s*(\S*\d.*)$/i;
/** `desde 80`: nobody says up to what. */
const OPEN = /^(?:desde|from)\s+(\S*\d.*)$/i;
const OPEN_WORDS = { es: 'desde', en: 'from' } as const satisfies Record<Lang, string>;

/** The fields of what is typed about a price, in the form or for a whole calendar. */
export function parsePriceControls(
  values: ControlTexts,
  issues: SubmissionIssue[],
): Readonly<Record<string, string>> {
  const [from, to] = [textOf(values, 'price_min'), textOf(values, 'price_max')];
  const chosen = PRICE_KINDS.find((known) => known === textOf(values, 'price_kind'));
  const kind = chosen ?? (from + to === '' ? undefined : 'fixed');
  if (kind === undefined) issues.push(createIssue('price_kind', 'missing'));
  if (kind !== 'fixed') return { free: kind === 'free' ? '1' : '', price_min: '', price_max: '' };
  if (from === '') issues.push(createIssue('price_min', 'missing'));
  const [, open] = to === '' ? (OPEN.exec(from) ?? []) : [];
  if (open !== undefined) return { price_min: toAmount(open), price_max: '' };
  const [, lowest, highest] = to === '' ? (RANGE.exec(from) ?? []) : [];
  // One amount is the price; what is none is wrong once.
  const most = highest ?? (to || (/\d/.test(from) ? from : ''));
  return { price_min: toAmount(lowest ?? from), price_max: toAmount(most) };
}

/** The controls in which two texts of a submission differ, in the order of the page. */
export const listChangedControls = (was: FormValues, is: FormValues): readonly FormField[] =>
  FORM_FIELDS.filter((name) => (was[name] ?? '') !== (is[name] ?? ''));

/** The further dates a line each, with the hours of those that have their own. */
function toDateText({ dates, hours = [] }: Submission): string {
  const own = new Set(hours.map(({ date }) => date));
  return formatDateRows([
    ...dates.filter((day) => !own.has(day)).map((day) => ({ day, from: '', until: '' })),
    ...hours.map(({ date, start, end }) => ({ day: date, from: start, until: end ?? '' })),
  ]);
}

/** What stands in the controls for a submission that was sent before. */
export function submissionToForm(submission: Submission): FormValues {
  const { start, end, price, image, organizer } = submission;
  const { min, max } = price;
  const has_price = min !== null || max !== null;
  const is_open = min !== null && max === null;
  const values: Readonly<Record<string, unknown>> = {
    ...submission,
    ...datesToControls(start, end),
    all_day: submission.all_day ? '1' : null,
    hour_unknown: submission.hour === 'unknown' ? '1' : null,
    dates: toDateText(submission),
    open_end: submission.open_end ? '1' : null,
    family: submission.family ? '1' : null,
    price_kind: price.is_free ? 'free' : has_price ? 'fixed' : 'unknown',
    price_min: is_open ? `${OPEN_WORDS[submission.lang]} ${min}` : min,
    price_max: max === min ? null : max,
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
      const value = values[name];
      const is_said = typeof value === 'string' || typeof value === 'number';
      return is_said && value !== '' ? [[name, String(value)]] : [];
    }),
  );
}

/** What a field takes the place of: two places, or a price of what is free, cannot both be meant. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  venue: ['venue_name', 'venue_address'],
  venue_name: ['venue', 'venue_address'],
  free: ['price_min', 'price_max'],
  price_min: ['free'],
  price_max: ['free'],
  image_url: ['picture_id', 'image_alt'],
  dates: ['hours'],
  repeat: ['dates', 'hours'],
  repeat_until: ['open_end'],
};

/** The fields of a submission as texts, as they are sent in; those without a value are left out. */
export const submissionToFields = (submission: Submission): Readonly<Record<string, string>> =>
  formToSubmissionInput(submissionToForm(submission)).input;

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

/**
 * What was sent before, what is given now over it, and without what that takes the place of: for a sender who
 * says only what changes. An empty text or null empties a field.
 */
export function mergeAmendment(
  submission: Submission,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const replaced = Object.keys(given).flatMap((name) =>
    isGiven(given[name]) && Object.hasOwn(REPLACED, name) ? (REPLACED[name] ?? []) : [],
  );
  // An hour in the new start says that neither the whole day nor an unknown hour is meant.
  const has_hour = typeof given.start === 'string' && given.start.includes('T');
  const left_out = new Set([...replaced, ...(has_hour ? ['all_day', 'hour'] : [])]);
  const kept = Object.entries(submissionToFields(submission)).filter(
    ([name]) => !left_out.has(name),
  );
  return { ...Object.fromEntries(kept), ...given };
}
