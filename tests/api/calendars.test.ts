// The calendars over the API: names, files, ranges, limits, one UID an occurrence everywhere; of an event the
// file of one day and the one to follow (contract 8.5, 12).
import ICAL from 'ical.js';
import { afterAll, describe, expect, test } from 'vitest';
import { ask } from '../fixtures/ask.ts';
import { SITE } from '../fixtures/site.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);

function read(address: string, now_ms = FRIDAY_NOON_MS) {
  const answer = ask(snapshot, address, { now_ms });
  if (answer.status !== 200) throw new Error(String(answer.body));
  const calendar = ICAL.Component.fromString(String(answer.body));
  const of = (name: string): string => String(calendar.getFirstPropertyValue(name));
  const events = calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    summary: String(event.getFirstPropertyValue('summary')),
    status: String(event.getFirstPropertyValue('status')),
    start: String(event.getFirstPropertyValue('dtstart')),
  }));
  return { headers: answer.headers, of, events };
}

describe('the feed', () => {
  test('holds today and the sixty days after it', () => {
    const days = read('/api/v1/events.ics?category=markets').events.map((event) =>
      event.start.slice(0, 10),
    );
    expect([days[0], days.at(-1)]).toEqual(['2026-11-20', '2027-01-19']);
    expect(days).not.toContain('2026-11-22');
  });

  test('is a calendar file by its headers', () => {
    expect(read('/api/v1/events.ics').headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="agenda.ics"',
    });
  });

  test.each([
    ['', 'Hoy Cancún'],
    [
      '?category=mercados,party&zone=isla-mujeres&free=1',
      'Hoy Cancún: Mercados\\, Fiesta\\, Isla Mujeres\\, gratis',
    ],
    ['?family=true&date=weekend&lang=en', 'Hoy Cancún: family\\, weekend'],
    [
      '?q=jazz;%20"a"&near=21.1,-86.8&radius_km=2',
      'Hoy Cancún: «jazz\\; "a"»\\, a 2 km de 21.1\\,-86.8',
    ],
    ['?from=2026-12-01&to=2026-12-24', 'Hoy Cancún: del 2026-12-01 al 2026-12-24'],
    ['?from=2026-12-01', 'Hoy Cancún: desde 2026-12-01'],
    ['?to=2026-12-01', 'Hoy Cancún: hasta 2026-12-01'],
    ['?date=2026-12-24', 'Hoy Cancún: 2026-12-24'],
    [
      '?venue=foro-sin-punto&price_max=200&status=postponed&lang=en',
      'Hoy Cancún: postponed\\, up to $200\\, Foro sin Punto',
    ],
  ])('%s says its filters in its name', (query, name) => {
    const text = String(ask(snapshot, `/api/v1/events.ics${query}`).body).replaceAll('\r\n ', '');
    const lines = text.split('\r\n');
    expect(lines).toContain(`NAME:${name}`);
    expect(lines).toContain(`X-WR-CALNAME:${name}`);
  });

  test('says in its description that its limit cut it', () => {
    expect(read('/api/v1/events.ics?limit=3').events).toHaveLength(3);
    expect(read('/api/v1/events.ics?limit=3').of('description')).toContain('3 fechas');
    expect(read('/api/v1/events.ics').of('description')).not.toContain('fechas');
  });

  test.each([
    ['limit=1', 200],
    ['limit=1000', 200],
    ['limit=1001', 400],
    ['limit=0', 400],
    ['cursor=x', 400],
  ])('?%s is %i', (query, status) => {
    expect(ask(snapshot, `/api/v1/events.ics?${query}`).status).toBe(status);
  });

  test('keeps what was cancelled and postponed, by status and in words', () => {
    const { events } = read('/api/v1/events.ics');
    expect(
      events
        .filter((event) => event.status !== 'CONFIRMED')
        .map(({ summary, status }) => [summary, status]),
    ).toEqual([
      ['CANCELADO: Feria diaria', 'CANCELLED'],
      ['POSPUESTO: Obra pospuesta', 'TENTATIVE'],
    ]);
    expect(read('/api/v1/events.ics?lang=en').events.map((event) => event.summary)).toContain(
      'CANCELLED: Everyday Fair',
    );
  });

  test('is the same all day, byte for byte, and another the day after', () => {
    const bytes = (local: string): string =>
      String(ask(snapshot, '/api/v1/events.ics', { now_ms: at(local) }).body);
    expect(bytes('2026-11-20T23:59:59')).toBe(bytes('2026-11-20T00:00:00'));
    expect(bytes('2026-11-21T00:00:00')).not.toBe(bytes('2026-11-20T23:59:59'));
  });

  test('says where it comes from and when to come back', () => {
    const { of } = read('/api/v1/events.ics?zone=centro&q=');
    expect(of('source')).toBe(`${SITE.url}/api/v1/events.ics?zone=centro`);
    expect([of('refresh-interval'), of('x-published-ttl')]).toEqual(['PT6H', 'PT6H']);
    expect(of('method')).toBe('null');
  });
});

