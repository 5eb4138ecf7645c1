// What the fields of content files have in common: texts, days, hours, addresses, money, and where a
// fact comes from.
import * as v from 'valibot';
import { parseDay } from '../domain/cancun-time.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { byLang, LANGS } from '../domain/lang.ts';

/** Most characters of each kind of text, most entries of each kind of list. */
export const MAX = {
  name: 160,
  title: 160,
  summary: 400,
  text: 4000,
  url: 500,
  list: 24,
  dates: 400,
  holidays: 60,
} as const;

/** One line of at most `max` characters. */
export const line = (max: number) =>
  v.pipe(
    v.string('must be text'),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
    v.regex(
      /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u,
      'must be one line without control or direction characters',
    ),
    v.transform(toCleanLine),
    v.minLength(1, 'must not be empty'),
  );
/** Lines and paragraphs of at most 4,000 characters. */
export const paragraphs = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(MAX.text, `must have at most ${MAX.text} characters`),
  v.transform(toCleanText),
  v.minLength(1, 'must not be empty'),
  v.metadata({ control: 'area' }),
);
/** A text in every language. */
export const local = <T extends v.GenericSchema<string, string>>(text: T) =>
  v.strictObject(
    byLang(() => text),
    `must have ${LANGS.join(' and ')}`,
  );

/** An http or https address. */
export const url = v.pipe(
  line(MAX.url),
  v.check(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    'must be an address that begins with https:// or http://',
  ),
);
/** Lower-case words joined by hyphens. */
export const slug = v.pipe(
  line(80),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words of a-z and 0-9 joined by hyphens'),
  v.metadata({ control: 'word' }),
);
/** The name of another file of content, without its ending. */
export const fileName = v.pipe(
  line(80),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be the name of a file there, without .yml'),
);
/** A day that exists, YYYY-MM-DD. */
export const day = v.pipe(
  v.string('must be a day as YYYY-MM-DD'),
  v.check((t) => parseDay(t) !== null, 'must be a day that exists, as YYYY-MM-DD'),
  v.metadata({ control: 'date' }),
);
/** A local time, `HH:MM`. */
export const hour = v.pipe(
  v.string('must be a time in quotes, as "19:30"'),
  v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59, as "19:30"'),
  v.metadata({ control: 'time' }),
);
/** How many days something lasts. */
export const days = v.pipe(
  v.number('must be a number of days'),
  v.integer('must be whole'),
  v.minValue(1, 'must be 1 or more'),
  v.maxValue(366, 'must be 366 or less'),
);
/** At most `max` entries. */
export const list = <T extends v.GenericSchema>(item: T, max: number = MAX.list) =>
  v.pipe(v.array(item, 'must be a list'), v.maxLength(max, `must have at most ${max} entries`));

/** Where a fact comes from, when that was published and when somebody last looked. */
export const provenance = {
  sources: v.pipe(
    list(
      v.strictObject({
        url: v.optional(url),
        name: v.optional(line(MAX.text)),
        published: v.optional(day),
        checked: day,
      }),
    ),
    v.minLength(1, 'must name at least one source'),
  ),
  confidence: v.picklist(['high', 'medium', 'low'], 'must be high, medium or low'),
  /** For editors only; never shown. */
  editor_note: v.optional(paragraphs),
};
/** What a thing is called by programs. */
const id = v.pipe(line(40), v.regex(/^[a-z]{2}_[a-z0-9]+$/, 'must look like ev_ab12cd34ef'));
export const identity = {
  id: v.optional(id),
  slug: v.optional(local(slug)),
  former_slugs: v.optional(list(slug), []),
};
/** One that is there, by its id. */
export const placeId = (control: 'venue' | 'organizer') =>
  v.pipe(
    v.string('must be chosen'),
    v.regex(/^[a-z]{2}_[a-z0-9]+$/, 'must be one that is there'),
    v.metadata({ control }),
  );
/** Of two that turned out to be one: which lead here, and where this one leads with its events. */
export const joined = (kind: 'venue' | 'organizer') => ({
  former_ids: v.optional(list(id), []),
  same_as: v.optional(placeId(kind)),
});

/** Money, in units of its currency. */
export const amount = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must be 0 or more'),
  v.maxValue(1_000_000, 'must be at most 1000000'),
);
/** Latitude or longitude. */
export const degrees = (limit: number) =>
  v.pipe(
    v.number('must be a number'),
    v.minValue(-limit, `must be ${-limit} or more`),
    v.maxValue(limit, `must be ${limit} or less`),
  );
export const currencyCode = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a code such as MXN'));
export const currency = v.optional(currencyCode, 'MXN');
