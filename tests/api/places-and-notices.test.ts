// Venues, organizers and notices (contract 4, 8).
import { afterAll, describe, expect, test } from 'vitest';
import {
  EventListResponse,
  NoticeListResponse,
  OrganizerResponse,
  VenueResponse,
} from '../../src/serializers/wire/responses.ts';
import { ask, askFor } from '../fixtures/ask.ts';
import { SITE } from '../fixtures/site.ts';
import { at, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);

describe('a venue', () => {
  test('has all that is known of it, and what is upcoming there in order', () => {
    const { data } = askFor(snapshot, VenueResponse, '/api/v1/venues/malecon-inventado?lang=en');
    expect(data).toMatchObject({
      slug: 'malecon-inventado',
      url: `${SITE.url}/en/venues/malecon-inventado`,
      url_es: `${SITE.url}/lugares/malecon-inventado`,
      zone: { key: 'tajamar' },
      lat: 21.1266,
      lng: -86.8161,
      capacity: 300,
      accessibility: 'Ramp at the entrance',
      postal_code: '77500',
      website: 'https://malecon.example/',
      phone: null,
      coordinates: 'venue',
      zone_lat: null,
      zone_lng: null,
      source_published: '2026-10-25',
      source_checked: '2026-11-20',
    });
    expect(data.upcoming_events.map((event) => event.title)).toEqual([
      'Everyday Fair',
      'One-off Concert',
    ]);
  });

  test('without coordinates has null for them, the middle of its zone beside them and directions by its name (contract 4.16)', () => {
    const { data } = askFor(snapshot, VenueResponse, '/api/v1/venues/foro-sin-punto');
    expect(data).toMatchObject({
      lat: null,
      lng: null,
      coordinates: 'zone',
      zone_lat: 21.23114,
      zone_lng: -86.73105,
      source_published: null,
      source_checked: '2026-01-10',
      directions_url: expect.stringContaining('Foro%20sin%20Punto'),
    });
  });

  test.each(['venues/malecon-inventado', 'organizers/colectivo-de-prueba'])(
    'that was published and whose file is gone is gone, too: %s, and its calendar',
    async (path) => {
      const gone = { ...snapshot, findId: () => 'gone' as const };
      for (const address of [`/api/v1/${path}`, `/${path}.ics`]) {
        const answer = await ask(gone, address);
        expect([answer.status, String(answer.body).includes('"gone"')], address).toEqual([
          410,
          true,
        ]);
      }
    },
  );

  test.each([
    ['21.23114,-86.73105', 1, ['zone', 'zone'], [0, 0], { count: 2, off_km: null }],
    ['21.1266,-86.8161', 1, ['venue', 'venue'], [0, 0], undefined],
    ['21.24013,-86.73105', 1.1, ['zone', 'zone'], [1, 1], { count: 2, off_km: null }],
  ])(
    'of which only the zone is known is near its middle, and says so: %s (contract 4.16)',
    (point, radius_km, coordinates, distances, measured_to_zone) => {
      const query = `near=${point}&radius_km=${radius_km}&to=2026-11-30`;
      const { data, meta } = askFor(snapshot, EventListResponse, `/api/v1/events?${query}`);
      expect(data.map(({ venue }) => venue?.coordinates)).toEqual(coordinates);
      expect(data.map(({ distance_km }) => distance_km)).toEqual(distances);
      expect(meta).toMatchObject({ without_place: 1 });
      expect(meta.measured_to_zone).toEqual(measured_to_zone);
    },
  );

  test.each([
    ['2026-11-20T12:00', true, ['09:00–18:00 last 17:30', '20:00–02:00'], null, []],
    ['2026-11-22T12:00', true, ['09:00–18:00 last 17:30'], null, ['national', 'resident']],
    ['2026-11-23T12:00', false, [], null, []],
    ['2026-12-24T12:00', true, ['09:00–13:00'], 'Half day', []],
    ['2026-12-25T12:00', false, [], 'Christmas Day', []],
    ['2026-12-31T12:00', false, [], null, []],
  ])(
    'at %s it says whether it opens that day (%s), its hours and why (contract 4.13)',
    (moment, open, hours, note, free_for) => {
      const { today } = askFor(
        snapshot,
        VenueResponse,
        '/api/v1/venues/malecon-inventado?lang=en',
        {
          now_ms: at(moment),
        },
      ).data;
      expect(today).toMatchObject({ date: moment.slice(0, 10), open, note, free_for });
      expect(
        today?.spans.map(
          ({ opens, closes, last_entry }) =>
            `${opens.slice(11, 16)}–${closes?.slice(11, 16)}${last_entry === null ? '' : ` last ${last_entry.slice(11, 16)}`}`,
        ),
      ).toEqual(hours);
    },
  );

  test('says its week, its free days and its prices; one of unknown hours is open without spans', () => {
    const { data } = askFor(snapshot, VenueResponse, '/api/v1/venues/malecon-inventado?lang=en');
    expect(data).toMatchObject({
      open_place: true,
      hours: {
        rules: [{ open: '09:00', close: '18:00', last_entry: '17:30' }, { until: '2026-12-31' }],
        exceptions: [{ date: '2026-12-24', note: 'Half day' }, { open: null }],
        closed_on: ['christmas', 'new-year'],
        note: 'Made up.',
      },
      admission: [
        { visitor: 'foreign', amount: 210, currency: 'MXN', note: null },
        { visitor: 'national', amount: 105, note: 'with ID' },
        { visitor: 'child', amount: 0 },
      ],
    });
    const foro = askFor(snapshot, VenueResponse, '/api/v1/venues/foro-sin-punto', {
      now_ms: at('2026-11-21T12:00'),
    }).data;
    expect(foro.today).toMatchObject({ open: true, spans: [] });
  });

  test('is found by its id too', () => {
    const { id } = askFor(snapshot, VenueResponse, '/api/v1/venues/foro-sin-punto').data;
    expect(askFor(snapshot, VenueResponse, `/api/v1/venues/${id}`).data.slug).toBe(
      'foro-sin-punto',
    );
  });

  test('takes no filters: a name that comes near lang is a fault, any other is passed over', () => {
    expect(ask(snapshot, '/api/v1/venues/foro-sin-punto?idioma=en').status).toBe(400);
    expect(ask(snapshot, '/api/v1/venues/foro-sin-punto?lang=de').status).toBe(400);
    expect(ask(snapshot, '/api/v1/venues/foro-sin-punto?utm_source=x').status).toBe(200);
  });
});

