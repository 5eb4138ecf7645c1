// Record operations: venues, organizers and days (contract 4, 8).
import { describe, expect, test } from 'vitest';
import { DayResponse, OrganizerResponse, VenueResponse } from '../fixtures/responses.ts';
import { requestApi, getFromApi } from '../fixtures/ask.ts';
import { localMs, useFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot } = useFixture();

describe('a venue', () => {
  test('has all its fields, and its upcoming events in order', () => {
    const { data } = getFromApi(
      snapshot,
      VenueResponse,
      '/api/v1/venues/malecon-inventado?lang=en',
    );
    expect(data).toMatchObject({
      slug: 'malecon-inventado',
      url: `${SITE.url}/en/venues/malecon-inventado`,
      zone: { key: 'tajamar' },
      lat: 21.1266,
      lng: -86.8161,
      coordinates: 'venue',
      zone_lat: null,
      source_published: '2026-10-25',
      source_checked: '2026-11-20',
    });
    const titles = data.upcoming_events.map((event) => event.title);
    expect(titles).toEqual(['Everyday Fair', 'One-off Concert']);
  });

  test('without coordinates has null, the center of its zone and directions by name (contract 4.16)', () => {
    const { data } = getFromApi(snapshot, VenueResponse, '/api/v1/venues/foro-sin-punto');
    expect(data).toMatchObject({
      lat: null,
      coordinates: 'zone',
      zone_lat: 21.23114,
      zone_lng: -86.73105,
      directions_url: expect.stringContaining('Foro%20sin%20Punto'),
    });
  });

  const PATHS = ['venues/malecon-inventado', 'organizers/colectivo-de-prueba'];
  test.each(PATHS)('without content file is gone, and so is its calendar: %s', (path) => {
    const gone = { ...snapshot, findId: () => 'gone' as const };
    for (const address of [`/api/v1/${path}`, `/${path}.ics`]) {
      const { status, body } = requestApi(gone, address);
      expect([status, String(body).includes('"gone"')], address).toEqual([410, true]);
    }
  });

  test.each([
    ['2026-11-20T12:00', true, ['09:00–18:00 last 17:30', '20:00–02:00'], null, ['child']],
    ['2026-11-22T12:00', true, ['09:00–18:00 last 17:30'], null, ['national', 'resident', 'child']],
    ['2026-12-24T12:00', true, ['09:00–13:00'], 'Half day', ['child']],
    ['2026-12-25T12:00', false, [], 'Christmas Day', []],
  ])('at %s is open: %s, with its hours and a reason (contract 4.13)', (...row) => {
    const [moment, open, hours, note, free_for] = row;
    const address = '/api/v1/venues/malecon-inventado?lang=en';
    const { today } = getFromApi(snapshot, VenueResponse, address, {
      now_ms: localMs(moment),
    }).data;
    expect(today).toMatchObject({ date: moment.slice(0, 10), open, note, free_for });
    const clock = (timestamp: string | null) => timestamp?.slice(11, 16);
    const formatted_hours = today?.spans.map(({ opens, closes, last_entry }) => {
      const last = last_entry === null ? '' : ` last ${clock(last_entry)}`;
      return `${clock(opens)}–${clock(closes)}${last}`;
    });
    expect(formatted_hours).toEqual(hours);
  });
});

test('an organizer has its upcoming events', () => {
  const { data } = getFromApi(
    snapshot,
    OrganizerResponse,
    '/api/v1/organizers/colectivo-de-prueba',
  );
  expect(data).toMatchObject({ type: 'colectivo', verified: true });
  const names = data.upcoming_events.map((event) => event.organizer?.name);
  expect(names).toEqual(['Colectivo de Prueba']);
});

const readDay = (date: string, query = '', now = '2026-11-20T12:00:00') =>
  getFromApi(snapshot, DayResponse, `/api/v1/days/${date}${query}`, { now_ms: localMs(now) }).data;

describe('a day', () => {
  test('has its holidays with their closures, and the next feast', () => {
    const { sky, ...day } = readDay('2026-12-25');
    const christmas = { key: 'christmas', name: 'Navidad', kind: 'statutory' };
    expect(day).toMatchObject({
      date: '2026-12-25',
      holidays: [{ ...christmas, closes: ['banks', 'offices'] }],
      next_feast: { key: 'new-year', name: 'Año Nuevo', date: '2027-01-01', days_to_go: 7 },
      links: [{ topic: 'sargassum', name: 'Semáforo del sargazo', checked: '2026-11-20' }],
    });
    expect(day.text).toContain('Navidad');
    expect(sky.sunset).toMatch(/^2026-12-25T18:\d\d:00-05:00$/);
  });

  test.each([
    ['today', '2026-11-21T00:00:00', '2026-11-21'],
    ['tomorrow', '2026-11-20T23:59:59', '2026-11-21'],
    ['2199-12-31', undefined, '2199-12-31'],
  ])('%s at %s is %s', (keyword, now, date) => {
    expect(readDay(keyword, '', now).date).toBe(date);
  });
});

test.each(['weekend', '2026-02-30', '2200-01-01'])(
  '%s is not a valid day: 400 that names date',
  (date) => {
    const response = requestApi(snapshot, `/api/v1/days/${date}`);
    expect([response.status, String(response.body)]).toEqual([
      400,
      expect.stringContaining('date: '),
    ]);
  },
);
