// Content schemas: define each kind of file in content/. content/README.md explains the fields to
// editors.
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { DAY_LINK_TOPICS } from '../domain/day/day-facts.ts';
import { HOLIDAY_CLOSES, HOLIDAY_KINDS } from '../domain/day/holidays.ts';
import { hasAnyDate, isRecurrenceRule } from '../domain/event/occurrences.ts';
import { SHELF_LIFE_NAMES } from '../domain/fact-freshness.ts';
import { DEFAULT_LANG, LANGS } from '../domain/lang.ts';
import { NOTICE_TYPES, SEVERITIES } from '../domain/notice.ts';
import { ORGANIZER_TYPES } from '../domain/organizer.ts';
import { EMAIL_PATTERN } from '../domain/submission/field-rules.ts';
import { TOWN } from '../town.ts';
import { numberSchema, oneOf } from '../yaml.ts';
import {
  ContentAdmissionSchema,
  crossFieldCheck,
  daySchema,
  fileNameSchema,
  booleanSchema,
  timeSchema,
  ContentHoursSchema,
  identityFields,
  ascendingDays,
  mergeFields,
  contentLineSchema,
  listSchema,
  localTextOf,
  MAX_LENGTHS,
  optionalBooleanSchema,
  optionalListSchema,
  optionalLocalLine,
  optionalTrueSchema,
  paragraphsSchema,
  ContentPriceSchema,
  provenanceFields,
  slugSchema,
  urlSchema,
  integerSchema,
  isEntryWhileOpen,
} from './content-field-schemas.ts';

/** The address that receives requests to confirm an event; never published (contract 14.41). */
const confirmEmailSchema = v.optional(
  v.pipe(contentLineSchema(254), v.regex(EMAIL_PATTERN, 'must be an e-mail address')),
);

/** Matches a note that only repeats `hour: unknown`. */
const UNKNOWN_TIME_NOTE_PATTERN = /^(hora|horario)s? por confirmar\.?$/i;

/** The reason of a highlight, which also appears on the pages of other days. */
const highlightReasonSchema = v.pipe(
  contentLineSchema(MAX_LENGTHS.name),
  v.check(
    (text) => !/\b(hoy|esta noche|today|tonight)\b/i.test(text),
    'appears on other days too: do not write today or tonight',
  ),
);

/**
 * One schedule rule: days by `rrule`, by `dates` or by `easter` (days from Easter Sunday), without
 * those in `except`. If `start` is omitted, the event is all day, or at an unknown time with `hour:
 * unknown`. An `end` at or before `start` is on the next day; `days` is the length of a multi-day
 * event.
 */
