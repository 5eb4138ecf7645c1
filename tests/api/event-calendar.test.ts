// One event's calendars: the file of one day, and the one to follow (contract 8.15, 8.16).
import ICAL from 'ical.js';
import { afterAll, describe, expect, test } from 'vitest';
import { ask } from '../fixtures/ask.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);

function read(address: string, now_ms = FRIDAY_NOON_MS) {
  const answer = ask(snapshot, address, { now_ms });
  if (answer.status !== 200) throw new Error(String(answer.body));
  const calendar = ICAL.Component.fromString(String(answer.body));
  const events = calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    start: String(event.getFirstPropertyValue('dtstart')),
    status: String(event.getFirstPropertyValue('status')),
  }));
  const of = (name: string): string => String(calendar.getFirstPropertyValue(name));
  return { headers: answer.headers, events, of };
}
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
