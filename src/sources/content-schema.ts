// The form of every file in content/: one valibot schema per noun. content/README.md explains them to editors.
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { DAY_LINK_TOPICS } from '../domain/day/day-facts.ts';
import { HOLIDAY_CLOSES, HOLIDAY_KINDS } from '../domain/day/holidays.ts';
import { isRecurrenceRule } from '../domain/event/occurrences.ts';
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
} from './content-field-schemas.ts';

/** Whom to ask whether an event is still on; never shown (contract 14.41). */
const email = v.optional(
  v.pipe(contentLineSchema(254), v.regex(EMAIL_PATTERN, 'must be an e-mail address')),
);

/** A note that repeats what `hour: unknown` says. */
const SAYS_ONLY_UNKNOWN = /^(hora|horario)s? por confirmar\.?$/i;

/** Why it is chosen is read on the page of another day too. */
const timeless = v.pipe(
  contentLineSchema(MAX_LENGTHS.name),
  v.check(
    (text) => !/\b(hoy|esta noche|today|tonight)\b/i.test(text),
    'is read on other days too: leave out today and tonight',
  ),
);

/**
 * One rule of when: days by `rrule`, by `dates` or by `easter` (days from Easter Sunday), less
 * `except`. Without `start` it is all day, or at an `hour` nobody knows. An `end` at or before `start`
 * is on the next day; `days` makes it last longer.
 */
const WhenSchema = v.pipe(
  v.strictObject({
    rrule: v.optional(contentLineSchema(200)),
    easter: v.optional(integerSchema(-120, 120, 'must be a number of days')),
    dates: v.optional(listSchema(daySchema, MAX_LENGTHS.dates)),
    since: v.optional(daySchema),
    until: v.optional(daySchema),
    /** Nobody knows the hour, which is not the same as all day. */
    hour: v.optional(v.literal('unknown', 'must be unknown, or left out')),
    start: v.optional(timeSchema),
    end: v.optional(timeSchema),
    /** Days of a rule that a source confirms one by one. */
    confirmed: v.optional(listSchema(daySchema, MAX_LENGTHS.dates)),
    days: v.optional(integerSchema(1, 366, 'must be a number of days'), 1),
    except: optionalListSchema(daySchema, MAX_LENGTHS.dates),
    note: optionalLocalLine(MAX_LENGTHS.summary),
    /** Where a source says that a rule never rests (domain/day/resting-rules.ts). */
    quiet_days: v.optional(v.picklist(['open'], 'must be open, or be left out')),
    /** Only in the school terms of calendar.yml. */
    term: optionalTrueSchema,
  }),
  v.check(
    (w) => [w.rrule, w.easter, w.dates].filter((x) => x !== undefined).length === 1,
    'must have exactly one of rrule, easter and dates',
  ),
  v.check(
    (w) => w.dates !== undefined || w.since !== undefined,
    'must have since, the first day that counts',
  ),
  v.check(
    (w) => w.term === undefined || w.rrule !== undefined,
    'has term, which is only for an rrule',
  ),
  v.check((w) => w.end === undefined || w.start !== undefined, 'has an end but no start'),
  v.check(
    (w) => w.hour === undefined || w.start === undefined,
    'has a start, so its hour is known: leave hour out',
  ),
  ascendingDays('since', 'until'),
  crossFieldCheck([
    [
      'rrule',
      ({ rrule }) => rrule === undefined || isRecurrenceRule(rrule),
      'is not a rule of RFC 5545. Write for example FREQ=WEEKLY;BYDAY=SU or FREQ=MONTHLY;BYDAY=-1FR, without DTSTART',
    ],
    [
      'note',
      ({ hour: unknown, note }) => unknown === undefined || !SAYS_ONLY_UNKNOWN.test(note?.es ?? ''),
      'says only that the hour is not known, as every surface does by itself: leave it out',
    ],
  ]),
);
export type WhenRule = v.InferOutput<typeof WhenSchema>;
const whens = v.pipe(listSchema(WhenSchema), v.minLength(1, 'must say when at least once'));

/** The language of what is the same in both, where nobody has written the other. */
const written_in = v.optional(v.picklist(LANGS, `must be ${LANGS.join(' or ')}, or be left out`));

