// A made-up event, venue, organizer and notice: what the examples of the description are written
// from.
import { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../../domain/agenda.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { ChangeRecord } from '../../domain/changed-thing.ts';
import { type DayFacts, toDayFacts } from '../../domain/day/day-facts.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import { byLang, type LocalText } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import type { OrganizerRecord } from '../../domain/organizer.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { type OpenPlace, toVenueDay } from '../../domain/venue-day.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { type Key, t } from '../../i18n/translate.ts';

export const SAMPLE_TIME = '2026-11-20T06:00:00-05:00';
export const SAMPLE_SINCE = '2026-11-19T23:59:59-05:00';
const START = '2026-11-21T20:00:00-05:00';
const END = '2026-11-21T23:00:00-05:00';
const DAY = 20_778;

const local = (key: Key): LocalText => byLang((lang) => t(lang, key));

const CATEGORY: TaxonRecord = {
  key: 'live-music',
  name: local('sample.category.name'),
  slug: local('sample.category.slug'),
  name_in: local('sample.category.name'),
  middle: null,
  search_words: [],
  description: null,
};
const ZONE: TaxonRecord = {
  key: 'isla-mujeres',
  name: byLang(() => 'Isla Mujeres'),
  slug: byLang(() => 'isla-mujeres'),
  name_in: byLang(() => 'Isla Mujeres'),
  middle: { lat: 21.23114, lng: -86.73105 },
  search_words: [],
  description: null,
};

const SAMPLE_SOURCE_DAYS = {
  source_published: '2026-11-01',
  source_checked: '2026-11-20',
} as const;

export const SAMPLE_VENUE: VenueRecord = {
  id: 've_sample2345',
  slug: local('sample.venue.slug'),
  name: 'Foro de Ejemplo',
  description: local('sample.venue.description'),
  address: 'Calle Ejemplo 1',
  locality: 'Isla Mujeres',
  postal_code: '77400',
  zone: 'isla-mujeres',
  lat: 21.23114,
  lng: -86.73105,
  coordinates: 'venue',
  zone_lat: null,
  zone_lng: null,
  website: 'https://example.com/foro',
  phone: '+52 998 000 0000',
  social: ['https://example.com/foro/social'],
  capacity: 200,
  accessibility: local('sample.venue.accessibility'),
  hours: {
    rules: [
      {
        days: ['tu', 'we', 'th', 'fr', 'sa', 'su'],
        open: '09:00',
        close: '18:00',
        last_entry: '17:30',
        since: null,
        until: null,
      },
    ],
    exceptions: [],
    closed_on: ['christmas'],
    free: [{ days: ['su'], visitors: ['national', 'resident'] }],
    note: null,
  },
  admission: [{ visitor: 'foreign', amount: 210, currency: 'MXN', note: null }],
  admission_certainty: 'confirmed',
  admission_as_of: null,
  open_place: true,
  family: true,
  indoor: true,
  ...SAMPLE_SOURCE_DAYS,
  updated_at: SAMPLE_TIME,
};

export const SAMPLE_VENUE_DAY = toVenueDay(SAMPLE_VENUE, toCancunDay(Date.parse(SAMPLE_TIME)), []);

/** The sample venue as a place that is simply open. */
export const SAMPLE_OPEN_PLACES: readonly OpenPlace[] =
  SAMPLE_VENUE_DAY === null ? [] : [{ venue: SAMPLE_VENUE, zone: ZONE, on_day: SAMPLE_VENUE_DAY }];

export const SAMPLE_ORGANIZER: OrganizerRecord = {
  id: 'or_sample2345',
  slug: local('sample.organizer.slug'),
  name: 'Colectivo de Ejemplo',
  type: 'colectivo',
  verified: true,
  description: null,
  website: 'https://example.com/colectivo',
  social: [],
  ...SAMPLE_SOURCE_DAYS,
  updated_at: SAMPLE_TIME,
};

export const SAMPLE_OCCURRENCE: OccurrenceRecord = {
  id: 'ev_sample2345-20261121T2000',
  event: 'ev_sample2345',
  start: START,
  end: END,
  start_ms: Date.parse(START),
  end_ms: Date.parse(END),
  first_day: DAY,
  last_day: DAY,
  all_day: false,
  time_known: true,
  end_known: true,
  certainty: 'confirmed',
  status: 'scheduled',
  notes: null,
  updated_at: SAMPLE_TIME,
  sequence: 0,
};

export const SAMPLE_CARD: EventCard = {
  event: {
    id: 'ev_sample2345',
    slug: local('sample.event.slug'),
    title: local('sample.event.title'),
    summary: local('sample.event.summary'),
    description: null,
    originals: null,
    status: 'published',
    category: 'live-music',
    tags: ['familia'],
    zone: 'isla-mujeres',
    venue: SAMPLE_VENUE.id,
    location_note: null,
    price: {
      is_free: false,
      min: 350,
      max: 700,
      currency: 'MXN',
      note: null,
      visitors: [
        { visitor: 'adult', amount: 700, currency: 'MXN', note: null },
        { visitor: 'child', amount: 350, currency: 'MXN', note: null },
      ],
      certainty: 'confirmed',
      as_of: null,
    },
    ticket_url: 'https://example.com/boletos',
    registration_url: null,
    age_restriction: null,
    languages: ['es'],
    indoor: true,
    organizer: SAMPLE_ORGANIZER.id,
    image: {
      url: 'https://example.com/serenata.jpg',
      alt: local('sample.event.image_alt'),
    },
    verified: true,
    confirm_note: null,
    open_end: null,
    certainty: 'confirmed',
    habit: [],
    ...SAMPLE_SOURCE_DAYS,
    source: 'organizer',
    source_url: null,
    updated_at: SAMPLE_TIME,
  },
  category: CATEGORY,
  zone: ZONE,
  venue: SAMPLE_VENUE,
  organizer: SAMPLE_ORGANIZER,
  next: SAMPLE_OCCURRENCE,
  more_dates: 0,
};

export const SAMPLE_NOTICE: NoticeRecord = {
  id: 'no_sample2345-20261120',
  type: 'weather',
  severity: 'warning',
  season: false,
  inferred: false,
  evidence: null,
  title: local('sample.notice.title'),
  body: local('sample.notice.body'),
  short: null,
  zone: 'isla-mujeres',
  start_ms: Date.parse('2026-11-20T00:00:00-05:00'),
  end_ms: Date.parse('2026-11-21T00:00:00-05:00'),
  source: 'Servicio Meteorológico Nacional',
  source_url: 'https://smn.conagua.gob.mx/',
  ...SAMPLE_SOURCE_DAYS,
  updated_at: SAMPLE_TIME,
};

/** The day of the sample, with a feast after it and a page to look at. */
export const toSampleDay = (): DayFacts =>
  toDayFacts(Temporal.PlainDate.from('2026-11-20'), {
    holidays: [
      {
        key: 'christmas',
        name: local('sample.holiday.name'),
        kind: 'statutory',
        closes: ['banks', 'offices'],
        feast: true,
        rule: { month: 12, day: 25 },
        every: null,
      },
    ],
    seasons: [
      {
        notice: 'no_sample2345-20260601',
        name: local('sample.season.name'),
        first: '2026-06-01',
        last: '2026-11-25',
        is_fixed: true,
      },
    ],
    links: [
      {
        topic: 'weather',
        name: local('day.link.weather'),
        source: 'Servicio Meteorológico Nacional',
        url: 'https://smn.conagua.gob.mx/',
        checked: '2026-11-20',
      },
    ],
  });

export const SAMPLE_CHANGE: ChangeRecord = {
  id: SAMPLE_CARD.event.id,
  kind: 'event',
  change: 'changed',
  at: SAMPLE_TIME,
  changed_at: SAMPLE_TIME,
  thing: { kind: 'event', card: SAMPLE_CARD },
};
