// The fields that files of content share: texts, days, hours, addresses, money, opening hours, prices,
// and where a fact comes from.
import * as v from 'valibot';
import { TOWN } from '../town.ts';
import { parseDay } from '../domain/local-time.ts';
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { byLang, LANGS } from '../domain/lang.ts';
import { numberSchema, oneOf, textSchema, HYPHENATED_WORDS_PATTERN } from '../yaml.ts';
import { findOverlappingRules, VISITORS, WEEKDAYS } from '../domain/opening-hours.ts';

/** Most characters of each kind of text, most entries of each kind of list. */
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
/** Lines and paragraphs. */
export const paragraphsSchema = v.pipe(
  textSchema(MAX_LENGTHS.text),
  v.transform(cleanText),
  v.minLength(1, 'must not be empty'),
  v.metadata({ control: 'area' }),
);
/** A text in every language. */
export const localTextOf = <T extends v.GenericSchema<string, string>>(text: T) =>
  v.strictObject(
    byLang(() => text),
    `must have ${LANGS.join(' and ')}`,
  );
/** A line in every language that may be left out. */
export const optionalLocalLine = (max: number) => v.optional(localTextOf(contentLineSchema(max)));

export const urlSchema = v.pipe(
  contentLineSchema(MAX_LENGTHS.url),
  v.check(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text),
    'must be an address that begins with https:// or http://',
  ),
);
const hyphened = (message: string) =>
  v.pipe(contentLineSchema(80), v.regex(HYPHENATED_WORDS_PATTERN, message));
export const slugSchema = hyphened('must be lower-case words of a-z and 0-9 joined by hyphens');
/** The name of another file of content, without its ending. */
export const fileNameSchema = hyphened('must be the name of a file there, without .yml');
/** YYYY-MM-DD. */
export const daySchema = v.pipe(
  v.string('must be a day as YYYY-MM-DD'),
  v.check((text) => parseDay(text) !== null, 'must be a day that exists, as YYYY-MM-DD'),
  v.metadata({ control: 'date' }),
);
/** Local `HH:MM`. */
export const timeSchema = v.pipe(
  v.string('must be a time in quotes, as "19:30"'),
  v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59, as "19:30"'),
  v.metadata({ control: 'time' }),
);
export const integerSchema = (min: number, max: number, message?: string) =>
  v.pipe(numberSchema(min, max, message), v.integer('must be whole'));
export const booleanSchema = v.boolean('must be true or false');
export const optionalBooleanSchema = v.optional(booleanSchema, false);
export const optionalTrueSchema = v.optional(v.literal(true, 'must be true, or left out'));
export const listSchema = <T extends v.GenericSchema>(item: T, max: number = MAX_LENGTHS.list) =>
  v.pipe(v.array(item), v.maxLength(max, `must have at most ${max} entries`));
export const optionalListSchema = <T extends v.GenericSchema>(
  item: T,
  max: number = MAX_LENGTHS.list,
) => v.optional(listSchema(item, max), []);

/** What must hold between the fields of an object, and what is said at `field` where it does not. */
type Rule<T> = readonly [field: keyof T & string, holds: (value: T) => boolean, message: string];
export const crossFieldCheck = <T extends Record<string, unknown>>(rules: readonly Rule<T>[]) =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    for (const [key, holds, message] of rules)
      if (!holds(value))
        addIssue({
          message,
          path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }],
        });
  });

/** Of two days that are said, which comes first. */
export const ascendingDays = <T extends Record<string, unknown>>(
  first: keyof T & string,
  last: keyof T & string,
) =>
  crossFieldCheck<T>([
    [
      last,
      ({ [first]: a, [last]: b }) => typeof a !== 'string' || typeof b !== 'string' || a <= b,
      `must not be before ${first}`,
    ],
  ]);

/** Where a fact comes from, when that was published and when somebody last looked. */
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
/** What a thing is called by programs. */
const id = v.pipe(
  contentLineSchema(40),
  v.regex(/^[a-z]{2}_[a-z0-9]+$/, 'must look like ev_ab12cd34ef'),
);
export const identityFields = {
  id: v.optional(id),
  slug: v.optional(localTextOf(slugSchema)),
  former_slugs: optionalListSchema(slugSchema),
};
/** One that is there, by its id. */
export const recordIdSchema = v.pipe(
  v.string('must be chosen'),
  v.regex(/^[a-z]{2}_[a-z0-9]+$/, 'must be one that is there'),
  v.metadata({ control: 'select' }),
);
/** Of two that turned out to be one: which lead here, and where this one leads with its events. */
export const mergeFields = {
  former_ids: optionalListSchema(id),
  same_as: v.optional(recordIdSchema),
};

/** Money, in units of its currency. */
const amount = numberSchema(0, 1_000_000);
const currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a code such as MXN'));
const visitor = oneOf(VISITORS);
const weekdays = v.pipe(
  listSchema(oneOf(WEEKDAYS), WEEKDAYS.length),
  v.minLength(1, 'must name at least one day'),
  v.check((days) => new Set(days).size === days.length, 'names a day twice'),
);
const hourOrNull = v.optional(v.nullable(timeSchema), null);
const dayOrNull = v.optional(v.nullable(daySchema), null);
const noteOrNull = v.optional(
  v.nullable(localTextOf(contentLineSchema(MAX_LENGTHS.summary))),
  null,
);

