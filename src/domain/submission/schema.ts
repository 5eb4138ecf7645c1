// What somebody may send in to be published: one strict schema for the form and for enviar_evento
// (decisions, Submissions 1).
import * as v from 'valibot';
import { parseDay } from '../cancun-time.ts';
import { toCleanLine, toCleanText } from '../clean-text.ts';
import { LANGS } from '../lang.ts';

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

/**
 * Why a field is not accepted: each has its sentence in i18n, `submission.issue.<rule>`; `{limit}`
 * where there is a number.
 */
export const SUBMISSION_RULES = [
  'missing',
  'too_short',
  'too_long',
  'not_lang',
  'not_flag',
  'not_moment',
  'not_dates',
  'too_many',
  'not_address',
  'not_email',
  'not_amount',
  'not_codes',
  'past',
  'too_far',
  'ends_before',
  'unknown_taxon',
  'unknown_venue',
  'no_place',
  'free_with_price',
  'max_below_min',
  'too_many_links',
  'unknown_field',
  'no_hour',
] as const;
export type SubmissionRule = (typeof SUBMISSION_RULES)[number];

const line = (max: number) =>
  v.pipe(
    v.string('missing'),
    v.transform(toCleanLine),
    v.minLength(1, 'missing'),
    v.maxLength(max, 'too_long'),
  );
/** A name or a text without a letter or digit says nothing, however many characters it has. */
const hasWords = (text: string): boolean => text === '' || /[\p{L}\p{N}]/u.test(text);
const name = (max: number) => v.pipe(line(max), v.check(hasWords, 'missing'));
const flag = v.optional(
  v.pipe(
    v.picklist(['1', 'true', 'on', '0', 'false'], 'not_flag'),
    v.transform((word) => !['0', 'false'].includes(word)),
  ),
  '0',
);
const splitList = (text: string): string[] => text.split(/[,;\s]+/).filter((part) => part !== '');

/** `2026-12-05T20:00`, or the day alone; seconds and Cancún's own offset are dropped. */
const moment = v.pipe(
  line(40),
  v.transform((text) =>
    text
      .replace(' ', 'T')
      .replace(/-05:00$/, '')
      .replace(/(T\d{2}:\d{2}):\d{2}(\.\d+)?$/, '$1'),
  ),
  v.check(
    (text) =>
      /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d)?$/.test(text) &&
      parseDay(text.slice(0, 10)) !== null,
    'not_moment',
  ),
);
/**
 * A name that the world resolves: no number, no machine of somebody's own network, nobody's
 * password before it.
 */
const isPublicHost = ({ hostname, username, password }: URL): boolean =>
  username === '' &&
  password === '' &&
  /\.\p{L}[\p{L}\p{N}-]*\.?$/u.test(hostname) &&
  !/\.(local|localhost|internal|lan|home\.arpa)\.?$/.test(hostname);
const address = v.pipe(
  line(SUBMISSION_LIMITS.url),
  v.check(
    (text) =>
      /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text) && isPublicHost(new URL(text)),
    'not_address',
  ),
);
const amount = v.pipe(
  line(20),
  v.regex(/^\d+(\.\d{1,2})?$/, 'not_amount'),
  v.transform(Number),
  v.maxValue(SUBMISSION_LIMITS.amount, 'not_amount'),
);
const dates = v.pipe(
  v.string('not_dates'),
  v.transform(splitList),
  v.maxLength(SUBMISSION_LIMITS.dates, 'too_many'),
  v.everyItem((day) => parseDay(day) !== null, 'not_dates'),
);
const languages = v.pipe(
  v.string('not_codes'),
  v.transform((text) => splitList(text.toLowerCase())),
  v.maxLength(SUBMISSION_LIMITS.languages, 'too_many'),
  v.everyItem((code) => /^[a-z]{2,3}$/.test(code), 'not_codes'),
);

/** Every value is text, as a form sends it; what is empty is left out before. */
export const SubmissionSchema = v.strictObject(
  {
    lang: v.optional(v.picklist(LANGS, 'not_lang'), 'es'),
    title: v.pipe(name(SUBMISSION_LIMITS.title), v.minLength(3, 'too_short')),
    description: v.pipe(
      v.string('missing'),
      v.transform(toCleanText),
      v.check(hasWords, 'missing'),
      v.minLength(20, 'too_short'),
      v.maxLength(SUBMISSION_LIMITS.description, 'too_long'),
    ),
    category: line(SUBMISSION_LIMITS.slug),
    start: moment,
    end: v.optional(moment),
    all_day: flag,
    dates: v.optional(dates),
    repeats: v.optional(line(SUBMISSION_LIMITS.line)),
    venue: v.optional(line(SUBMISSION_LIMITS.slug)),
    venue_name: v.optional(name(SUBMISSION_LIMITS.name)),
    venue_address: v.optional(line(SUBMISSION_LIMITS.line)),
    zone: v.optional(line(SUBMISSION_LIMITS.slug)),
    free: flag,
    price_min: v.optional(amount),
    price_max: v.optional(amount),
    price_note: v.optional(line(SUBMISSION_LIMITS.name)),
    ticket_url: v.optional(address),
    registration_url: v.optional(address),
    image_url: v.optional(address),
    image_alt: v.optional(line(SUBMISSION_LIMITS.line)),
    age_restriction: v.optional(line(SUBMISSION_LIMITS.name)),
    languages: v.optional(languages),
    organizer_name: v.optional(name(SUBMISSION_LIMITS.name)),
    organizer_url: v.optional(address),
    source_url: v.optional(address),
    contact_email: v.optional(
      v.pipe(line(254), v.regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/, 'not_email')),
    ),
  },
  (issue) => (issue.expected === 'never' ? 'unknown_field' : 'missing'),
);

/** The same fields where some were at fault and are left out. */
export const SoundFieldsSchema = v.partial(SubmissionSchema);
export type SoundFields = v.InferOutput<typeof SoundFieldsSchema>;

export type SubmissionFields = v.InferOutput<typeof SubmissionSchema>;
export const SUBMISSION_FIELD_NAMES: readonly string[] = Object.keys(SubmissionSchema.entries);
