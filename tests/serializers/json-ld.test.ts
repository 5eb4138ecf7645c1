// JSON-LD serialization: structured data as search engines require it.
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { eventJsonLd, venueJsonLd } from '../../src/serializers/json-ld.ts';
import { getEvent, getVenue } from '../../src/snapshot/get-record.ts';
import { FRIDAY_NOON_MS, localMs, useFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot } = useFixture();

const EventNodeSchema = v.looseObject({
  '@type': v.string(),
  name: v.string(),
  description: v.string(),
  url: v.string(),
  startDate: v.string(),
  eventStatus: v.string(),
  location: v.looseObject({
    '@type': v.literal('Place'),
    address: v.looseObject({ addressLocality: v.string(), addressCountry: v.literal('MX') }),
  }),
});
const DocumentSchema = v.looseObject({
  '@context': v.literal('https://schema.org'),
  '@graph': v.optional(v.array(v.unknown())),
});

function readEvent(slug: string) {
  const detail = getEvent(snapshot, slug, FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error(`${slug} is not there`);
  return detail;
}
function nodesOf(slug: string, now_ms = FRIDAY_NOON_MS) {
  const node = eventJsonLd(readEvent(slug), 'es', SITE, now_ms);
  const { '@graph': graph, ...single } = v.parse(DocumentSchema, JSON.parse(JSON.stringify(node)));
  return v.parse(v.array(EventNodeSchema), graph ?? [single]);
}

test.each([
  // An unknown end is omitted; all-day events have dates without times.
  ['concierto-unico-a-b', '2026-11-20T19:00:00-05:00', undefined],
  ['feria-diaria', '2026-11-20T10:00:00-05:00', '2026-11-20T14:00:00-05:00'],
  ['exposicion-larga', '2026-11-01', '2026-12-30'],
])('%s begins %s and ends %s', (slug, startDate, endDate) => {
  const [node] = nodesOf(slug);
  expect([node?.startDate, node?.endDate]).toEqual([startDate, endDate]);
});

test('an event without a venue has a place with an address, or an online location with its link', () => {
  expect(nodesOf('exposicion-larga')[0]?.location).toMatchObject({ name: 'Frente al kiosco' });
  const detail = readEvent('exposicion-larga');
  const online = { zone: null, location_note: { es: 'En línea', en: 'Online' } };
  const event = { ...detail.event, ...online, ticket_url: 'https://boletos.example/a' };
  expect(eventJsonLd({ ...detail, event }, 'es', SITE, FRIDAY_NOON_MS)).toMatchObject({
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: 'https://boletos.example/a' },
  });
});

test('a venue has its coordinates, address, weekly hours and exceptions', () => {
  const readPlace = (slug: string): unknown => {
    const venue = getVenue(snapshot, slug);
    return venue && JSON.parse(JSON.stringify(venueJsonLd(venue, null, 'es', SITE)));
  };
  expect(readPlace('malecon-inventado')).toMatchObject({
    '@type': 'Place',
    geo: { latitude: 21.1266, longitude: -86.8161 },
    address: { postalCode: '77500', addressLocality: 'Cancún' },
    openingHoursSpecification: [
      { opens: '09:00', closes: '18:00' },
      {
        dayOfWeek: ['https://schema.org/Friday', 'https://schema.org/Saturday'],
        ...{ opens: '20:00', closes: '02:00', validThrough: '2026-12-31' },
      },
    ],
    specialOpeningHoursSpecification: [
      { validFrom: '2026-12-24', validThrough: '2026-12-24', opens: '09:00', closes: '13:00' },
      { validFrom: '2026-12-31', opens: '00:00', closes: '00:00' },
    ],
  });
  expect(readPlace('foro-sin-punto')).not.toHaveProperty('openingHoursSpecification');
});

test('a date whose hour has changed is rescheduled from its first start', () => {
  const detail = readEvent('concierto-unico-a-b');
  const occurrences = detail.occurrences.map((one) => ({
    ...one,
    id: one.id.replace(/T\d+$/, 'T1730'),
  }));
  const toNode = (changed: object) =>
    eventJsonLd(
      { ...detail, occurrences: occurrences.map((one) => ({ ...one, ...changed })) },
      ...(['es', SITE, FRIDAY_NOON_MS] as const),
    );
  expect(toNode({})).toMatchObject({
    eventStatus: 'https://schema.org/EventRescheduled',
    previousStartDate: '2026-11-20T17:30:00-05:00',
    startDate: '2026-11-20T19:00:00-05:00',
  });
  expect(toNode({ status: 'cancelled' })).not.toHaveProperty('previousStartDate');
  expect(nodesOf('concierto-unico-a-b')[0]?.eventStatus).toBe('https://schema.org/EventScheduled');
});

const SATURDAY_NOON_MS = localMs('2026-11-21T12:00:00');

test('unconfirmed repeating dates are the next few, each with the advice of the page', () => {
  const nodes = nodesOf('fiesta-de-viernes', SATURDAY_NOON_MS);
  expect(nodes).toHaveLength(4);
  for (const { description } of nodes)
    expect(description).toMatch(/Sin confirmar para esta fecha; pregunta antes de ir\.$/);
});

test('each date has the advice of its own certainty, and its note', () => {
  const detail = readEvent('fiesta-de-viernes');
  const [first, ...others] = detail.occurrences;
  if (!first) throw new Error('it has no dates');
  const notes = { es: 'Al atardecer.', en: 'At sunset.' };
  const confirmed = { ...first, certainty: 'confirmed', notes } as const;
  const { summary } = detail.event;
  const node = eventJsonLd(
    { ...detail, occurrences: [confirmed, ...others] },
    'en',
    SITE,
    first.start_ms,
  );
  expect(node).toMatchObject({
    '@graph': [
      { description: `${summary.en} At sunset.` },
      { description: expect.stringMatching(/Not confirmed for this date; check before you go\.$/) },
      ...Array(3).fill({}),
    ],
  });
});

test('an unknown hour and the note of an editor are stated', () => {
  const detail = readEvent('fiesta-de-viernes');
  const confirm_note = { es: 'Llama al 998 000 0000.', en: 'Call 998 000 0000.' };
  const [date] = detail.occurrences;
  if (!date) throw new Error('it has no dates');
  const occurrences = [{ ...date, all_day: true, time_known: false }];
  const node = eventJsonLd(
    { ...detail, event: { ...detail.event, confirm_note }, occurrences },
    'en',
    SITE,
    date.start_ms,
  );
  expect(node?.description).toMatch(
    / Time to be confirmed\. Not confirmed for this date\. Call 998 000 0000\.$/,
  );
});