type OpenClose = Record<string, unknown> & {
  readonly open: string | null;
  readonly close: string | null;
};
const closesAfterOpening = <T extends OpenClose>() =>
  crossFieldCheck<T>([
    ['close', ({ open, close }) => close === null || open !== null, 'needs an open'],
    [
      'close',
      ({ open, close }) => close === null || close !== open,
      'must not be the hour of open',
    ],
  ]);

/** Whether people are still let in: after it opens, and not after it closes. */
function isWhileOpen(open: string | null, close: string | null, last_entry: string | null) {
  if (last_entry === null) return true;
  if (open === null) return false;
  if (close === null) return last_entry > open;
  return close > open
    ? last_entry > open && last_entry <= close
    : last_entry > open || last_entry <= close;
}

const OpeningRuleSchema = v.pipe(
  v.strictObject({
    days: weekdays,
    /** Without one, it is open on those days at hours that are not known. */
    open: hourOrNull,
    /** Before `open`, on the next day; without one, not known. */
    close: hourOrNull,
    last_entry: hourOrNull,
    since: dayOrNull,
    until: dayOrNull,
  }),
  closesAfterOpening(),
  crossFieldCheck([
    [
      'last_entry',
      (rule) => isWhileOpen(rule.open, rule.close, rule.last_entry),
      'must be between open and close',
    ],
  ]),
  ascendingDays('since', 'until'),
);

/** When a venue is open; `closed_on` holds keys of holidays, which to-records.ts knows. */
export const ContentHoursSchema = v.pipe(
  v.strictObject({
    rules: v.pipe(listSchema(OpeningRuleSchema), v.minLength(1, 'must have at least one rule')),
    /** Days that are not like their weekday; without `open` it is closed. */
    exceptions: optionalListSchema(
      v.pipe(
        v.strictObject({ date: daySchema, open: hourOrNull, close: hourOrNull, note: noteOrNull }),
        closesAfterOpening(),
      ),
      MAX_LENGTHS.dates,
    ),
    closed_on: optionalListSchema(contentLineSchema(80)),
    quiet_days: v.optional(v.picklist(['open'], 'must be open, or be left out')),
    free: optionalListSchema(
      v.strictObject({
        days: weekdays,
        visitors: v.pipe(listSchema(visitor), v.minLength(1, 'must say for whom')),
      }),
    ),
    note: noteOrNull,
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { rules } = dataset.value;
    const [first, second] = findOverlappingRules(rules) ?? [];
    if (second === undefined) return;
    const object = { type: 'object', origin: 'value', input: { ...dataset.value } } as const;
    const array = { type: 'array', origin: 'value', input: [...rules] } as const;
    addIssue({
      message: `overlaps the hours of rules[${first}] on the same day`,
      path: [
        { ...object, key: 'rules', value: rules },
        { ...array, key: second, value: rules[second] },
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

/** What entering costs one kind of visitor; 0 is free. */
export const ContentAdmissionSchema = v.strictObject({
  visitor,
  amount,
  currency: v.optional(currency, TOWN.currency.code),
  note: noteOrNull,
});

const PRICE = 'must be free, unknown, or have min, max, currency, visitors, note';
const FOLLOWS = 'follows from visitors: leave it out';

/** Without min, max and visitors the price is not known, whatever the note says. */
const AmountsSchema = v.pipe(
  v.strictObject(
    {
      min: v.optional(amount),
      max: v.optional(amount),
      /** The town's where it says nothing. */
      currency: v.optional(currency),
      visitors: v.optional(
        v.pipe(
          listSchema(ContentAdmissionSchema),
          v.minLength(1, 'must have at least one kind of visitor'),
        ),
      ),
      note: optionalLocalLine(MAX_LENGTHS.name),
    },
    PRICE,
  ),
  crossFieldCheck([
    [
      'min',
      ({ min, max }) => min === undefined || max === undefined || min <= max,
      'is above max: swap them',
    ],
    ['min', ({ visitors, min }) => visitors === undefined || min === undefined, FOLLOWS],
    ['max', ({ visitors, max }) => visitors === undefined || max === undefined, FOLLOWS],
    [
      'currency',
      ({ visitors, currency }) => visitors === undefined || currency === undefined,
      FOLLOWS,
    ],
    [
      'visitors',
      ({ visitors = [] }) => new Set(visitors.map(({ currency }) => currency)).size <= 1,
      'must be in one currency',
    ],
  ]),
);
const PriceWordSchema = v.picklist(['free', 'unknown'], PRICE);

/** Chosen by what stands there, so that the fault of each field is told where it is. */
export const ContentPriceSchema = v.lazy((price) =>
  typeof price === 'string' ? PriceWordSchema : AmountsSchema,
);