/** What became of one day of an event. */
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
  /** Where nobody has written them in the other: what these say alike in both is in this language. */
  written_in,
  status: v.optional(oneOf(['published', 'cancelled', 'postponed']), 'published'),
  /** Said to readers: why it is cancelled or postponed as a whole. */
  status_note: optionalLocalLine(MAX_LENGTHS.summary),
  category: oneOf(TOWN.category_keys),
  tags: optionalListSchema(slugSchema),
  venue: v.optional(fileNameSchema),
  zone: v.optional(oneOf(TOWN.zone_keys)),
  location_note: optionalLocalLine(MAX_LENGTHS.summary),
  organizer: v.optional(fileNameSchema),
  when: whens,
  changes: optionalListSchema(DateStatusSchema, MAX_LENGTHS.dates),
  price: ContentPriceSchema,
  ticket_url: v.optional(urlSchema),
  registration_url: v.optional(urlSchema),
  age_restriction: optionalLocalLine(MAX_LENGTHS.name),
  languages: v.optional(
    listSchema(v.pipe(v.string(), v.regex(/^[a-z]{2,3}$/, 'must be a code such as es')), 8),
    [DEFAULT_LANG],
  ),
  /** Where that is not as at its venue. */
  indoor: v.optional(booleanSchema),
  image: v.optional(
    v.strictObject({ url: urlSchema, alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)) }),
  ),
  /** What it is drawn as, where that is not its category's. */
  motif: v.optional(slugSchema),
  /** Among what a day's page names first, with why: on these days of its own, or on each. */
  featured: v.optional(
    v.strictObject({
      why: localTextOf(timeless),
      dates: optionalListSchema(daySchema, MAX_LENGTHS.dates),
    }),
  ),
  verified: optionalBooleanSchema,
  /** How long its facts may be believed, where the rule does not say it (domain/knowledge). */
  shelf: v.optional(oneOf(SHELF_LIFE_NAMES)),
  /** Said to readers: what is not sure and should be confirmed with the organizer. */
  confirm: optionalLocalLine(MAX_LENGTHS.summary),
  /** It goes on after the last of its dates, and nobody knows until when. */
  open_end: optionalTrueSchema,
  source: v.optional(oneOf(['organizer', 'agent', 'editor']), 'editor'),
  source_url: v.optional(urlSchema),
  /** Vanishes from every surface and answers 410: for legal reasons only. */
  withdrawn: v.optional(
    v.strictObject({ date: daySchema, reason: contentLineSchema(MAX_LENGTHS.summary) }),
  ),
});
export type EventFile = v.InferOutput<typeof EventSchema> & {
  /** What followed sources say beside its text; no file does. */
  readonly gone_from?: string;
  readonly other_source_urls?: readonly string[];
  /** By start (YYYY-MM-DDTHH:MM), when its organizer last said that it is on; no file says it. */
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
    confirm_email: email,
    capacity: v.optional(integerSchema(1, Number.MAX_SAFE_INTEGER)),
    accessibility: optionalLocalLine(MAX_LENGTHS.summary),
    hours: v.optional(ContentHoursSchema),
    admission: optionalListSchema(ContentAdmissionSchema),
    /** Simply being there is a plan: it is listed among the day's open places. */
    open_place: optionalBooleanSchema,
    /** A plan for families: the family filter keeps it among the open places. */
    family: optionalTrueSchema,
    /** Whether it is under a roof, for when it rains; left out where no source says so. */
    indoor: v.optional(booleanSchema),
  }),
  v.check(
    (p) => !p.open_place || p.hours !== undefined,
    'must have hours where it is an open_place',
  ),
  v.check(
    (p) => (p.lat === undefined) === (p.lng === undefined),
    'must have both lat and lng, or neither',
  ),
  v.check(
    (p) => p.lat === undefined || p.coordinates_source !== undefined,
    'must name coordinates_source where it has lat and lng',
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
  confirm_email: email,
});
export type OrganizerFile = v.InferOutput<typeof OrganizerSchema>;