const WhenSchema = v.pipe(
  v.strictObject({
    rrule: v.optional(contentLineSchema(200)),
    easter: v.optional(integerSchema(-120, 120, 'must be a number of days')),
    dates: v.optional(listSchema(daySchema, MAX_LENGTHS.dates)),
    /** First and last day of the rule, both inclusive. */
    since: v.optional(daySchema),
    until: v.optional(daySchema),
    /** The time is unknown, which is not the same as all day. */
    hour: v.optional(v.literal('unknown', 'must be unknown, or omitted')),
    start: v.optional(timeSchema),
    end: v.optional(timeSchema),
    /** Last boarding or admission. */
    last_entry: v.optional(timeSchema),
    /** Days of a rule that a source confirms one by one. */
    confirmed: v.optional(listSchema(daySchema, MAX_LENGTHS.dates)),
    days: v.optional(integerSchema(1, 366, 'must be a number of days'), 1),
    except: optionalListSchema(daySchema, MAX_LENGTHS.dates),
    note: optionalLocalLine(MAX_LENGTHS.summary),
    /** `open` if a source says that the rule has no rest days (domain/day/rest-days.ts). */
    quiet_days: v.optional(v.picklist(['open'], 'must be open, or be omitted')),
    /** Limits the rule to the school terms of calendar.yml. */
    term: optionalTrueSchema,
  }),
  v.check(
    ({ rrule, easter, dates }) =>
      [rrule, easter, dates].filter((days) => days !== undefined).length === 1,
    'must have exactly one of rrule, easter and dates',
  ),
  v.check(
    (rule) => rule.dates !== undefined || rule.since !== undefined,
    'must have since, the first day that counts',
  ),
  v.check(
    (rule) => rule.term === undefined || rule.rrule !== undefined,
    'has term, which is only for an rrule',
  ),
  v.check((rule) => rule.end === undefined || rule.start !== undefined, 'has an end but no start'),
  v.check(
    ({ last_entry, start, end }) =>
      last_entry === undefined ||
      (start !== undefined && isEntryWhileOpen(start, end ?? null, last_entry)),
    'last_entry must be between start and end',
  ),
  v.check(
    (rule) => rule.hour === undefined || rule.start === undefined,
    'has a start, so its hour is known: omit hour',
  ),
  ascendingDays('since', 'until'),
  crossFieldCheck([
    [
      'rrule',
      ({ rrule }) => rrule === undefined || isRecurrenceRule(rrule),
      'is not a rule of days (RFC 5545). Use for example FREQ=WEEKLY;BYDAY=SU or FREQ=MONTHLY;BYDAY=-1FR, with no parts but INTERVAL, COUNT, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST',
    ],
    [
      'rrule',
      (rule) => rule.rrule === undefined || !isRecurrenceRule(rule.rrule) || hasAnyDate(rule),
      'has no date from since to until (without until, in 30 years) that except leaves: correct the rule, or use dates',
    ],
    [
      'note',
      ({ hour: unknown, note }) =>
        unknown === undefined || !UNKNOWN_TIME_NOTE_PATTERN.test(note?.es ?? ''),
      'only repeats that the time is unknown, which every page adds by itself: omit it',
    ],
  ]),
);
export type WhenRule = v.InferOutput<typeof WhenSchema>;
const scheduleSchema = v.pipe(
  listSchema(WhenSchema),
  v.minLength(1, 'must have at least one rule'),
);

/** The original language of untranslated texts, which are equal in all languages. */
const writtenInSchema = v.optional(
  v.picklist(LANGS, `must be ${LANGS.join(' or ')}, or be omitted`),
);

/** The status of one date of an event. */
export const DateStatusSchema = v.strictObject({
  date: daySchema,
  status: oneOf(['cancelled', 'postponed']),
  note: optionalLocalLine(MAX_LENGTHS.summary),
});

