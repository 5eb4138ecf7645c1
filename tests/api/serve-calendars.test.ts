// Calendars over the API: names, ranges, limits, one UID an occurrence (contract 8.5, 12).
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { ask } from '../fixtures/ask.ts';
import { SITE } from '../fixtures/site.ts';
import { useFixture } from '../fixtures/fixture.ts';

const { snapshot } = useFixture();

function read(address: string) {
  const answer = ask(snapshot, address);
  if (answer.status !== 200) throw new Error(String(answer.body));
  const calendar = ICAL.Component.fromString(String(answer.body));
  const of = (name: string): string => String(calendar.getFirstPropertyValue(name));
  const events = calendar.getAllSubcomponents('vevent').map((event) => {
    const tell = (name: string): string => String(event.getFirstPropertyValue(name));
    const [uid, summary, status] = [tell('uid'), tell('summary'), tell('status')];
    return { uid, summary, status, start: tell('dtstart') };
  });
  return { headers: answer.headers, of, events };
}

describe('the feed', () => {
  test('holds today and the sixty days after it', () => {
    const { events } = read('/api/v1/events.ics?category=markets');
    const days = events.map(({ start }) => start.slice(0, 10));
    expect([days[0], days.at(-1)]).toEqual(['2026-11-20', '2027-01-19']);
    expect(days).not.toContain('2026-11-22');
  });

  test.each([
    [
      '?category=mercados,party&zone=isla-mujeres&free=1',
      'Hoy Cancún: Mercados\\, Fiesta\\, Isla Mujeres\\, gratis',
    ],
    [
      '?q=jazz;%20"a"&near=21.1,-86.8&radius_km=2&lang=en&date=weekend',
      'Hoy Cancún: “jazz\\; "a"”\\, within 2 km of 21.1\\,-86.8\\, weekend',
    ],
    [
      '?venue=foro-sin-punto&price_max=200&status=postponed&lang=en',
      'Hoy Cancún: postponed\\, up to $200\\, Foro sin Punto',
    ],
  ])('%s says its filters in its name', (query, name) => {
    const text = String(ask(snapshot, `/api/v1/events.ics${query}`).body).replaceAll('\r\n ', '');
    for (const line of [`NAME:${name}`, `X-WR-CALNAME:${name}`])
      expect(text.split('\r\n')).toContain(line);
  });

  test('of chosen events has the next date of each, and with days all of those', () => {
    const slugs = ['feria-diaria', 'obra-pospuesta', 'taller-pasado', 'carnaval-inventado'];
    const chosen = snapshot.index.cards.filter(({ event }) => slugs.includes(event.slug.es));
    const ids = chosen.map(({ event }) => event.id).join();
    const listDays = (query: string): string[] =>
      read(`/api/v1/events.ics?ids=${ids},ev_gone${query}`).events.map(({ start }) =>
        start.slice(0, 10),
      );
    expect(listDays('')).toEqual(['2026-11-20', '2026-11-28', '2027-02-05']);
    expect(listDays('&date=weekend')).toEqual(['2026-11-20', '2026-11-21']);
  });

  test('says in its description that its limit cut it', () => {
    expect(read('/api/v1/events.ics?limit=3').events).toHaveLength(3);
    expect(read('/api/v1/events.ics?limit=3').of('description')).toContain('3 fechas');
    expect(read('/api/v1/events.ics').of('description')).not.toContain('fechas');
  });

  test('says where it comes from and when to come back', () => {
    const { of, headers } = read('/api/v1/events.ics?zone=centro&q=');
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="agenda.ics"',
    });
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

  test.each([
    ['/venues/foro-sin-punto.ics', ['Friday Night Out', 'POSTPONED: Postponed Play']],
    ['/organizers/colectivo-de-prueba.ics', ['Everyday Fair', 'CANCELLED: Everyday Fair']],
  ])('%s has what is on in the coming sixty days', (path, titles) => {
    const { events } = read(`${path}?lang=en`);
    expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(titles));
  });
});

const refusal = (address: string) => {
  const { status, body } = ask(snapshot, address);
  return { status, message: JSON.parse(String(body)).error.message };
};

describe('the file of one day', () => {
  test('takes words for days that are one', () => {
    const of = (date: string) => read(`/api/v1/events/feria-diaria.ics?date=${date}`).events;
    expect(of('today')).toMatchObject([{ start: '2026-11-20T10:00:00' }]);
    expect(of('2026-11-21')).toMatchObject([{ status: 'CANCELLED' }]);
    expect(refusal('/api/v1/events/feria-diaria.ics?date=weekend').status).toBe(400);
  });

  test('holds that day alone, with the UID it has in the feeds', () => {
    const feed = read('/api/v1/events.ics?category=markets').events;
    const { events, headers } = read('/api/v1/events/feria-diaria.ics?date=2026-11-24');
    expect(events).toHaveLength(1);
    expect(feed).toContainEqual(events[0]);
    expect(headers['content-disposition']).toBe('inline; filename="feria-diaria-2026-11-24.ics"');
  });

  test('does not exist for another day, and names the next ones', () => {
    const says = 'date: the event has no date on 2026-11-22. Its next ones: ';
    expect(refusal('/api/v1/events/feria-diaria.ics?date=2026-11-22')).toEqual({
      ...{ status: 404, message: `${says}2026-11-20, 2026-11-21, 2026-11-23` },
    });
    const past = refusal('/api/v1/events/taller-pasado.ics?date=2026-11-22');
    expect(past.message).toMatch(/Its last one: 2025-03-10$/);
  });
});

describe('the calendar to follow', () => {
  test('begins a week ago and holds sixty dates ahead, in words too', () => {
    const { events, of } = read('/events/feria-diaria.ics');
    expect(events).toHaveLength(7 + 60);
    expect(events[0]?.start).toBe('2026-11-13T10:00:00');
    expect(of('description')).toContain('60');
  });

  test('is had by the slug of either language and by the id, in either language', () => {
    const [event] = read('/events/feria-diaria.ics').events;
    const id = event?.uid.slice(0, event.uid.indexOf('-'));
    for (const name of ['everyday-fair', id])
      expect(read(`/events/${name}.ics`).events).toHaveLength(67);
    expect(read('/events/everyday-fair.ics?lang=en').of('x-wr-calname')).toBe('Everyday Fair');
  });
});
