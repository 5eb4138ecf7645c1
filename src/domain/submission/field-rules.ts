// How a value of a submission is read: text, name, day, address, price (contract 14.1).
import * as v from 'valibot';
import { formatTimestamp, OFFSET_PATTERN, parseDay } from '../local-time.ts';
import { cleanLine, cleanText } from '../clean-text.ts';
import { isFileName } from './links.ts';

/** Most characters of each kind of text, most entries of each list, most money. */
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
 * Why a field is not accepted: each has its sentence in i18n, `submission.issue.<rule>`; `{limit}`
 * where there is a number.
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

/** What stands in controls, by name; what is empty may be left out. */
export type ControlTexts = Readonly<Partial<Record<string, string>>>;

/** `{limit}` and `{accepted}` of the rule's sentence. */
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

/** What a schema refuses; `field` where that names none. */
export function issueFromSchema(found: v.BaseIssue<unknown>, field: string): SubmissionIssue {
  const rule = SUBMISSION_ISSUE_CODES.find((known) => known === found.message) ?? 'missing';
  const limit = typeof found.requirement === 'number' ? found.requirement : null;
  return createIssue(v.getDotPath(found) ?? field, rule, limit);
}

/** One box, and nothing that a mail program would read as several (WHATWG HTML, e-mail state). */
export const EMAIL_PATTERN =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

export const lineSchema = (max: number) =>
  v.pipe(
    v.string('missing'),
    v.transform(cleanLine),
    v.minLength(1, 'missing'),
    v.maxLength(max, 'too_long'),
  );
/** A name or a text without a letter or digit says nothing, however many characters it has. */
const hasWords = (text: string): boolean => text === '' || /[\p{L}\p{N}]/u.test(text);
/** One line that says something. */
export const nameSchema = (max: number) => v.pipe(lineSchema(max), v.check(hasWords, 'missing'));
const splitList = (text: string): string[] => text.split(/[,;\s]+/).filter((part) => part !== '');

const OWN_OFFSET = new RegExp(`${OFFSET_PATTERN}$`);

const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d)?$/.test(text) &&
  parseDay(text.slice(0, 10)) !== null;

/** `2026-12-05T20:00`, or the day alone; seconds and the town's own offset are dropped. */
export const localDateTimeSchema = v.pipe(
  lineSchema(40),
  v.transform((said) => {
    const text = said.replace(' ', 'T');
    const wall = text.replace(OWN_OFFSET, '').replace(/(T\d{2}:\d{2}):\d{2}(\.\d+)?$/, '$1');
    // An offset may be that of the other half of the year.
    return isMoment(wall) && OWN_OFFSET.test(text)
      ? formatTimestamp(Date.parse(text)).slice(0, 16)
      : wall;
  }),
  v.check(isMoment, 'not_moment'),
);
/**
 * A name that the world resolves: no number, no machine of somebody's own network, nobody's password before it.
 */
const isPublicHost = ({ hostname, username, password }: URL): boolean =>
  username === '' &&
  password === '' &&
  /\.\p{L}[\p{L}\p{N}-]*\.?$/u.test(hostname) &&
  !/\.(local|localhost|internal|lan|home\.arpa)\.?$/.test(hostname);
const address = v.pipe(
  lineSchema(MAX.url),
  v.check((text) => !/^https?:\/\/[^/?#]+$/i.test(text) || !isFileName(text), 'is_file'),
  v.check(
    (text) =>
      /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text) && isPublicHost(new URL(text)),
    'not_address',
  ),
);
const amount = v.pipe(
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
/** The hours of one day, where they are not those of the first: local `HH:MM`. */
export const DayHoursSchema = v.object({
  date: v.string(),
  start: v.string(),
  end: v.nullable(v.string()),
});
const HOURS_OF_DAY =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?:\/((?:[01]\d|2[0-3]):[0-5]\d))?$/;
export const dayHoursListSchema = v.pipe(
  v.string('not_dates'),
  v.transform(splitList),
  v.maxLength(MAX.dates, 'too_many'),
  v.everyItem((part) => HOURS_OF_DAY.test(part), 'not_dates'),
  v.mapItems((part) => {
    const [, date = '', start = '', end] = HOURS_OF_DAY.exec(part) ?? [];
    return { date, start, end: end ?? null };
  }),
);
export const languageListSchema = v.pipe(
  v.string('not_codes'),
  v.transform((text) => splitList(text.toLowerCase())),
  v.maxLength(MAX.languages, 'too_many'),
  v.everyItem((code) => /^[a-z]{2,3}$/.test(code), 'not_codes'),
);

/** A kind of value: `rule` reads the text as sent, `schema` is its JSON Schema 2020-12. */
export const lineFieldType = (max: number) => ({
  rule: v.optional(lineSchema(max)),
  schema: { type: 'string', maxLength: max },
});
export const nameFieldType = (max: number) => ({
  ...lineFieldType(max),
  rule: v.optional(nameSchema(max)),
});
/** Lines and paragraphs that say something. */
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
  rule: v.optional(address),
  schema: { type: 'string', format: 'uri', maxLength: MAX.url },
};
export const AMOUNT_FIELD_TYPE = {
  rule: v.optional(amount),
  schema: { type: 'number', minimum: 0, maximum: MAX.amount },
};
export const EMAIL_FIELD_TYPE = {
  rule: v.optional(v.pipe(lineSchema(254), v.regex(EMAIL_PATTERN, 'not_email'))),
  schema: { type: 'string', format: 'email' },
};
