// Structured data as search engines ask for it: one node an occurrence, a place with an address, dates that are not
// guessed.
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import {
  MAX_EVENT_NODES,
  toEventJsonLd,
  toListJsonLd,
  toPlaceJsonLd,
} from '../../src/serializers/json-ld.ts';
import { findEvents } from '../../src/snapshot/find-events.ts';
import { getEvent, getVenue } from '../../src/snapshot/get-thing.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);

const Address = v.pipe(v.string(), v.url());
const Timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}-05:00)?$/));
const Offer = v.looseObject({ price: v.number(), priceCurrency: v.string(), url: Address });
/** What Google requires of an Event, and the form of what it recommends. */
const EventNode = v.looseObject({
  '@type': v.pipe(v.string(), v.regex(/^[A-Z]\w*Event$|^Event$/)),
  name: v.string(),
  url: Address,
  startDate: Timestamp,
  endDate: v.optional(Timestamp),
  eventStatus: v.pipe(
    v.string(),
    v.regex(/^https:\/\/schema\.org\/Event(Scheduled|Cancelled|Postponed)$/),
  ),
  location: v.looseObject({
    '@type': v.literal('Place'),
    name: v.string(),
    address: v.looseObject({ addressLocality: v.string(), addressCountry: v.literal('MX') }),
  }),
  offers: v.optional(
    v.union([Offer, v.array(v.looseObject({ ...Offer.entries, name: v.string() }))]),
  ),
});
const Written = v.looseObject({
  '@context': v.literal('https://schema.org'),
  '@graph': v.optional(v.array(v.unknown())),
});

function readEvent(slug: string) {
  const detail = getEvent(snapshot, slug, FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error(`${slug} is not there`);
  return detail;
}
function nodesOf(slug: string) {
  const node = toEventJsonLd(readEvent(slug), 'es', SITE, FRIDAY_NOON_MS);
  const { '@graph': graph, ...single } = v.parse(Written, JSON.parse(JSON.stringify(node)));
  return v.parse(v.array(EventNode), graph ?? [single]);
}

test('there is a node for each upcoming occurrence, at most 12, and of what is over the last', () => {
  expect(nodesOf('feria-diaria')).toHaveLength(MAX_EVENT_NODES);
  expect(nodesOf('obra-pospuesta')).toHaveLength(1);
  const [last, ...others] = nodesOf('taller-pasado');
  expect([last?.startDate, others]).toEqual(['2025-03-10T18:00:00-05:00', []]);
});

test('an end is given where it is known, of whole days the dates alone', () => {
  const datesOf = (slug: string) => {
    const [node] = nodesOf(slug);
    return [node?.startDate, node?.endDate];
  };
  expect(datesOf('concierto-unico-a-b')).toEqual(['2026-11-20T19:00:00-05:00', undefined]);
  expect(datesOf('feria-diaria')).toEqual([
    ...['2026-11-20T10:00:00-05:00', '2026-11-20T14:00:00-05:00'],
  ]);
  expect(datesOf('exposicion-larga')).toEqual(['2026-11-01', '2026-12-30']);
});

test('it says what kind it is, what was cancelled and what was postponed', () => {
  expect(nodesOf('exposicion-larga')[0]?.['@type']).toBe('VisualArtsEvent');
  expect(nodesOf('obra-pospuesta')[0]?.eventStatus).toBe('https://schema.org/EventPostponed');
  const statusOn = (day: string) =>
    nodesOf('feria-diaria').find(({ startDate }) => startDate.startsWith(day))?.eventStatus;
  expect(statusOn('2026-11-21')).toBe('https://schema.org/EventCancelled');
  expect(statusOn('2026-11-23')).toBe('https://schema.org/EventScheduled');
});

test('a price is named only where one is known', () => {
  expect(nodesOf('feria-diaria')[0]).toMatchObject({
    isAccessibleForFree: true,
    offers: { price: 0, priceCurrency: 'MXN' },
  });
  expect(nodesOf('fiesta-de-viernes')[0]).toMatchObject({
    isAccessibleForFree: false,
    offers: [
      { name: 'Nacionales', description: 'con identificación', price: 350, priceCurrency: 'MXN' },
      { name: 'Extranjeros', price: 900, priceCurrency: 'MXN' },
    ],
  });
  expect(nodesOf('obra-pospuesta')[0]).toMatchObject({ offers: { price: 120 } });
  expect(nodesOf('exposicion-larga')[0]).not.toHaveProperty('offers');
  expect(nodesOf('exposicion-larga')[0]).not.toHaveProperty('isAccessibleForFree');
});

test('without a venue it has a place with an address, or is online with its link', () => {
  expect(nodesOf('exposicion-larga')[0]?.location).toMatchObject({
    name: 'Frente al kiosco',
    address: { addressLocality: 'Cancún' },
  });
  const detail = readEvent('exposicion-larga');
  const online = {
    zone: null,
    location_note: { es: 'En línea', en: 'Online' },
    ticket_url: 'https://boletos.example/a',
  };
  const event = { ...detail.event, ...online };
  expect(toEventJsonLd({ ...detail, event }, 'es', SITE, FRIDAY_NOON_MS)).toMatchObject({
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: 'https://boletos.example/a' },
  });
});

test('a list points at each page in order', () => {
  const { cards } = findEvents(snapshot, toOpenFilter(FRIDAY_NOON_MS, 3), 'en');
  expect(toListJsonLd(cards, 'en', SITE)).toMatchObject({
    '@type': 'ItemList',
    itemListElement: cards.map((card, at) => ({
      position: at + 1,
      url: `${SITE.url}/en/events/${card.event.slug.en}`,
    })),
  });
});

test('a place has its point, its address, its hours of the week and the days that differ', () => {
  const readPlace = (slug: string): unknown => {
    const venue = getVenue(snapshot, slug);
    return venue && JSON.parse(JSON.stringify(toPlaceJsonLd(venue, null, 'es', SITE)));
  };
  expect(readPlace('malecon-inventado')).toMatchObject({
    '@type': 'Place',
    geo: { latitude: 21.1266, longitude: -86.8161 },
    address: { postalCode: '77500', addressLocality: 'Cancún' },
    sameAs: ['https://malecon.example/'],
    openingHoursSpecification: [
      { opens: '09:00', closes: '18:00' },
      {
        dayOfWeek: ['https://schema.org/Friday', 'https://schema.org/Saturday'],
        opens: '20:00',
        closes: '02:00',
        validThrough: '2026-12-31',
      },
    ],
    specialOpeningHoursSpecification: [
      { validFrom: '2026-12-24', validThrough: '2026-12-24', opens: '09:00', closes: '13:00' },
      { validFrom: '2026-12-31', opens: '00:00', closes: '00:00' },
    ],
  });
  expect(readPlace('foro-sin-punto')).not.toHaveProperty('openingHoursSpecification');
});
