// listEvents and getEvent: response fields, pagination and languages (contract 1.3, 4, 5, 7.19, 7.20).
import { describe, expect, test } from 'vitest';
import { encodeEventCursor, unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import type { PublicEvent } from '../../src/serializers/wire/event.ts';
import { EventResponse, EventListResponse } from '../fixtures/responses.ts';
import { requestApi, getFromApi } from '../fixtures/ask.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { SITE } from '../fixtures/site.ts';
import { localMs, FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';

describe('the small town', () => {
  const { snapshot } = useFixture();
  const list = (query: string, now_ms = FRIDAY_NOON_MS) =>
    getFromApi(snapshot, EventListResponse, `/api/v1/events${query}`, { now_ms });
  const event = (slug: string, query = '') =>
    getFromApi(snapshot, EventResponse, `/api/v1/events/${slug}${query}`).data;

  test('lists upcoming events without a date filter, and has a null range', () => {
    const { data, meta } = list('');
    const expected_meta = { lang: 'es', count: data.length, range: null, docs: `${SITE.url}/docs` };
    expect(meta).toMatchObject({ ...expected_meta, generated_at: '2026-11-20T12:00:00-05:00' });
    expect(meta.attribution).toContain(SITE.name);
    expect(list('?date=week').meta.range).toEqual({ from: '2026-11-20', to: '2026-11-26' });
    expect(data.map((item) => item.title)).toEqual([
      'Exposición larga',
      'Feria diaria',
      'Concierto único; "a", b',
      '¡Fiesta de viernes!',
      'Obra pospuesta',
      'Carnaval inventado',
    ]);
  });

  test('includes the dates in the range and their number on request', () => {
    const days = ({ occurrences = [] }: PublicEvent) =>
      occurrences.map(({ date }) => date.slice(-2));
    const week = list('?date=week&include=occurrences').data;
    expect(week.map((item) => [item.title, days(item), item.dates_in_range])).toEqual([
      ['Exposición larga', ['01'], 1],
      ['Feria diaria', ['20', '21', '23', '24', '25', '26'], 6],
      ['Concierto único; "a", b', ['20'], 1],
      ['¡Fiesta de viernes!', ['20'], 1],
    ]);
    const plain = list('?date=week').data;
    expect(week.map(({ occurrences: _, dates_in_range: __, ...item }) => item)).toEqual(plain);
    const [fair] = list('?category=markets&include=occurrences').data;
    const ahead = event('feria-diaria').occurrences.filter(({ date }) => date >= '2026-11-20');
    expect(fair?.occurrences).toEqual(ahead.slice(0, 100));
    expect(fair?.dates_in_range).toBe(ahead.length);
    expect(ahead.length).toBeGreaterThan(100);
    expect(String(requestApi(snapshot, '/api/v1/events?include=venue').body)).toContain(
      "include: 'venue' is invalid. Use occurrences",
    );
  });

  test('responds in English on request, with the canonical URL of that language', () => {
    const [first] = list('?q=exhibition&lang=en').data;
    expect(first).toMatchObject({
      title: 'A Long Exhibition',
      url: `${SITE.url}/en/events/a-long-exhibition`,
      url_es: `${SITE.url}/eventos/exposicion-larga`,
      zone: { key: 'downtown', name: 'Downtown' },
      location_note: 'Facing the bandstand',
      price: { is_free: false, min: null, text: 'Price not confirmed' },
    });
  });

  test('has null for missing values, and omits fields that do not apply', () => {
    const past = event('taller-pasado');
    expect(past).toMatchObject({ venue: null, organizer: null, is_past: true });
    expect(past).not.toHaveProperty('next');
  });
});

describe('a town of hundreds', () => {
  const { snapshot } = useFixture(loadGeneratedTown(400));
  const nextPageOf = (url: string, now_ms = FRIDAY_NOON_MS): string | null =>
    /^<https:\/\/agenda\.example([^>]+)>; rel="next"$/.exec(
      requestApi(snapshot, url, { now_ms }).headers.link ?? '',
    )?.[1] ?? null;

  test('the Link header and meta.next have the address of the next page; the last page has neither', () => {
    const { meta } = getFromApi(snapshot, EventListResponse, '/api/v1/events?limit=2');
    expect(meta.next).toBe(SITE.url + nextPageOf('/api/v1/events?limit=2'));
    expect(
      getFromApi(snapshot, EventListResponse, '/api/v1/events?ids=ev_a').meta.next,
    ).toBeUndefined();
  });

  test('keeps its range on later pages after midnight', () => {
    const late = localMs('2026-11-20T23:59:59');
    const url = '/api/v1/events?date=today&limit=2';
    const { meta } = getFromApi(snapshot, EventListResponse, url, { now_ms: late });
    const soon = { now_ms: late + 60_000 };
    const next = getFromApi(snapshot, EventListResponse, nextPageOf(url, late) ?? '', soon);
    expect(next.meta.range).toEqual(meta.range);
  });

  test.each([
    ['free=1', 400],
    ['date=week', 400],
    ['q=feria', 400],
    ['limit=1', 200],
    ['lang=en', 200],
  ])('a cursor with %s, which its first page did not have, is answered %i', (parameter, status) => {
    const next = nextPageOf('/api/v1/events?limit=2', FRIDAY_NOON_MS) ?? '';
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
    const response = requestApi(snapshot, `/api/v1/events?${parameter}&cursor=${cursor}`);
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body).toContain('cursor: belongs to another question');
  });

  const createCursor = (now_ms: number): string =>
    encodeEventCursor(
      { now_ms, start_ms: FRIDAY_NOON_MS, id: 'ev_a' },
      unfilteredEventFilter(now_ms, 1),
    );
  const DAY_MS = 86_400_000;

  test.each([
    ['that is almost a day old', createCursor(FRIDAY_NOON_MS - DAY_MS + 60_000), 200],
    ['that is a day old', createCursor(FRIDAY_NOON_MS - DAY_MS), 400],
    ['with five parts', Buffer.from('[1,2,"ev_a","x",4]').toString('base64url'), 400],
    ['that is too long', 'a'.repeat(5000), 400],
  ])('a cursor %s: status', (_description, cursor, status) => {
    expect(requestApi(snapshot, `/api/v1/events?cursor=${cursor}`).status).toBe(status);
  });
});
