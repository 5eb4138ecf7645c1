// Calendar operations: names, ranges, limits, one UID per occurrence (contract 8.5, 12).
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { requestApi } from '../fixtures/ask.ts';
import { SITE } from '../fixtures/site.ts';
import { useFixture } from '../fixtures/fixture.ts';

const { snapshot } = useFixture();

function read(url: string) {
  const response = requestApi(snapshot, url);
  if (response.status !== 200) throw new Error(String(response.body));
  const calendar = ICAL.Component.fromString(String(response.body));
  const property = (name: string): string => String(calendar.getFirstPropertyValue(name));
  const events = calendar.getAllSubcomponents('vevent').map((event) => {
    const get = (name: string): string => String(event.getFirstPropertyValue(name));
    const [uid, summary, status] = [get('uid'), get('summary'), get('status')];
    return { uid, summary, status, start: get('dtstart') };
  });
  return { headers: response.headers, property, events };
}

describe('the feed', () => {
  test('contains today and the sixty days after it', () => {
    const { events } = read('/api/v1/events.ics?category=markets');
    const days = events.map(({ start }) => start.slice(0, 10));
    expect([days[0], days.at(-1)]).toEqual(['2026-11-20', '2027-01-19']);
    expect(days).not.toContain('2026-11-22');
  });

  test.each([
    [
      '?category=mercados,party&zone=isla-mujeres&free=1',
      'Hoy Cancún: Mercados\\, Fiesta\\, Isla Mujeres\\, con entrada gratis',
    ],
    [
      '?q=jazz;%20"a"&near=21.1,-86.8&radius_km=2&lang=en&date=weekend',
      'Hoy Cancún: “jazz\\; "a"”\\, within 2 km of 21.1\\,-86.8\\, weekend',
    ],
    [
      '?venue=foro-sin-punto&price_max=200&status=postponed&lang=en',
      'Hoy Cancún: postponed\\, up to $200\\, Foro sin Punto',
    ],
  ])('%s has its filters in its name', (query, name) => {
    const text = String(requestApi(snapshot, `/api/v1/events.ics${query}`).body).replaceAll(
      '\r\n ',
      '',
    );
    for (const line of [`NAME:${name}`, `X-WR-CALNAME:${name}`])
      expect(text.split('\r\n')).toContain(line);
  });

  test('of selected events has the next date of each, or all dates in a range', () => {
    const slugs = ['feria-diaria', 'obra-pospuesta', 'taller-pasado', 'carnaval-inventado'];
    const selected = snapshot.index.cards.filter(({ event }) => slugs.includes(event.slug.es));
    const ids = selected.map(({ event }) => event.id).join();
    const listDays = (query: string): string[] =>
      read(`/api/v1/events.ics?ids=${ids},ev_gone${query}`).events.map(({ start }) =>
        start.slice(0, 10),
      );
    expect(listDays('')).toEqual(['2026-11-20', '2026-11-28', '2027-02-05']);
    expect(listDays('&date=weekend')).toEqual(['2026-11-20', '2026-11-21']);
  });

  test('has a note in its description if the limit was reached', () => {
    expect(read('/api/v1/events.ics?limit=3').events).toHaveLength(3);
    expect(read('/api/v1/events.ics?limit=3').property('description')).toContain('3 fechas');
    expect(read('/api/v1/events.ics').property('description')).not.toContain('fechas');
  });

  test('has its source URL and refresh interval', () => {
    const { property, headers } = read('/api/v1/events.ics?zone=centro&q=');
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="agenda.ics"',
    });
    expect(property('source')).toBe(`${SITE.url}/api/v1/events.ics?zone=centro`);
    expect([property('refresh-interval'), property('x-published-ttl')]).toEqual(['PT6H', 'PT6H']);
    expect(property('method')).toBe('null');
  });
});

describe('the calendar of one record', () => {
  test('of an event has all its dates, with the UIDs of the feed', () => {
    const file = read('/api/v1/events/feria-diaria.ics');
    expect(file.headers['content-disposition']).toBe('inline; filename="feria-diaria.ics"');
    expect(file.property('name')).toBe('Feria diaria');
    const uids = new Set(file.events.map((event) => event.uid));
    expect(uids.size).toBe(file.events.length);
    for (const event of read('/api/v1/events.ics?category=markets').events)
      expect(uids).toContain(event.uid);
  });

  test.each([
    ['/venues/foro-sin-punto.ics', ['Friday Night Out', 'POSTPONED: Postponed Play']],
    ['/organizers/colectivo-de-prueba.ics', ['Everyday Fair', 'CANCELLED: Everyday Fair']],
  ])('%s has the events of the next sixty days', (path, titles) => {
    const { events } = read(`${path}?lang=en`);
    expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(titles));
  });
});

const errorOf = (url: string) => {
  const { status, body } = requestApi(snapshot, url);
  return { status, message: JSON.parse(String(body)).error.message };
};

describe('the file of one day', () => {
  test('accepts keywords for a single day', () => {
    const eventsOn = (date: string) => read(`/api/v1/events/feria-diaria.ics?date=${date}`).events;
    expect(eventsOn('today')).toMatchObject([{ start: '2026-11-20T10:00:00' }]);
    expect(eventsOn('2026-11-21')).toMatchObject([{ status: 'CANCELLED' }]);
    expect(errorOf('/api/v1/events/feria-diaria.ics?date=weekend').status).toBe(400);
  });

  test('contains only that day, with the UID of the feeds', () => {
    const feed = read('/api/v1/events.ics?category=markets').events;
    const { events, headers } = read('/api/v1/events/feria-diaria.ics?date=2026-11-24');
    expect(events).toHaveLength(1);
    expect(feed).toContainEqual(events[0]);
    expect(headers['content-disposition']).toBe('inline; filename="feria-diaria-2026-11-24.ics"');
  });

  test('does not exist for another day; the error names the next ones', () => {
    const message_start = 'date: the event has no date on 2026-11-22. Its next ones: ';
    expect(errorOf('/api/v1/events/feria-diaria.ics?date=2026-11-22')).toEqual({
      ...{ status: 404, message: `${message_start}2026-11-20, 2026-11-21, 2026-11-23` },
    });
    const past = errorOf('/api/v1/events/taller-pasado.ics?date=2026-11-22');
    expect(past.message).toMatch(/Its last one: 2025-03-10$/);
  });
});

describe('the subscription calendar', () => {
  test('starts a week ago and contains sixty dates ahead, with a note', () => {
    const { events, property } = read('/events/feria-diaria.ics');
    expect(events).toHaveLength(7 + 60);
    expect(events[0]?.start).toBe('2026-11-13T10:00:00');
    expect(property('description')).toContain('60');
  });

  test('is available by the slug of either language and by id, in either language', () => {
    const [event] = read('/events/feria-diaria.ics').events;
    const id = event?.uid.slice(0, event.uid.indexOf('-'));
    for (const name of ['everyday-fair', id])
      expect(read(`/events/${name}.ics`).events).toHaveLength(67);
    expect(read('/events/everyday-fair.ics?lang=en').property('x-wr-calname')).toBe(
      'Everyday Fair',
    );
  });
});
