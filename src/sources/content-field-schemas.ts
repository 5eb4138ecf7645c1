// Content field schemas: define the fields that content files share: texts, days, times, URLs,
// money, opening hours, prices and sources.
import * as v from 'valibot';
import { TOWN } from '../town.ts';
import { parseDay } from '../domain/local-time.ts';
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { byLang, LANGS } from '../domain/lang.ts';
import { numberSchema, oneOf, textSchema, HYPHENATED_WORDS_PATTERN } from '../yaml.ts';
import { findOverlappingRules, VISITORS, WEEKDAYS } from '../domain/opening-hours.ts';

/** Maximum characters of each kind of text, and maximum entries of each kind of list. */
export const MAX_LENGTHS = {
  name: 160,
  title: 160,
  summary: 400,
  text: 4000,
  url: 500,
  list: 24,
  dates: 400,
  holidays: 60,
} as const;

/** Builds the schema of a single line of text, cleaned and not empty. */
export const contentLineSchema = (max: number) =>
  v.pipe(
    textSchema(max),
    v.regex(
      /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u,
      'must be one line without control or direction characters',
    ),
    v.transform(cleanLine),
    v.minLength(1, 'must not be empty'),
  );
/** A text of several lines and paragraphs. `control`: its form control at the desk. */
export const paragraphsSchema = v.pipe(
  textSchema(MAX_LENGTHS.text),
  v.transform(cleanText),
  v.minLength(1, 'must not be empty'),
  v.metadata({ control: 'area' }),
);
/** Builds the schema of a text in every language. */
export const localTextOf = <T extends v.GenericSchema<string, string>>(text: T) =>
  v.strictObject(
    byLang(() => text),
    `must have ${LANGS.join(' and ')}`,
  );
export const optionalLocalLine = (max: number) => v.optional(localTextOf(contentLineSchema(max)));

export const urlSchema = v.pipe(
  contentLineSchema(MAX_LENGTHS.url),
  v.check(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    'must be an address that begins with https:// or http://',
  ),
);
const hyphenatedSchema = (message: string) =>
  v.pipe(contentLineSchema(80), v.regex(HYPHENATED_WORDS_PATTERN, message));
export const slugSchema = hyphenatedSchema(
  'must be lower-case words of a-z and 0-9 joined by hyphens',
);
/** The name of another content file, without its extension. */
export const fileNameSchema = hyphenatedSchema(
  'must be the name of a file in that folder, without .yml',
);
export const daySchema = v.pipe(
  v.string('must be a day as YYYY-MM-DD'),
  v.check((text) => parseDay(text) !== null, 'must be a day that exists, as YYYY-MM-DD'),
  v.metadata({ control: 'date' }),
);
export const timeSchema = v.pipe(
  v.string('must be a time in quotes, as "19:30"'),
  v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59, as "19:30"'),
  v.metadata({ control: 'time' }),
);
export const integerSchema = (min: number, max: number, message?: string) =>
  v.pipe(numberSchema(min, max, message), v.integer('must be whole'));
export const booleanSchema = v.boolean('must be true or false');
export const optionalBooleanSchema = v.optional(booleanSchema, false);
export const optionalTrueSchema = v.optional(v.literal(true, 'must be true, or omitted'));
export const listSchema = <T extends v.GenericSchema>(item: T, max: number = MAX_LENGTHS.list) =>
  v.pipe(v.array(item), v.maxLength(max, `must have at most ${max} entries`));
export const optionalListSchema = <T extends v.GenericSchema>(
  item: T,
  max: number = MAX_LENGTHS.list,
) => v.optional(listSchema(item, max), []);

/** A condition on several fields, with the field and message of the issue if it is false. */
type Rule<T> = readonly [field: keyof T & string, isValid: (value: T) => boolean, message: string];

/** Builds a check that adds an issue for each rule that a value breaks. */
export const crossFieldCheck = <T extends Record<string, unknown>>(rules: readonly Rule<T>[]) =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    for (const [key, isValid, message] of rules)
      if (!isValid(value))
        addIssue({
          message,
          path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }],
        });
  });