test('an organizer has what is upcoming of theirs', () => {
  const { data } = askFor(snapshot, OrganizerResponse, '/api/v1/organizers/colectivo-de-prueba');
  expect(data).toMatchObject({
    type: 'colectivo',
    source_published: '2026-10-25',
    source_checked: '2026-11-20',
    verified: true,
    url: `${SITE.url}/organizadores/colectivo-de-prueba`,
  });
  expect(data.upcoming_events.map((event) => event.organizer?.name)).toEqual([
    'Colectivo de Prueba',
  ]);
});

describe('notices', () => {
  const titles = (query: string, now = '2026-11-20T12:00:00') => {
    const { data, meta } = askFor(snapshot, NoticeListResponse, `/api/v1/notices${query}`, {
      now_ms: at(now),
    });
    return { date: meta.date, count: meta.count, titles: data.map((notice) => notice.title) };
  };

  test('of today, the gravest first', () => {
    expect(titles('')).toEqual({
      date: '2026-11-20',
      count: 2,
      titles: ['Oleaje alto', 'Calle cerrada'],
    });
  });

  test('of tomorrow and of any day', () => {
    expect(titles('?date=tomorrow')).toEqual({
      date: '2026-11-21',
      count: 3,
      titles: ['Alerta de prueba', 'Oleaje alto', 'Calle cerrada'],
    });
    expect(titles('?date=2026-11-21')).toEqual(titles('?date=tomorrow'));
  });

  test.each([
    ['?date=tomorrow&zone=zona-hotelera', ['Alerta de prueba', 'Oleaje alto', 'Calle cerrada']],
    ['?date=tomorrow&zone=centro', ['Alerta de prueba', 'Calle cerrada']],
    ['?date=tomorrow&type=weather', ['Oleaje alto']],
    ['?type=health', []],
    ['?date=tomorrow&type=health&zone=downtown,tajamar', ['Alerta de prueba']],
  ])('of %s are those of the type and zone, with what holds everywhere: %j', (query, expected) => {
    expect(titles(query)).toMatchObject({ count: expected.length, titles: expected });
  });

  test('of an unknown type, zone and day hear of all three', () => {
    const { status, body } = ask(snapshot, '/api/v1/notices?type=sun&zone=atlantis&date=x');
    expect(status).toBe(400);
    for (const name of ['type: ', 'zone: ', 'date: ']) expect(String(body)).toContain(name);
  });

  test('turn with the day in Cancún', () => {
    expect(titles('', '2026-11-20T23:59:59').date).toBe('2026-11-20');
    expect(titles('', '2026-11-21T00:00:00').date).toBe('2026-11-21');
  });

  test.each(['weekend', 'week', '2026-02-30', 'hoy'])(
    'date=%s is a fault that names date',
    (date) => {
      const answer = ask(snapshot, `/api/v1/notices?date=${date}`);
      expect([answer.status, String(answer.body)]).toEqual([
        400,
        expect.stringContaining('date: '),
      ]);
    },
  );

  test('name their zone by its key, in either language', () => {
    const { data } = askFor(snapshot, NoticeListResponse, '/api/v1/notices?lang=en');
    expect(data[0]).toMatchObject({
      title: 'High surf',
      zone: 'hotel-zone',
      starts_at: '2026-11-20T00:00:00-05:00',
      ends_at: '2026-11-22T00:00:00-05:00',
      source_published: '2026-10-25',
      source_checked: '2026-11-20',
    });
  });
});
