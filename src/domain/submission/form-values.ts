// Form values: converts the controls of the web form to submission fields and back (contract 14.1).
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

/** Values of the form's controls; several checked languages are joined with commas. */
export type FormValues = Readonly<Partial<Record<FormField, string>>>;

/** Controls that are cleared if an editor or sender checks the box to remove the picture. */
const PICTURE_CONTROLS: ReadonlySet<FormField> = new Set(['picture_id', 'image_url']);

/** Selects the non-empty values of the form's controls from submitted or stored fields. */
export function selectFormValues(fields: ControlTexts | null): FormValues {
  if (fields === null) return {};
  const is_picture_removed = Boolean(fields.picture_drop);
  const texts: ControlTexts = {
    ...fields,
    dates: joinDateControls(fields),
    exceptions: splitDayList([fields.exceptions, fields[EXCEPTION_CONTROL]].join(',')).join('\n'),
  };
  return Object.fromEntries(
    FORM_FIELDS.flatMap((name) =>
      texts[name] && !(is_picture_removed && PICTURE_CONTROLS.has(name))
        ? [[name, texts[name]]]
        : [],
    ),
  );
}

/** Control that shows the issues of a field without a control of its own name. */
const ISSUE_CONTROLS: Readonly<Record<string, FormField>> = {
  start: 'start_date',
  end: 'end_date',
  hour: 'hour_unknown',
  free: 'price_kind',
  repeats: 'repeat',
  hours: 'dates',
  venue: 'venue_name',
};

/** Returns the control that shows an issue of a submission field. */
export const controlOfField = (field: string): FormField =>
  ISSUE_CONTROLS[field] ?? FORM_FIELDS.find((name) => name === field) ?? 'title';

const trimmedText = (values: ControlTexts, name: string): string => (values[name] ?? '').trim();

const SAME_NAME_CONTROLS = selectControls(
  FORM_FIELDS.filter((name) => Object.hasOwn(SUBMISSION_FIELD_TABLE, name)),
);

/**
 * Converts the form to the `input` of parseSubmission, and returns the issues that only the form
 * can have. Controls with the name of a field are passed on unchanged, except that links get a
 * missing `https://`.
 * @param listDays replaces expandFurtherDays, which expands the further dates.
 */
export function formToSubmissionInput(values: FormValues, listDays?: typeof expandFurtherDays) {
  const issues: SubmissionIssue[] = [];
  const input: Record<string, string> = {};
  for (const { name, kind } of SAME_NAME_CONTROLS) {
    const text = trimmedText(values, name);
    input[name] = kind === 'url' ? normalizeUrl(text) : text;
  }
  Object.assign(
    input,
    parseFormDates(values, issues, listDays),
    parseVenueControls(values, issues),
    parsePriceControls(values, issues),
  );
  return {
    input: Object.fromEntries(Object.entries(input).filter(([, text]) => text !== '')),
    issues,
  };
}

/** Converts the venue controls. A selected venue takes precedence over a typed one. */
function parseVenueControls(values: FormValues, issues: SubmissionIssue[]): Record<string, string> {
  const venue = trimmedText(values, 'venue');
  if (venue === '' && trimmedText(values, 'venue_name') === '')
    issues.push(createIssue('venue', 'no_place'));
  return venue !== '' ? { venue, venue_name: '', venue_address: '' } : { venue };
}

/** The town's currency, or € or £, after an amount. */
const CURRENCY_SUFFIX = new RegExp(
  `\\s*(${[TOWN.currency.code, ...Object.values(TOWN.currency.name)].join('|')}|[€£])\\.?$`,
  'i',
);

/** Normalizes amounts such as `$1,500` and `15,50 €`. */
const normalizeAmount = (text: string): string =>
  text
    .replace(/^[$€£]\s*/, '')
    .replace(/,(?=\d{3}\b)/g, '')
    .replace(CURRENCY_SUFFIX, '')
    .replace(/,(?=\d\d?$)/, '.');

/** Two amounts in one text: `80-250`, `$80 a $250`. */
const RANGE_PATTERN = /^(\S*\d)\s*[€£]?\s*(?:[-–]|\ba\b|\bto\b)\s*(\S*\d.*)$/i;
/** A minimum without a maximum: `desde 80`. */
const MINIMUM_PATTERN = /^(?:desde|from)\s+(\S*\d.*)$/i;
const MINIMUM_WORDS = { es: 'desde', en: 'from' } as const satisfies Record<Lang, string>;

