// What people type means filters too, and finds places, notices and pages beside events (contract 7.32); where a
// list has nothing, JSON, page and Markdown say the same of what there is instead.
import { describe, expect, test } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { readSearchText } from '../../src/site/page-query.ts';
import { respondMarkdown } from '../../src/site/markdown.ts';
import { loadSearch } from '../../src/site/search.ts';
import { askFor } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SITE, openState } from '../fixtures/site.ts';

const state = openState();
const { snapshot } = state;
const search = (q: string) =>
  loadSearch(state, { lang: 'es' }, new URLSearchParams({ q }).toString()).page;

describe('a text', () => {
  test.each([
    ['gratis hoy', '', { free: '1', date: 'today' }],
    ['feria este fin de semana', 'feria', { date: 'weekend' }],
    ['kids Saturday', '', { family: '1', date: '2026-11-21' }],
    ['el sábado en el centro', '', { date: '2026-11-21', zone: 'downtown' }],
    ['MUSICA EN VIVO isla mujeres', '', { category: 'live-music', zone: 'isla-mujeres' }],
    ['free tonight jazz', 'jazz', { free: '1', date: 'tonight' }],
    ['kids niños', '', { family: '1' }],
    // A second day stays a word.
    ['hoy mañana', 'mañana', { date: 'today' }],
    ['feria diaria', 'feria diaria', {}],
    ['', '', {}],
  ])('%s', (text, q, texts) => {
    expect(readSearchText(text, snapshot.taxonomy, FRIDAY_NOON_MS)).toEqual({ q, texts });
  });

  test('becomes filters that can be taken away; what else was asked stays', () => {
    const { texts, narrowing } = search('feria gratis');
    expect(texts).toMatchObject({ q: 'feria', free: '1' });
    expect(narrowing.on.map(({ label }) => label)).toContain('Gratis');
    const asked = loadSearch(state, { lang: 'es' }, 'q=feria+hoy&date=week').page;
    expect(asked.texts).toMatchObject({ q: 'feria hoy', date: 'week' });
  });

  test.each(['hoy mañana', 'kids niños', 'feria gratis', 'feria diaria', 'isla isla'])(
    '%s is read the same when it is read again',
    (text) => {
      const { texts } = search(text);
      const again = new URLSearchParams(texts as Record<string, string>).toString();
      expect(loadSearch(state, { lang: 'es' }, again).page.texts).toEqual(texts);
    },
  );

  test('stands as it is where only its words find something', () => {
    const { event } = search('feria diaria').cards[0] ?? {};
    expect(event?.title.es).toBe('Feria diaria');
    expect(search('feria').total).toBeGreaterThan(0);
  });
});

describe('beside events', () => {
  test('a place that is called so comes first, and in Markdown too', async () => {
    const { before, total } = search('malecón inventado');
    expect([before[0]?.lines[0]?.title, total > 0]).toEqual(['Malecón Inventado', true]);
    const text = await respondMarkdown(state, '/buscar', 'q=malecon+inventado').text();
    expect(text).toMatch(/## Lugares\n\n- \[Malecón Inventado\]\(https:.*\n\n## Eventos/);
  });

  test('a notice and a page of others are found by their subject', () => {
    const kindsOf = (q: string) => {
      const { before, after } = search(q);
      return [...before, ...after].map(({ id }) => id);
    };
    expect(kindsOf('oleaje')).toContain('beside-notices');
    expect(kindsOf('seaweed')).toContain('beside-links');
    expect(kindsOf('zzzz')).toEqual([]);
    expect(search('seaweed').narrowing.ways_out).toEqual([]);
  });
});

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