export const EventSchema = v.strictObject({
  ...identityFields,
  ...provenanceFields,
  title: localTextOf(contentLineSchema(MAX_LENGTHS.title)),
  summary: localTextOf(contentLineSchema(MAX_LENGTHS.summary)),
  description: v.optional(localTextOf(paragraphsSchema)),
  written_in: writtenInSchema,
  status: v.optional(oneOf(['published', 'cancelled', 'postponed']), 'published'),
  /** Public reason why the whole event is cancelled or postponed. */
  status_note: optionalLocalLine(MAX_LENGTHS.summary),
  category: oneOf(TOWN.category_keys),
  tags: optionalListSchema(slugSchema),
  venue: v.optional(fileNameSchema),
  zone: v.optional(oneOf(TOWN.zone_keys)),
  location_note: optionalLocalLine(MAX_LENGTHS.summary),
  organizer: v.optional(fileNameSchema),
  when: scheduleSchema,
  changes: optionalListSchema(DateStatusSchema, MAX_LENGTHS.dates),
  price: ContentPriceSchema,
  ticket_url: v.optional(urlSchema),
  registration_url: v.optional(urlSchema),
  age_restriction: optionalLocalLine(MAX_LENGTHS.name),
  languages: v.optional(
    listSchema(v.pipe(v.string(), v.regex(/^[a-z]{2,3}$/, 'must be a code such as es')), 8),
    [DEFAULT_LANG],
  ),
  /** True if it is under a roof; if omitted, as at its venue. */
  indoor: v.optional(booleanSchema),
  image: v.optional(
    v.strictObject({ url: urlSchema, alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)) }),
  ),
  /** Its drawing, if it is not that for its category. */
  motif: v.optional(slugSchema),
  /** A highlight of these dates, or of all its dates if there are none, with the reason. */
  featured: v.optional(
    v.strictObject({
      why: localTextOf(highlightReasonSchema),
      dates: optionalListSchema(daySchema, MAX_LENGTHS.dates),
    }),
  ),
  verified: optionalBooleanSchema,
  /** Shelf life of its facts, if not the default for its rule (domain/fact-freshness.ts). */
  shelf: v.optional(oneOf(SHELF_LIFE_NAMES)),
  /** Public note about facts that are uncertain and should be confirmed with the organizer. */
  confirm: optionalLocalLine(MAX_LENGTHS.summary),
  /** The event continues after its last date, with an unknown end. */
  open_end: optionalTrueSchema,
  /** Author of the event. `source_url` is for visitors, `sources` for editors. */
  source: v.optional(oneOf(['organizer', 'agent', 'editor']), 'editor'),
  source_url: v.optional(urlSchema),
  /** Removes the event everywhere and answers 410: for legal reasons only. */
  withdrawn: v.optional(
    v.strictObject({ date: daySchema, reason: contentLineSchema(MAX_LENGTHS.summary) }),
  ),
});
export type EventFile = v.InferOutput<typeof EventSchema> & {
  /** Set from followed sources only: the name of the source that no longer lists the event. */
  readonly gone_from?: string;
  /** Set from followed sources only. */
  readonly other_source_urls?: readonly string[];
  /**
   * By start (YYYY-MM-DDTHH:MM), the day its organizer last confirmed it. Set from the inbox only.
   */
  readonly confirmed_on?: Readonly<Record<string, string>>;
};

const postalCode = /DE|ES|FR|IT|MX|US/.test(TOWN.country)
  ? v.regex(/^\d{5}$/, 'must be five digits')
  : v.regex(/^[A-Z\d][A-Z\d -]{1,8}[A-Z\d]$/, 'must be digits and capitals');

export const VenueSchema = v.pipe(
  v.strictObject({
    ...identityFields,
    ...mergeFields,
    ...provenanceFields,
    name: contentLineSchema(MAX_LENGTHS.name),
    description: v.optional(localTextOf(paragraphsSchema)),
    address: v.optional(contentLineSchema(MAX_LENGTHS.summary)),
    locality: contentLineSchema(MAX_LENGTHS.name),
    postal_code: v.optional(v.pipe(v.string('must be in quotes'), postalCode)),
    zone: v.optional(oneOf(TOWN.zone_keys)),
    lat: v.optional(numberSchema(-90, 90)),
    lng: v.optional(numberSchema(-180, 180)),
    coordinates_source: v.optional(contentLineSchema(MAX_LENGTHS.summary)),
    website: v.optional(urlSchema),
    phone: v.optional(contentLineSchema(40)),
    social: optionalListSchema(urlSchema),
    confirm_email: confirmEmailSchema,
    capacity: v.optional(integerSchema(1, Number.MAX_SAFE_INTEGER)),
    accessibility: optionalLocalLine(MAX_LENGTHS.summary),
    hours: v.optional(ContentHoursSchema),
    admission: optionalListSchema(ContentAdmissionSchema),
    /** Worth a visit without an event: listed among the open venues of a day. */
    open_place: optionalBooleanSchema,
    /** Suitable for families: the family filter includes it among the open venues. */
    family: optionalTrueSchema,
    /** True if it is under a roof, for rainy days; omitted if no source says so. */
    indoor: v.optional(booleanSchema),
  }),
  v.check(
    (venue) => !venue.open_place || venue.hours !== undefined,
    'must have hours if it is an open_place',
  ),
  v.check(
    (venue) => (venue.lat === undefined) === (venue.lng === undefined),
    'must have both lat and lng, or neither',
  ),
  v.check(
    (venue) => venue.lat === undefined || venue.coordinates_source !== undefined,
    'must name coordinates_source if it has lat and lng',
  ),
);
export type VenueFile = v.InferOutput<typeof VenueSchema>;

