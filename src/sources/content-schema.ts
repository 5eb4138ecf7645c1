// The form of every file in content/: one valibot schema per noun. content/README.md explains them
// to editors.
import * as v from 'valibot';
import { SHELF_LIFE_NAMES } from '../domain/knowledge/certainty.ts';
import { LANGS } from '../domain/lang.ts';
import { NOTICE_TYPES, SEVERITIES } from '../domain/notice.ts';
import { ORGANIZER_TYPES } from '../domain/organizer.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../domain/taxon.ts';
import { AdmissionSchema, HoursSchema } from './opening-schema.ts';
import { PriceSchema } from './price-schema.ts';
import {
  day,
  days,
  degrees,
  fileName,
  hour,
  identity,
  joined,
  line,
  list,
  local,
  MAX,
  paragraphs,
  provenance,
  slug,
  url,
} from './schema-fields.ts';

/** A note that repeats what `hour: unknown` says. */
const SAYS_ONLY_UNKNOWN = /^(hora|horario)s? por confirmar\.?$/i;

/**
 * One rule of when: days by `rrule`, by `dates` or by `easter` (days from Easter Sunday), less
 * `except`. Without `start` it is all day, or at an `hour` nobody knows. An `end` at or before `start` is on the next day; `days`
 * makes it last longer.
 */