describe('the calendar of one thing', () => {
  test('an event has all its dates, with the UIDs of the feed', () => {
    const file = read('/api/v1/events/feria-diaria.ics');
    expect(file.headers['content-disposition']).toBe('inline; filename="feria-diaria.ics"');
    expect(file.of('name')).toBe('Feria diaria');
    const uids = new Set(file.events.map((event) => event.uid));
    expect(uids.size).toBe(file.events.length);
    for (const event of read('/api/v1/events.ics?category=markets').events)
      expect(uids).toContain(event.uid);
  });

  test('a past event has its date', () => {
    expect(read('/api/v1/events/taller-pasado.ics').events).toMatchObject([
      { start: '2025-03-10T18:00:00' },
    ]);
  });

  test('an event by any of its names is the same file', () => {
    const body = (name: string): string => String(ask(snapshot, `/api/v1/events/${name}.ics`).body);
    expect(body('one-off-concert')).toBe(body('concierto-unico-a-b'));
    expect(body('concierto-viejo')).toBe(body('concierto-unico-a-b'));
  });

  test('a venue and an organizer have what is on there in the coming sixty days', () => {
    const venue = read('/venues/foro-sin-punto.ics?lang=en');
    expect(venue.of('name')).toBe('Hoy Cancún: Foro sin Punto');
    expect(new Set(venue.events.map((event) => event.summary))).toEqual(
      new Set(['Friday Night Out', 'POSTPONED: Postponed Play']),
    );
    expect(
      new Set(
        read('/organizers/colectivo-de-prueba.ics').events.map((event) =>
          event.summary.replace(/^CANCELADO: /, ''),
        ),
      ),
    ).toEqual(new Set(['Feria diaria']));
  });
});

const refusal = (address: string) => {
  const { status, body } = ask(snapshot, address);
  return { status, message: JSON.parse(String(body)).error.message };
};

describe('the file of one day', () => {
  test('holds that day alone, with the UID it has in the feeds', () => {
    const feed = read('/api/v1/events.ics?category=markets').events;
    const { events, headers, of } = read('/api/v1/events/feria-diaria.ics?date=2026-11-24');
    expect(events).toHaveLength(1);
    expect(feed).toContainEqual(events[0]);
    expect(events[0]?.start).toBe('2026-11-24T10:00:00');
    expect(headers['content-disposition']).toBe('inline; filename="feria-diaria-2026-11-24.ics"');
    expect(of('source')).toMatch(/\.ics\?date=2026-11-24$/);
  });

  test('says of a day that was called off that it was', () => {
    expect(read('/api/v1/events/feria-diaria.ics?date=2026-11-21').events).toMatchObject([
      { status: 'CANCELLED' },
    ]);
  });

  test.each(['today', '2026-11-20'])('takes %s', (date) => {
    expect(read(`/api/v1/events/feria-diaria.ics?date=${date}`).events).toMatchObject([
      { start: '2026-11-20T10:00:00' },
    ]);
  });

  test('takes any day of what lasts several', () => {
    const all = read('/api/v1/events/exposicion-larga.ics').events;
    expect(read('/api/v1/events/exposicion-larga.ics?date=2026-11-21').events).toEqual(all);
  });

  test('does not exist for another day, and names the next ones', () => {
    expect(refusal('/api/v1/events/feria-diaria.ics?date=2026-11-22')).toEqual({
      status: 404,
      message:
        'date: the event has no date on 2026-11-22. Its next ones: 2026-11-20, 2026-11-21, 2026-11-23',
    });
    expect(refusal('/api/v1/events/taller-pasado.ics?date=2026-11-22').message).toMatch(
      /Its last one: 2025-03-10$/,
    );
  });

  test.each(['2026-02-30', 'manana', 'weekend'])('refuses date=%s', (date) => {
    expect(refusal(`/api/v1/events/feria-diaria.ics?date=${date}`)).toEqual({
      status: 400,
      message: `date: '${date}' is not accepted. Use today, tomorrow or a day as YYYY-MM-DD. Today is 2026-11-20 in Cancún`,
    });
  });
});

describe('the calendar to follow', () => {
  test('begins a week ago and holds sixty dates ahead, in words too', () => {
    const { events, of } = read('/events/feria-diaria.ics');
    expect(events).toHaveLength(7 + 60);
    expect(events[0]?.start).toBe('2026-11-13T10:00:00');
    expect(events[7]?.start).toBe('2026-11-20T10:00:00');
    expect(of('description')).toContain('Trae las próximas 60 fechas');
    expect(of('source')).toBe(`${SITE.url}/events/feria-diaria.ics`);
  });

  test('says the same all day long and moves on at midnight', () => {
    const first = (local: string) => read('/events/feria-diaria.ics', at(local)).events[0]?.start;
    expect(first('2026-11-20T23:59:00')).toBe('2026-11-13T10:00:00');
    expect(first('2026-11-21T00:01:00')).toBe('2026-11-14T10:00:00');
  });

  test('is had by the slug of either language and by the id, in either language', () => {
    const [event] = read('/events/feria-diaria.ics').events;
    const id = event?.uid.slice(0, event.uid.indexOf('-'));
    for (const name of ['everyday-fair', id])
      expect(read(`/events/${name}.ics`).events).toHaveLength(67);
    expect(read('/events/everyday-fair.ics?lang=en').of('x-wr-calname')).toBe('Everyday Fair');
  });

  test('of a few dates says nothing of sixty', () => {
    expect(read('/events/concierto-unico-a-b.ics').of('description')).not.toContain('60');
  });

  test('answers 404, 410 and 400 as its event does', () => {
    expect(ask(snapshot, '/events/nada.ics').status).toBe(404);
    expect(ask(snapshot, '/events/evento-retirado.ics').status).toBe(410);
    expect(ask(snapshot, '/events/feria-diaria.ics?lang=fr').status).toBe(400);
  });
});