/** Builds a check that the first of two optional days is not after the second. */
export const ascendingDays = <T extends Record<string, unknown>>(
  first: keyof T & string,
  last: keyof T & string,
) =>
  crossFieldCheck<T>([
    [
      last,
      ({ [first]: first_day, [last]: last_day }) =>
        typeof first_day !== 'string' || typeof last_day !== 'string' || first_day <= last_day,
      `must not be before ${first}`,
    ],
  ]);

/** Sources of a fact, each with the day it was published and the day an editor last checked it. */
export const provenanceFields = {
  sources: v.pipe(
    listSchema(
      v.strictObject({
        url: v.optional(urlSchema),
        name: v.optional(contentLineSchema(MAX_LENGTHS.text)),
        published: v.optional(daySchema),
        checked: daySchema,
      }),
    ),
    v.minLength(1, 'must name at least one source'),
  ),
  confidence: oneOf(['high', 'medium', 'low']),
  /** For editors only; never shown. */
  editor_note: v.optional(paragraphsSchema),
};
const idSchema = v.pipe(
  contentLineSchema(40),
  v.regex(/^[a-z]{2}_[a-z0-9]+$/, 'must look like ev_ab12cd34ef'),
);
export const identityFields = {
  id: v.optional(idSchema),
  slug: v.optional(localTextOf(slugSchema)),
  former_slugs: optionalListSchema(slugSchema),
};
/** The id of an existing record. */
export const recordIdSchema = v.pipe(
  v.string('must be chosen'),
  v.regex(/^[a-z]{2}_[a-z0-9]+$/, 'must be one of the existing records'),
  v.metadata({ control: 'select' }),
);
/**
 * Merged duplicates: ids that redirect to this record, and the record that this one redirects to
 * with its events.
 */
export const mergeFields = {
  former_ids: optionalListSchema(idSchema),
  same_as: v.optional(recordIdSchema),
};

/** An amount of money, in units of its currency. */
const amountSchema = numberSchema(0, 1_000_000);
const currencySchema = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a code such as MXN'));
const visitorSchema = oneOf(VISITORS);
const weekdaysSchema = v.pipe(
  listSchema(oneOf(WEEKDAYS), WEEKDAYS.length),
  v.minLength(1, 'must name at least one day'),
  v.check((days) => new Set(days).size === days.length, 'names a day twice'),
);
const optionalTimeSchema = v.optional(v.nullable(timeSchema), null);
const optionalDaySchema = v.optional(v.nullable(daySchema), null);
const optionalNoteSchema = v.optional(
  v.nullable(localTextOf(contentLineSchema(MAX_LENGTHS.summary))),
  null,
);

type OpeningTimes = Record<string, unknown> & {
  readonly open: string | null;
  readonly close: string | null;
};
const openingTimesCheck = <T extends OpeningTimes>() =>
  crossFieldCheck<T>([
    ['close', ({ open, close }) => close === null || open !== null, 'needs an open'],
    [
      'close',
      ({ open, close }) => close === null || close !== open,
      'must not be the hour of open',
    ],
  ]);

/** Returns true if the last entry is after opening and by closing, which may be the next day. */
export function isEntryWhileOpen(
  open: string | null,
  close: string | null,
  last_entry: string | null,
) {
  if (last_entry === null) return true;
  if (open === null) return false;
  if (close === null) return last_entry > open;
  return close > open
    ? last_entry > open && last_entry <= close
    : last_entry > open || last_entry <= close;
}

const OpeningRuleSchema = v.pipe(
  v.strictObject({
    days: weekdaysSchema,
    /** If omitted, the venue is open on these days at unknown hours. */
    open: optionalTimeSchema,
    /** On the next day if before `open`; unknown if omitted. */
    close: optionalTimeSchema,
    last_entry: optionalTimeSchema,
    /** First and last day of the rule, both inclusive; unlimited if omitted. */
    since: optionalDaySchema,
    until: optionalDaySchema,
  }),
  openingTimesCheck(),
  crossFieldCheck([
    [
      'last_entry',
      (rule) => isEntryWhileOpen(rule.open, rule.close, rule.last_entry),
      'must be between open and close',
    ],
  ]),
  ascendingDays('since', 'until'),
);

