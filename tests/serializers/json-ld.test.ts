// Structured data as search engines ask for it: one node an occurrence, a place with an address,
// dates that are not guessed.
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import {
  MAX_EVENT_NODES,
  toEventJsonLd,
  toListJsonLd,
  toPlaceJsonLd,
} from '../../src/serializers/json-ld.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { findEvents } from '../../src/snapshot/find-events.ts';
import { getEvent, getVenue } from '../../src/snapshot/get-thing.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const Timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}-05:00)?$/));
/** What Google requires of an Event, and the form of what it recommends. */
const Offer = v.looseObject({
  price: v.number(),
  priceCurrency: v.string(),
  url: v.pipe(v.string(), v.url()),
});
const EventNode = v.looseObject({
  '@type': v.pipe(v.string(), v.regex(/^[A-Z]\w*Event$|^Event$/)),
  name: v.string(),
  url: v.pipe(v.string(), v.url()),
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

describe('an event as JSON-LD', () => {
  const { snapshot, close } = openFixture();
  afterAll(close);

  const nodesOf = (slug: string, now_ms = FRIDAY_NOON_MS) => {
    const detail = getEvent(snapshot, slug, now_ms);
    if (detail === null || detail === 'gone') throw new Error(`${slug} is not there`);
    const written: unknown = JSON.parse(JSON.stringify(toEventJsonLd(detail, 'es', SITE, now_ms)));
    const {
      '@context': context,
      '@graph': graph,
      ...single
    } = v.parse(
      v.looseObject({ '@context': v.string(), '@graph': v.optional(v.array(v.unknown())) }),
      written,
    );
    expect(context).toBe('https://schema.org');
    return v.parse(v.array(EventNode), graph ?? [single]);
  };

  test('has a node for each upcoming occurrence, at most 12', () => {
    expect(nodesOf('feria-diaria')).toHaveLength(MAX_EVENT_NODES);
    expect(nodesOf('obra-pospuesta')).toHaveLength(1);
  });

  test('of what is over tells the last time', () => {
    expect(nodesOf('taller-pasado').map((node) => node.startDate)).toEqual([
      '2025-03-10T18:00:00-05:00',
    ]);
  });

  test('gives no end that is not known, and dates alone for whole days', () => {
    expect(nodesOf('concierto-unico-a-b')[0]).toMatchObject({
      startDate: '2026-11-20T19:00:00-05:00',
    });
    expect(nodesOf('concierto-unico-a-b')[0]).not.toHaveProperty('endDate');
    expect(nodesOf('exposicion-larga')[0]).toMatchObject({
      startDate: '2026-11-01',
      endDate: '2026-12-30',
      '@type': 'VisualArtsEvent',
    });
  });

  test('says what was cancelled and what was postponed', () => {
    expect(nodesOf('obra-pospuesta')[0]?.eventStatus).toBe('https://schema.org/EventPostponed');
    const fair = nodesOf('feria-diaria');
    expect(fair.find((node) => node.startDate.startsWith('2026-11-21'))?.eventStatus).toBe(
      'https://schema.org/EventCancelled',
    );
    expect(fair.find((node) => node.startDate.startsWith('2026-11-23'))?.eventStatus).toBe(
      'https://schema.org/EventScheduled',
    );
  });

  test('names a price only where one is known', () => {
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

  test('has a place with an address even without a venue', () => {
    expect(nodesOf('exposicion-larga')[0]?.location).toMatchObject({
      name: 'Frente al kiosco',
      address: { addressLocality: 'Cancún' },
    });
  });

  test('is online with its link where it has no place in town', () => {
    const detail = getEvent(snapshot, 'exposicion-larga', FRIDAY_NOON_MS);
    if (detail === null || detail === 'gone') throw new Error('it is not there');
    const event = {
      ...detail.event,
      zone: null,
      location_note: { es: 'En línea', en: 'Online' },
      ticket_url: 'https://boletos.example/a',
    };
    const node = toEventJsonLd({ ...detail, event }, 'es', SITE, FRIDAY_NOON_MS);
    expect(node).toMatchObject({
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

  test('a place has its point and its address', () => {
    const venue = getVenue(snapshot, 'malecon-inventado');
    if (!venue) throw new Error('the fixture lacks it');
    expect(JSON.parse(JSON.stringify(toPlaceJsonLd(venue, null, 'es', SITE)))).toMatchObject({
      '@type': 'Place',
      geo: { latitude: 21.1266, longitude: -86.8161 },
      address: { postalCode: '77500', addressLocality: 'Cancún' },
      sameAs: ['https://malecon.example/'],
    });
  });

  test('a place has its hours of the week and the days that differ', () => {
    const venue = getVenue(snapshot, 'malecon-inventado');
    if (!venue) throw new Error('the fixture lacks it');
    const node: unknown = JSON.parse(JSON.stringify(toPlaceJsonLd(venue, null, 'es', SITE)));
    expect(node).toMatchObject({
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
    const unknown = getVenue(snapshot, 'foro-sin-punto');
    if (!unknown) throw new Error('the fixture lacks it');
    expect(toPlaceJsonLd(unknown, null, 'es', SITE)).toMatchObject({
      openingHoursSpecification: undefined,
    });
  });
});
