// Submission field rules: define a validation schema and a JSON Schema for each type of field:
// text, name, day, URL, price (contract 14.1).
import * as v from 'valibot';
import { formatTimestamp, OFFSET_PATTERN, parseDay } from '../local-time.ts';
import { cleanLine, cleanText } from '../clean-text.ts';
import { isFileName } from './links.ts';

/** Limits of submissions: characters per text, entries per list, highest amount. */
export const SUBMISSION_LIMITS = {
  title: 160,
  description: 4000,
  line: 300,
  name: 160,
  url: 500,
  slug: 80,
  dates: 60,
  languages: 8,
  amount: 1_000_000,
  links: 5,
} as const;
const MAX = SUBMISSION_LIMITS;

/**
 * Validation rules by which a field is rejected. Each has a message in i18n,
 * `submission.issue.<rule>`.
 */
export const SUBMISSION_ISSUE_CODES = [
  'missing',
  'too_short',
  'too_long',
  'not_lang',
  'not_flag',
  'not_moment',
  'not_dates',
  'too_many',
  'not_address',
  'is_file',
  'not_email',
  'not_amount',
  'not_codes',
  'past',
  'too_far',
  'ends_before',
  'unknown_taxon',
  'unknown_venue',
  'no_place',
  'online_link',
  'free_with_price',
  'free_with_cost_note',
  'max_below_min',
  'too_many_links',
  'first_left_out',
  'not_weekdays',
  'not_weekly',
  'fifth_weekday',
  'until_and_open',
  'unknown_field',
  'no_hour',
  'not_hour',
  'hour_and_time',
  'hour_and_all_day',
] as const;
export type SubmissionIssueCode = (typeof SUBMISSION_ISSUE_CODES)[number];

/** Texts of form controls by name; empty ones may be absent. */
export type ControlTexts = Readonly<Partial<Record<string, string>>>;

/**
 * An issue of a submission. `limit` and `accepted` fill in the placeholders of the rule's message.
 */
export interface SubmissionIssue {
  readonly field: string;
  readonly rule: SubmissionIssueCode;
  readonly limit: number | null;
  readonly accepted: readonly string[];
}

export const createIssue = (
  field: string,
  rule: SubmissionIssueCode,
  limit: number | null = null,
  accepted: readonly string[] = [],
): SubmissionIssue => ({ field, rule, limit, accepted });

/** Converts an issue of a schema; `field` is used if the issue has no path. */
export function issueFromSchema(issue: v.BaseIssue<unknown>, field: string): SubmissionIssue {
  const rule = SUBMISSION_ISSUE_CODES.find((code) => code === issue.message) ?? 'missing';
  const limit = typeof issue.requirement === 'number' ? issue.requirement : null;
  return createIssue(v.getDotPath(issue) ?? field, rule, limit);
}

/**
 * Exactly one email address, nothing that a mail program would parse as several (WHATWG HTML,
 * e-mail state).
 */
export const EMAIL_PATTERN =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

export const lineSchema = (max: number) =>
  v.pipe(
    v.string('missing'),
    v.transform(cleanLine),
    v.minLength(1, 'missing'),
    v.maxLength(max, 'too_long'),
  );
/** Tests for a letter or digit, without which a text is as good as missing. */
const hasWords = (text: string): boolean => text === '' || /[\p{L}\p{N}]/u.test(text);
/** One line with at least one letter or digit. */
export const nameSchema = (max: number) => v.pipe(lineSchema(max), v.check(hasWords, 'missing'));
const splitList = (text: string): string[] => text.split(/[,;\s]+/).filter((part) => part !== '');

const TOWN_OFFSET_PATTERN = new RegExp(`${OFFSET_PATTERN}$`);

const isDayOrDateTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d)?$/.test(text) &&
  parseDay(text.slice(0, 10)) !== null;

/** `2026-12-05T20:00`, or the day alone. Removes seconds and the town's own offset. */
export const localDateTimeSchema = v.pipe(
  lineSchema(40),
  v.transform((line) => {
    const text = line.replace(' ', 'T');
    const local = text
      .replace(TOWN_OFFSET_PATTERN, '')
      .replace(/(T\d{2}:\d{2}):\d{2}(\.\d+)?$/, '$1');
    // The offset may belong to the other half of the year (daylight saving time).
    return isDayOrDateTime(local) && TOWN_OFFSET_PATTERN.test(text)
      ? formatTimestamp(Date.parse(text)).slice(0, 16)
      : local;
  }),
  v.check(isDayOrDateTime, 'not_moment'),
);
/**
 * Tests for a public domain name, without credentials: not an IP address, not a host of a private
 * network.
 */