export const WhenSchema = v.pipe(
  v.strictObject({
    rrule: v.optional(v.pipe(line(200), v.metadata({ control: 'rule' }))),
    easter: v.optional(
      v.pipe(
        v.number('must be a number of days'),
        v.integer('must be whole'),
        v.minValue(-120, 'must be -120 or more'),
        v.maxValue(120, 'must be 120 or less'),
      ),
    ),
    dates: v.optional(list(day, MAX.dates)),
    since: v.optional(day),
    until: v.optional(day),
    /** Nobody knows the hour, which is not the same as all day. */
    hour: v.optional(v.literal('unknown', 'must be unknown, or left out')),
    start: v.optional(hour),
    end: v.optional(hour),
    /** Days of a rule that a source confirms one by one. */
    confirmed: v.optional(list(day, MAX.dates)),
    days: v.optional(days, 1),
    except: v.optional(list(day, MAX.dates), []),
    note: v.optional(local(line(MAX.summary))),
    /** Where a source says that a rule never rests (domain/day/resting-rules.ts). */
    quiet_days: v.optional(v.picklist(['open'], 'must be open, or be left out')),
    /** Only in the school terms of calendar.yml. */
    term: v.optional(v.literal(true, 'must be true, or left out')),
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
  v.forward(
    v.check(
      ({ hour: unknown, note }) => unknown === undefined || !SAYS_ONLY_UNKNOWN.test(note?.es ?? ''),
      'says only that the hour is not known, as every surface does by itself: leave it out',
    ),
    ['note'],
  ),
);
export type When = v.InferOutput<typeof WhenSchema>;

/** What became of one day of an event. */
export const ChangeSchema = v.strictObject({
  date: day,
  status: v.picklist(['cancelled', 'postponed'], 'must be cancelled or postponed'),
  note: v.optional(local(line(MAX.summary))),
});

export const EventSchema = v.strictObject({
  ...identity,
  ...provenance,
  title: local(line(MAX.title)),
  summary: local(line(MAX.summary)),
  description: v.optional(local(paragraphs)),
  /** Where nobody has written them in the other: what these say alike in both is in this language. */
  written_in: v.optional(v.picklist(LANGS, `must be ${LANGS.join(' or ')}, or be left out`)),
  status: v.optional(
    v.picklist(
      ['published', 'cancelled', 'postponed'],
      'must be published, cancelled or postponed',
    ),
    'published',
  ),
  /** Said to readers: why it is cancelled or postponed as a whole. */
  status_note: v.optional(local(line(MAX.summary))),
  category: v.picklist(CATEGORY_KEYS, `must be one of ${CATEGORY_KEYS.join(', ')}`),
  tags: v.optional(list(slug), []),
  venue: v.optional(fileName),
  zone: v.optional(v.picklist(ZONE_KEYS, `must be one of ${ZONE_KEYS.join(', ')}`)),
  location_note: v.optional(local(line(MAX.summary))),
  organizer: v.optional(fileName),
  when: v.pipe(list(WhenSchema), v.minLength(1, 'must say when at least once')),
  changes: v.optional(list(ChangeSchema, MAX.dates), []),
  price: PriceSchema,
  ticket_url: v.optional(url),
  registration_url: v.optional(url),
  age_restriction: v.optional(local(line(MAX.name))),
  languages: v.optional(
    list(
      v.pipe(
        v.string(),
        v.regex(/^[a-z]{2,3}$/, 'must be a code such as es'),
        v.metadata({ control: 'word' }),
      ),
      8,
    ),
    ['es'],
  ),
  /** Where that is not as at its venue. */
  indoor: v.optional(v.boolean('must be true or false')),
  image: v.optional(v.strictObject({ url, alt: local(line(MAX.summary)) })),
  verified: v.optional(v.boolean('must be true or false'), false),
  /** How long its facts may be believed, where the rule does not say it (domain/knowledge). */
  shelf: v.optional(v.picklist(SHELF_LIFE_NAMES, `must be one of ${SHELF_LIFE_NAMES.join(', ')}`)),
  /** Said to readers: what is not sure and should be confirmed with the organizer. */
  confirm: v.optional(local(line(MAX.summary))),
  /** It goes on after the last of its dates, and nobody knows until when. */
  open_end: v.optional(v.literal(true, 'must be true, or left out')),
  source: v.optional(
    v.picklist(['organizer', 'agent', 'editor'], 'must be organizer, agent or editor'),
    'editor',
  ),
  source_url: v.optional(url),
  /** Vanishes from every surface and answers 410: for legal reasons only. */
  withdrawn: v.optional(v.strictObject({ date: day, reason: line(MAX.summary) })),
});

export const VenueSchema = v.pipe(
  v.strictObject({
    ...identity,
    ...joined('venue'),
    ...provenance,
    name: line(MAX.name),
    description: v.optional(local(paragraphs)),
    address: v.optional(line(MAX.summary)),
    locality: line(MAX.name),
    postal_code: v.optional(
      v.pipe(v.string('must be in quotes'), v.regex(/^\d{5}$/, 'must be five digits')),
    ),
    zone: v.optional(v.picklist(ZONE_KEYS, `must be one of ${ZONE_KEYS.join(', ')}`)),
    lat: v.optional(degrees(90)),
    lng: v.optional(degrees(180)),
    coordinates_source: v.optional(line(MAX.summary)),
    website: v.optional(url),
    phone: v.optional(line(40)),
    social: v.optional(list(url), []),
    capacity: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be whole'),
        v.minValue(1, 'must be 1 or more'),
      ),
    ),
    accessibility: v.optional(local(line(MAX.summary))),
    hours: v.optional(HoursSchema),
    admission: v.optional(list(AdmissionSchema), []),
    /** Simply being there is a plan: it is listed among the day's open places. */
    open_place: v.optional(v.boolean('must be true or false'), false),
    /** A plan for families: the family filter keeps it among the open places. */
    family: v.optional(v.literal(true, 'must be true, or left out')),
    /** Whether it is under a roof, for when it rains; left out where no source says so. */
    indoor: v.optional(v.boolean('must be true or false')),
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

export const OrganizerSchema = v.strictObject({
  ...identity,
  ...joined('organizer'),
  ...provenance,
  name: line(MAX.name),
  type: v.picklist(ORGANIZER_TYPES, `must be one of ${ORGANIZER_TYPES.join(', ')}`),
  verified: v.optional(v.boolean('must be true or false'), false),
  description: v.optional(local(paragraphs)),
  website: v.optional(url),
  social: v.optional(list(url), []),
});

/**
 * A notice; `when` as for events, and `open: true` where it stays until an editor closes it. A
 * warning or an alert counts as one only in the year of its `bulletin`.
 */
const NoticeFields = v.strictObject({
  id: identity.id,
  ...provenance,
  type: v.picklist(NOTICE_TYPES, `must be one of ${NOTICE_TYPES.join(', ')}`),
  severity: v.picklist(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`),
  title: local(line(MAX.title)),
  body: local(paragraphs),
  /** The day on which whoever decides announced it. */
  bulletin: v.optional(day),
  season: v.optional(v.boolean('must be true or false')),
  short: v.optional(local(line(40))),
  /** A season in the middle of a sentence: `la temporada de huracanes`, `hurricane season`. */
  season_name: v.optional(local(line(80))),
  zone: v.optional(v.picklist(ZONE_KEYS, `must be one of ${ZONE_KEYS.join(', ')}`)),
  when: v.pipe(list(WhenSchema), v.minLength(1, 'must say when at least once')),
  open: v.optional(v.boolean('must be true or false'), false),
  source: v.optional(line(MAX.name)),
  source_url: v.optional(url),
});
export const NoticeSchema = v.pipe(
  NoticeFields,
  v.check(
    (notice) => notice.season !== true || notice.season_name !== undefined,
    'must have season_name where it is a season, as { es: la temporada de nortes, en: norther season }',
  ),
);

const taxon = <K extends readonly [string, ...string[]]>(keys: K) =>
  v.strictObject({
    key: v.picklist(keys, `must be one of ${keys.join(', ')}`),
    name: local(line(60)),
    /** As a title says it: `en el Centro` of a zone, `Planes en familia` of a category. */
    name_in: local(line(60)),
    slug: local(slug),
    description: v.optional(local(line(MAX.summary))),
    /** Other words by which people search for it, in any language: `kids` for family. */
    search_words: v.optional(list(line(40)), []),
  });

/** categories.yml and zones.yml: every key once, in the order shown to readers. */
export const CategoriesSchema = v.pipe(
  v.array(taxon(CATEGORY_KEYS), 'must be a list'),
  v.length(CATEGORY_KEYS.length, `must list all ${CATEGORY_KEYS.length} categories once`),
);
export const ZonesSchema = v.pipe(
  v.array(
    v.strictObject({
      ...taxon(ZONE_KEYS).entries,
      /** For venues whose own point nobody gives; `source` says whose point it is. */
      middle: v.optional(
        v.strictObject({ lat: degrees(90), lng: degrees(180), source: line(MAX.summary) }),
      ),
    }),
    'must be a list',
  ),
  v.length(ZONE_KEYS.length, `must list all ${ZONE_KEYS.length} zones once`),
);

/** search-words.yml. */
export const SearchWordsSchema = v.strictObject({
  same: v.array(
    v.pipe(list(line(40)), v.minLength(2, 'must have two words or more that mean the same')),
    'must be a list of lists',
  ),
  free: list(line(40)),
});
export type SearchWordsFile = v.InferOutput<typeof SearchWordsSchema>;

export type EventFile = v.InferOutput<typeof EventSchema>;
export type VenueFile = v.InferOutput<typeof VenueSchema>;
export type OrganizerFile = v.InferOutput<typeof OrganizerSchema>;
export type NoticeFile = v.InferOutput<typeof NoticeSchema>;
export type TaxaFile = v.InferOutput<typeof CategoriesSchema> | v.InferOutput<typeof ZonesSchema>;