/**
 * A notice; `when` as for events, and `open: true` where it stays until an editor closes it. A
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
    written_in,
    /** The day on which whoever decides announced it. */
    bulletin: v.optional(daySchema),
    season: v.optional(booleanSchema),
    short: optionalLocalLine(40),
    /** A season in the middle of a sentence: `la temporada de huracanes`, `hurricane season`. */
    season_name: optionalLocalLine(80),
    zone: v.optional(oneOf(TOWN.zone_keys)),
    when: whens,
    open: optionalBooleanSchema,
    source: v.optional(contentLineSchema(MAX_LENGTHS.name)),
    source_url: v.optional(urlSchema),
  }),
  v.check(
    (notice) => notice.season !== true || notice.season_name !== undefined,
    'must have season_name where it is a season, as { es: la temporada de nortes, en: norther season }',
  ),
);
export type NoticeFile = v.InferOutput<typeof NoticeSchema>;

const taxon = (keys: readonly string[]) => ({
  key: oneOf(keys),
  name: localTextOf(contentLineSchema(60)),
  /** As a title says it: `en el Centro` of a zone, `Planes en familia` of a category. */
  name_in: localTextOf(contentLineSchema(60)),
  slug: localTextOf(slugSchema),
  description: optionalLocalLine(MAX_LENGTHS.summary),
  /** Other words by which people search for it, in any language: `kids` for family. */
  search_words: optionalListSchema(contentLineSchema(40)),
});

/** categories.yml: every key once, in the order shown to readers. */
export const CategoriesSchema = v.array(
  v.strictObject({
    ...taxon(TOWN.category_keys),
    /** What its events are drawn as, where they say nothing else. */
    motif: v.optional(slugSchema),
  }),
);
/** zones.yml, as categories.yml. */
export const ZonesSchema = v.array(
  v.strictObject({
    ...taxon(TOWN.zone_keys),
    /** For venues whose own point nobody gives; `source` says whose point it is. */
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
  same: v.array(
    v.pipe(
      listSchema(contentLineSchema(40)),
      v.minLength(2, 'must have two words or more that mean the same'),
    ),
    'must be a list of lists',
  ),
  free: listSchema(contentLineSchema(40)),
});

/** 29 February is none: a holiday comes every year or by `every`. */
const isDayOfEveryYear = (rule: { readonly month: number; readonly day: number }): boolean =>
  rule.day <= Temporal.PlainYearMonth.from({ year: 2026, month: rule.month }).daysInMonth;

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

const span = { first: daySchema, last: daySchema } as const;

/** calendar.yml. */
export const CalendarSchema = v.strictObject({
  holidays: listSchema(
    v.strictObject({
      key: slugSchema,
      name: localTextOf(contentLineSchema(MAX_LENGTHS.name)),
      kind: oneOf(HOLIDAY_KINDS),
      closes: listSchema(oneOf(HOLIDAY_CLOSES)),
      feast: optionalBooleanSchema,
      rule: HolidayRuleSchema,
      /** For one that comes only in some years: every so many, counted from the year `from`. */
      every: v.optional(
        v.strictObject({ years: integerSchema(2, 100), from: integerSchema(1900, 2200) }),
      ),
      sources: provenanceFields.sources,
    }),
    MAX_LENGTHS.holidays,
  ),
  /** Days that people plan for, each with a page of its own. */
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
  /** School years, as whoever sets them published them, with what is no lesson; `off` are single days. */
  terms: optionalListSchema(
    v.pipe(
      v.strictObject({
        ...span,
        breaks: optionalListSchema(v.pipe(v.strictObject(span), ascendingDays('first', 'last'))),
        off: optionalListSchema(daySchema),
        sources: provenanceFields.sources,
      }),
      ascendingDays('first', 'last'),
    ),
  ),
  /** Where to look for what changes by the hour. */
  links: optionalListSchema(
    v.strictObject({
      topic: oneOf(DAY_LINK_TOPICS),
      name: localTextOf(contentLineSchema(MAX_LENGTHS.name)),
      /** Who publishes it, as it calls itself. */
      source: contentLineSchema(MAX_LENGTHS.name),
      url: urlSchema,
      /** The day somebody last opened it. */
      checked: daySchema,
      /** Other words by which people search for it, in any language. */
      search_words: optionalListSchema(contentLineSchema(40)),
    }),
  ),
});
export type CalendarFile = v.InferOutput<typeof CalendarSchema>;