const isPublicHost = ({ hostname, username, password }: URL): boolean =>
  username === '' &&
  password === '' &&
  /\.\p{L}[\p{L}\p{N}-]*\.?$/u.test(hostname) &&
  !/\.(local|localhost|internal|lan|home\.arpa)\.?$/.test(hostname);
const urlSchema = v.pipe(
  lineSchema(MAX.url),
  v.check((text) => !/^https?:\/\/[^/?#]+$/i.test(text) || !isFileName(text), 'is_file'),
  v.check(
    (text) =>
      /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text) && isPublicHost(new URL(text)),
    'not_address',
  ),
);
const amountSchema = v.pipe(
  lineSchema(20),
  v.regex(/^\d+(\.\d{1,2})?$/, 'not_amount'),
  v.transform(Number),
  v.maxValue(MAX.amount, 'not_amount'),
);
export const dateListSchema = v.pipe(
  v.string('not_dates'),
  v.transform(splitList),
  v.maxLength(MAX.dates, 'too_many'),
  v.everyItem((day) => parseDay(day) !== null, 'not_dates'),
);
/** Hours of a single day that differ from the first day, local `HH:MM`. */
export const DayHoursSchema = v.object({
  date: v.string(),
  start: v.string(),
  end: v.nullable(v.string()),
});
const DAY_HOURS_PATTERN =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?:\/((?:[01]\d|2[0-3]):[0-5]\d))?$/;
export const dayHoursListSchema = v.pipe(
  v.string('not_dates'),
  v.transform(splitList),
  v.maxLength(MAX.dates, 'too_many'),
  v.everyItem((part) => DAY_HOURS_PATTERN.test(part), 'not_dates'),
  v.mapItems((part) => {
    const [, date = '', start = '', end] = DAY_HOURS_PATTERN.exec(part) ?? [];
    return { date, start, end: end ?? null };
  }),
);
export const languageListSchema = v.pipe(
  v.string('not_codes'),
  v.transform((text) => splitList(text.toLowerCase())),
  v.maxLength(MAX.languages, 'too_many'),
  v.everyItem((code) => /^[a-z]{2,3}$/.test(code), 'not_codes'),
);

/**
 * Field type of one line: `rule` parses the submitted text, `schema` is its JSON Schema 2020-12.
 */
export const lineFieldType = (max: number) => ({
  rule: v.optional(lineSchema(max)),
  schema: { type: 'string', maxLength: max },
});
export const nameFieldType = (max: number) => ({
  ...lineFieldType(max),
  rule: v.optional(nameSchema(max)),
});
/** Field type of several lines and paragraphs, with at least one letter or digit. */
export const textFieldType = (min: number, max: number) => ({
  rule: v.pipe(
    v.string('missing'),
    v.transform(cleanText),
    v.minLength(1, 'missing'),
    v.check(hasWords, 'missing'),
    v.minLength(min, 'too_short'),
    v.maxLength(max, 'too_long'),
  ),
  schema: { type: 'string', maxLength: max, minLength: min },
});
export const FLAG_FIELD_TYPE = {
  rule: v.optional(
    v.pipe(
      v.picklist(['1', 'true', 'on', '0', 'false'], 'not_flag'),
      v.transform((word) => !['0', 'false'].includes(word)),
    ),
    '0',
  ),
  schema: { type: 'boolean', default: false },
};
export const URL_FIELD_TYPE = {
  rule: v.optional(urlSchema),
  schema: { type: 'string', format: 'uri', maxLength: MAX.url },
};
export const AMOUNT_FIELD_TYPE = {
  rule: v.optional(amountSchema),
  schema: { type: 'number', minimum: 0, maximum: MAX.amount },
};
export const EMAIL_FIELD_TYPE = {
  rule: v.optional(v.pipe(lineSchema(254), v.regex(EMAIL_PATTERN, 'not_email'))),
  schema: { type: 'string', format: 'email' },
};
