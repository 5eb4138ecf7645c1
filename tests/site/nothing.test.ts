// Where a list has nothing: JSON, page and Markdown say the same of what there is instead.
import { afterAll, describe, expect, test } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { respondMarkdown } from '../../src/site/markdown.ts';
import { loadSearch } from '../../src/site/search.ts';
import { askFor } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };

const nothingOf = (query: string) =>
  askFor(snapshot, EventListResponse, `/api/v1/events?${query}`).meta.nothing;
const linesOf = (query: string, lang: Lang = 'es') =>
  loadSearch(state, { lang }, query).page.narrowing.nothing.flatMap(({ title, lines }) => [
    title,
    ...lines.map((line) => `${line.title}: ${line.words}`),
  ]);

describe('a day without a match', () => {
  const query = 'q=concierto&date=2026-11-25';
  test('leads to the next date that has one', () => {
    expect(nothingOf(query)).toMatchObject({
      next: { title: 'Concierto único; "a", b', date: '2026-11-20' },
      past: [],
    });
    expect(linesOf(query)).toEqual([
      'La siguiente fecha con lo que buscas',
      'Concierto único; "a", b: viernes 20 de noviembre de 2026, a las 19:00.',
    ]);
  });
  test('leads to one after it where there is one, not to one that is over by then', () => {
    const asked = nothingOf('q=feria&date=2026-12-25')?.next;
    expect(asked).toMatchObject({ title: 'Feria diaria', date: '2026-12-26' });
    expect(nothingOf('q=feria&date=2026-10-25')?.next?.date).toBe('2026-11-20');
  });
});

describe('words that no event has together', () => {
  const query = 'q=concierto+zzzzzz';
  test('name what has most of them, and what is missing', () => {
    expect(nothingOf(query)?.nearly).toMatchObject([
      { title: 'Concierto único; "a", b', missing: ['zzzzzz'] },
    ]);
    expect(linesOf(query)[1]).toContain('; no dice «zzzzzz».');
  });
});

describe('what is over', () => {
  test('is told as such, with its last day', () => {
    expect(nothingOf('q=taller')?.past).toEqual([
      {
        id: expect.any(String),
        title: 'Taller pasado',
        url: `${SITE.url}/eventos/taller-pasado`,
        date: '2025-03-10',
      },
    ]);
    expect(linesOf('q=taller')).toEqual([
      'Ya pasó',
      'Taller pasado: fue el lunes 10 de marzo de 2025.',
    ]);
    expect(linesOf('q=workshop', 'en')[1]).toBe(
      'A Workshop Long Over: it was on Monday, March 10, 2025.',
    );
  });
  test('is not told where something is ahead, nor for a list that asks nothing', () => {
    expect(nothingOf('q=feria')).toBeUndefined();
    expect(nothingOf('date=2026-11-25&q=concierto')?.past).toEqual([]);
  });
});

describe('the Markdown of the search', () => {
  test.each(['q=taller', 'q=concierto+zzzzzz', 'q=concierto&date=2026-11-25'])(
    'says of %s what the page and JSON say',
    async (query) => {
      const result = loadSearch(state, { lang: 'es' }, query);
      const markdown = await respondMarkdown(state, '/buscar', query).text();
      const { next, nearly = [], past = [] } = nothingOf(query) ?? {};
      const told = [next, ...nearly, ...past].flatMap((one) => one ?? []);
      expect(told.length).toBeGreaterThan(0);
      for (const { url, title } of told) {
        expect(markdown).toContain(`](${url})`);
        expect(linesOf(query).join('\n')).toContain(title);
      }
      for (const { lines } of result.page.narrowing.nothing)
        for (const { words } of lines) expect(markdown).toContain(words);
    },
  );
});

describe('around a point', () => {
  const query = 'near=21.16,-86.85&radius_km=50';
  test('each event says how far it is, on every surface', async () => {
    const { data, meta } = askFor(snapshot, EventListResponse, `/api/v1/events?${query}`);
    expect(meta.total).toBe(data.length);
    expect(data.length).toBeGreaterThan(0);
    const { cards } = loadSearch(state, { lang: 'es' }, query).page;
    expect(cards.map(({ distance_km }) => distance_km)).toEqual(
      data.map(({ distance_km }) => distance_km),
    );
    const markdown = await respondMarkdown(state, '/buscar', query).text();
    expect(markdown).toMatch(/\*\*Distancia:\*\* a \d+(\.\d)? k?m\n/);
    expect(
      askFor(snapshot, EventListResponse, '/api/v1/events').data.every(
        (event) => !('distance_km' in event),
      ),
    ).toBe(true);
  });
});