export const OrganizerSchema = v.strictObject({
  ...identityFields,
  ...mergeFields,
  ...provenanceFields,
  name: contentLineSchema(MAX_LENGTHS.name),
  type: oneOf(ORGANIZER_TYPES),
  verified: optionalBooleanSchema,
  description: v.optional(localTextOf(paragraphsSchema)),
  website: v.optional(urlSchema),
  social: optionalListSchema(urlSchema),
  confirm_email: confirmEmailSchema,
});
export type OrganizerFile = v.InferOutput<typeof OrganizerSchema>;

/**
 * A notice, with `when` as for events. With `open: true` it lasts until an editor closes it. A
 * warning or an alert counts as one only in the year of its `bulletin`.
 */
export const NoticeSchema = v.pipe(
  v.strictObject({
    id: identityFields.id,
    ...provenanceFields,
    type: oneOf(NOTICE_TYPES),
    severity: oneOf(SEVERITIES),
    title: localTextOf(contentLineSchema(MAX_LENGTHS.title)),
    body: localTextOf(paragraphsSchema),
    written_in: writtenInSchema,
    /** The day on which the authority announced it. */
    bulletin: v.optional(daySchema),
    /** True for a notice that lasts weeks, such as the hurricane season. */
    season: v.optional(booleanSchema),
    /** The short name of a season, listed between its first and last days: `nortes`. */
    short: optionalLocalLine(40),
    /** The name of a season within a sentence: `la temporada de huracanes`, `hurricane season`. */
    season_name: optionalLocalLine(80),
    zone: v.optional(oneOf(TOWN.zone_keys)),
    when: scheduleSchema,
    open: optionalBooleanSchema,
    source: v.optional(contentLineSchema(MAX_LENGTHS.name)),
    source_url: v.optional(urlSchema),
  }),
  v.check(
    (notice) => notice.season !== true || notice.season_name !== undefined,
    'must have season_name if it is a season, as { es: la temporada de nortes, en: norther season }',
  ),
);
export type NoticeFile = v.InferOutput<typeof NoticeSchema>;

const taxonFields = (keys: readonly string[]) => ({
  key: oneOf(keys),
  name: localTextOf(contentLineSchema(60)),
  /** The name within a title: `en el Centro` for a zone, `Planes en familia` for a category. */
  name_in: localTextOf(contentLineSchema(60)),
  slug: localTextOf(slugSchema),
  description: optionalLocalLine(MAX_LENGTHS.summary),
  /** Synonyms for the search, in any language: `kids` for family. */
  search_words: optionalListSchema(contentLineSchema(40)),
});

/** categories.yml: every key once, in display order. */
export const CategoriesSchema = v.array(
  v.strictObject({
    ...taxonFields(TOWN.category_keys),
    /** The drawing of its events that have no `motif`. */
    motif: v.optional(slugSchema),
  }),
);
/** zones.yml: every key once, in display order. */
export const ZonesSchema = v.array(
  v.strictObject({
    ...taxonFields(TOWN.zone_keys),
    /** The center, for venues without coordinates; `source` is the source of the point. */
    middle: v.optional(
      v.strictObject({
        lat: numberSchema(-90, 90),
        lng: numberSchema(-180, 180),
        source: contentLineSchema(MAX_LENGTHS.summary),
      }),
    ),
  }),
);
export type CategoriesFile = v.InferOutput<typeof CategoriesSchema>;
export type TaxonomyFile = CategoriesFile | v.InferOutput<typeof ZonesSchema>;