/**
 * Converts the price controls, of the form or of a whole imported calendar, to submission fields.
 */
export function parsePriceControls(
  values: ControlTexts,
  issues: SubmissionIssue[],
): Readonly<Record<string, string>> {
  const min_text = trimmedText(values, 'price_min');
  const max_text = trimmedText(values, 'price_max');
  const selected = PRICE_KINDS.find((name) => name === trimmedText(values, 'price_kind'));
  // Amounts without a selected kind are a fixed price.
  const kind = selected ?? (min_text + max_text === '' ? undefined : 'fixed');
  if (kind === undefined) issues.push(createIssue('price_kind', 'missing'));
  if (kind !== 'fixed') return { free: kind === 'free' ? '1' : '', price_min: '', price_max: '' };
  if (min_text === '') issues.push(createIssue('price_min', 'missing'));
  const [, minimum] = max_text === '' ? (MINIMUM_PATTERN.exec(min_text) ?? []) : [];
  if (minimum !== undefined) return { price_min: normalizeAmount(minimum), price_max: '' };
  const [, lowest, highest] = max_text === '' ? (RANGE_PATTERN.exec(min_text) ?? []) : [];
  // A single amount is both minimum and maximum. A text without digits is only the minimum, to
  // report it once.
  const maximum = highest ?? (max_text || (/\d/.test(min_text) ? min_text : ''));
  return { price_min: normalizeAmount(lowest ?? min_text), price_max: normalizeAmount(maximum) };
}

/** Lists the controls in which two versions of a submission differ, in the order of the page. */
export const listChangedControls = (before: FormValues, after: FormValues): readonly FormField[] =>
  FORM_FIELDS.filter((name) => (before[name] ?? '') !== (after[name] ?? ''));

/** Formats the further dates, one per line, with the hours of those that have their own. */
function formatFurtherDates({ dates, hours = [] }: Submission): string {
  const days_with_hours = new Set(hours.map(({ date }) => date));
  return formatDateRows([
    ...dates
      .filter((day) => !days_with_hours.has(day))
      .map((day) => ({ day, from: '', until: '' })),
    ...hours.map(({ date, start, end }) => ({ day: date, from: start, until: end ?? '' })),
  ]);
}

/** Converts a stored submission to the values of the form's controls. */
export function submissionToForm(submission: Submission): FormValues {
  const { start, end, price, image, organizer } = submission;
  const { min, max } = price;
  const paid_or_unknown = min !== null || max !== null ? 'fixed' : 'unknown';
  const is_minimum_only = min !== null && max === null;
  const values: Readonly<Record<string, unknown>> = {
    ...submission,
    ...datesToControls(start, end),
    all_day: submission.all_day ? '1' : null,
    hour_unknown: submission.hour === 'unknown' ? '1' : null,
    dates: formatFurtherDates(submission),
    open_end: submission.open_end ? '1' : null,
    family: submission.family ? '1' : null,
    price_kind: price.is_free ? 'free' : paid_or_unknown,
    price_min: is_minimum_only ? `${MINIMUM_WORDS[submission.lang]} ${min}` : min,
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
      const is_text_or_number = typeof value === 'string' || typeof value === 'number';
      return is_text_or_number && value !== '' ? [[name, String(value)]] : [];
    }),
  );
}

/** Fields that a new value of a field replaces, because both together are contradictory. */
const REPLACED_FIELDS: Readonly<Record<string, readonly string[]>> = {
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

/** Converts a stored submission to the non-empty texts of its fields, as a channel submits them. */
export const submissionToFields = (submission: Submission): Readonly<Record<string, string>> =>
  formToSubmissionInput(submissionToForm(submission)).input;

const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

/**
 * Merges the changed fields of an amendment into a stored submission, and removes the fields that
 * they replace. An empty text or null clears a field.
 */
export function mergeAmendment(
  submission: Submission,
  changed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const replaced = Object.keys(changed).flatMap((name) =>
    hasValue(changed[name]) && Object.hasOwn(REPLACED_FIELDS, name)
      ? (REPLACED_FIELDS[name] ?? [])
      : [],
  );
  // An hour in the new start overrides `all_day` and an unknown hour.
  const has_hour = typeof changed.start === 'string' && changed.start.includes('T');
  const removed = new Set([...replaced, ...(has_hour ? ['all_day', 'hour'] : [])]);
  const unchanged = Object.entries(submissionToFields(submission)).filter(
    ([name]) => !removed.has(name),
  );
  return { ...Object.fromEntries(unchanged), ...changed };
}