/** Opening hours of a venue; build-records.ts validates the holiday keys in `closed_on`. */
export const ContentHoursSchema = v.pipe(
  v.strictObject({
    rules: v.pipe(listSchema(OpeningRuleSchema), v.minLength(1, 'must have at least one rule')),
    /** Days that differ from their weekday; closed if `open` is omitted. */
    exceptions: optionalListSchema(
      v.pipe(
        v.strictObject({
          date: daySchema,
          open: optionalTimeSchema,
          close: optionalTimeSchema,
          note: optionalNoteSchema,
        }),
        openingTimesCheck(),
      ),
      MAX_LENGTHS.dates,
    ),
    closed_on: optionalListSchema(contentLineSchema(80)),
    /** `open` if the hours also apply on rest days (domain/day/rest-days.ts). */
    quiet_days: v.optional(v.picklist(['open'], 'must be open, or be omitted')),
    /** Weekdays with free admission for some kinds of visitors. */
    free: optionalListSchema(
      v.strictObject({
        days: weekdaysSchema,
        visitors: v.pipe(
          listSchema(visitorSchema),
          v.minLength(1, 'must have at least one kind of visitor'),
        ),
      }),
    ),
    note: optionalNoteSchema,
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { rules } = dataset.value;
    const [first_index, second_index] = findOverlappingRules(rules) ?? [];
    if (second_index === undefined) return;
    const object = { type: 'object', origin: 'value', input: { ...dataset.value } } as const;
    const array = { type: 'array', origin: 'value', input: [...rules] } as const;
    addIssue({
      message: `overlaps the hours of rules[${first_index}] on the same day`,
      path: [
        { ...object, key: 'rules', value: rules },
        { ...array, key: second_index, value: rules[second_index] },
      ],
    });
  }),
  crossFieldCheck([
    [
      'exceptions',
      ({ exceptions }) => new Set(exceptions.map(({ date }) => date)).size === exceptions.length,
      'names a date twice',
    ],
  ]),
);

/** The price of admission for one kind of visitor; 0 is free. */
export const ContentAdmissionSchema = v.strictObject({
  visitor: visitorSchema,
  amount: amountSchema,
  currency: v.optional(currencySchema, TOWN.currency.code),
  note: optionalNoteSchema,
});

const PRICE_MESSAGE = 'must be free, unknown, or have min, max, currency, visitors, note';
const COMPUTED_FROM_VISITORS_MESSAGE = 'is computed from visitors: omit it';

/** Price amounts. The price is unknown if min, max and visitors are omitted, even with a note. */
const AmountsSchema = v.pipe(
  v.strictObject(
    {
      min: v.optional(amountSchema),
      max: v.optional(amountSchema),
      /** The town's currency if omitted. */
      currency: v.optional(currencySchema),
      visitors: v.optional(
        v.pipe(
          listSchema(ContentAdmissionSchema),
          v.minLength(1, 'must have at least one kind of visitor'),
        ),
      ),
      note: optionalLocalLine(MAX_LENGTHS.name),
    },
    PRICE_MESSAGE,
  ),
  crossFieldCheck([
    [
      'min',
      ({ min, max }) => min === undefined || max === undefined || min <= max,
      'is above max: swap them',
    ],
    [
      'min',
      ({ visitors, min }) => visitors === undefined || min === undefined,
      COMPUTED_FROM_VISITORS_MESSAGE,
    ],
    [
      'max',
      ({ visitors, max }) => visitors === undefined || max === undefined,
      COMPUTED_FROM_VISITORS_MESSAGE,
    ],
    [
      'currency',
      ({ visitors, currency }) => visitors === undefined || currency === undefined,
      COMPUTED_FROM_VISITORS_MESSAGE,
    ],
    [
      'visitors',
      ({ visitors = [] }) => new Set(visitors.map(({ currency }) => currency)).size <= 1,
      'must be in one currency',
    ],
  ]),
);
const PriceWordSchema = v.picklist(['free', 'unknown'], PRICE_MESSAGE);

/** A price as a keyword or amounts. Lazy, not a union, so that issues name the field at fault. */
export const ContentPriceSchema = v.lazy((price) =>
  typeof price === 'string' ? PriceWordSchema : AmountsSchema,
);