/** search-words.yml. */
export const SearchWordsSchema = v.strictObject({
  /** Lists of synonyms. */
  same: v.array(
    v.pipe(
      listSchema(contentLineSchema(40)),
      v.minLength(2, 'must have two words or more that mean the same'),
    ),
    'must be a list of lists',
  ),
  /** Words for free admission. */
  free: listSchema(contentLineSchema(40)),
});

/** Returns true for a day that every year has: false for 29 February and 31 April. */
const isDayOfEveryYear = (rule: { readonly month: number; readonly day: number }): boolean =>
  rule.day <= Temporal.PlainYearMonth.from({ year: 2026, month: rule.month }).daysInMonth;

/** A day of a year: by date, by the `nth` weekday of a month, or in days from Easter Sunday. */
const HolidayRuleSchema = v.union(
  [
    v.pipe(
      v.strictObject({ month: integerSchema(1, 12), day: integerSchema(1, 31) }),
      v.check(isDayOfEveryYear, 'must be a day that every year has'),
    ),
    v.strictObject({
      month: integerSchema(1, 12),
      weekday: integerSchema(1, 7),
      nth: integerSchema(1, 4),
    }),
    v.strictObject({ easter: integerSchema(-120, 120) }),
  ],
  'must be month and day, month, weekday (1 Monday to 7 Sunday) and nth, or easter',
);

const dayRangeFields = { first: daySchema, last: daySchema } as const;

/** calendar.yml. */
export const CalendarSchema = v.strictObject({
  holidays: listSchema(
    v.strictObject({
      key: slugSchema,
      name: localTextOf(contentLineSchema(MAX_LENGTHS.name)),
      kind: oneOf(HOLIDAY_KINDS),
      /** The institutions that close. */
      closes: listSchema(oneOf(HOLIDAY_CLOSES)),
      /** A celebration, not only a day off. */
      feast: optionalBooleanSchema,
      rule: HolidayRuleSchema,
      /** For a holiday of some years only: every `years`, counted from the year `from`. */
      every: v.optional(
        v.strictObject({ years: integerSchema(2, 100), from: integerSchema(1900, 2200) }),
      ),
      sources: provenanceFields.sources,
    }),
    MAX_LENGTHS.holidays,
  ),
  /** Festivities, each with its own page. */
  festivities: optionalListSchema(
    v.strictObject({
      key: slugSchema,
      slug: localTextOf(slugSchema),
      name: localTextOf(contentLineSchema(MAX_LENGTHS.name)),
      first: HolidayRuleSchema,
      last: HolidayRuleSchema,
      sources: provenanceFields.sources,
    }),
  ),
  /** School years of the school authority, with breaks; `off` are single days without lessons. */
  terms: optionalListSchema(
    v.pipe(
      v.strictObject({
        ...dayRangeFields,
        breaks: optionalListSchema(
          v.pipe(v.strictObject(dayRangeFields), ascendingDays('first', 'last')),
        ),
        off: optionalListSchema(daySchema),
        sources: provenanceFields.sources,
      }),
      ascendingDays('first', 'last'),
    ),
  ),
  /** External pages for facts that change by the hour. */
  links: optionalListSchema(
    v.strictObject({
      topic: oneOf(DAY_LINK_TOPICS),
      name: localTextOf(contentLineSchema(MAX_LENGTHS.name)),
      /** The name of the publisher. */
      source: contentLineSchema(MAX_LENGTHS.name),
      url: urlSchema,
      /** The day an editor last opened it. */
      checked: daySchema,
      /** Synonyms for the search, in any language. */
      search_words: optionalListSchema(contentLineSchema(40)),
    }),
  ),
});
export type CalendarFile = v.InferOutput<typeof CalendarSchema>;
