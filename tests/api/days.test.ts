// GET /api/v1/days/{date}: the day by word or date, a fault for anything else (contract 8.14).
import { afterAll, describe, expect, test } from 'vitest';
import { DayResponse } from '../../src/serializers/wire/responses.ts';
import { ask, askFor } from '../fixtures/ask.ts';
import { at, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const read = (date: string, query = '', now = '2026-11-20T12:00:00') =>
  askFor(snapshot, DayResponse, `/api/v1/days/${date}${query}`, { now_ms: at(now) }).data;

describe('a day', () => {
  test('is read by its date, with what it closes and the next feast', () => {
    const { sky, ...day } = read('2026-12-25');
    expect(day).toMatchObject({
      date: '2026-12-25',
      holidays: [
        { key: 'christmas', name: 'Navidad', kind: 'statutory', closes: ['banks', 'offices'] },
      ],
      next_feast: { key: 'new-year', name: 'Año Nuevo', date: '2027-01-01', days_to_go: 7 },
      links: [
        {
          topic: 'sargassum',
          name: 'Semáforo del sargazo',
          url: 'https://example.com/sargazo',
          checked: '2026-11-20',
        },
      ],
    });
    expect(day.open_places.every(({ today }) => today.date === '2026-12-25')).toBe(true);
    expect(day.text).toContain('Navidad, día festivo oficial');
    expect(sky.sunset).toMatch(/^2026-12-25T18:\d\d:00-05:00$/);
    expect(sky.sunrise).toMatch(/^2026-12-25T07:\d\d:00-05:00$/);
  });

  test('is in the language that is asked for', () => {
    expect(read('2026-12-25', '?lang=en')).toMatchObject({
      holidays: [{ key: 'christmas', name: 'Christmas Day' }],
      text: expect.stringContaining('Christmas Day, a public holiday'),
    });
  });

  test('today and tomorrow turn at midnight in Cancún', () => {
    expect(read('today', '', '2026-11-20T23:59:59').date).toBe('2026-11-20');
    expect(read('today', '', '2026-11-21T00:00:00').date).toBe('2026-11-21');
    expect(read('tomorrow', '', '2026-11-20T23:59:59').date).toBe('2026-11-21');
  });

  test('may be far from any event', () => {
    expect([read('2016-01-01').date, read('2199-12-31').date]).toEqual([
      '2016-01-01',
      '2199-12-31',
    ]);
  });

  test('is fresh for a minute, and not past midnight', () => {
    const answer = ask(snapshot, '/api/v1/days/today', { now_ms: at('2026-11-20T23:59:30') });
    expect(answer.headers['cache-control']).toMatch(/^public, max-age=30\b/);
  });
});

test.each([
  'weekend',
  'hoy',
  '2026-02-30',
  '20261125',
  '2015-12-31',
  '2200-01-01',
  '-000001-01-01',
])('%s is no day: 400 that names date', (date) => {
  const answer = ask(snapshot, `/api/v1/days/${date}`);
  expect([answer.status, String(answer.body)]).toEqual([400, expect.stringContaining('date: ')]);
});

test('a day and a language that are none are refused together', () => {
  const { error } = JSON.parse(String(ask(snapshot, '/api/v1/days/never?lang=fr').body));
  for (const name of ['date: ', 'lang: ']) expect(error.message).toContain(name);
});
