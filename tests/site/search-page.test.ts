// What people type means filters, and finds places, notices and pages too (contract 7.32).
import { describe, expect, test } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { interpretSearchText } from '../../src/site/page-query.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadAgendaPage } from '../../src/site/agenda-page.ts';
import { resolvePath } from '../../src/site/resolve-path.ts';
import { loadSearchPage } from '../../src/site/search-page.ts';
import { askFor } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SITE, openState } from '../fixtures/site.ts';

const state = openState();
const { snapshot } = state;
const search = (q: string) =>
  loadSearchPage(state, { lang: 'es' }, new URLSearchParams({ q }).toString()).page;

describe('a text', () => {
  test.each([
    ['gratis hoy', '', { free: '1', date: 'today' }],
    ['kids Saturday', '', { family: '1', date: '2026-11-21' }],
    ['MUSICA EN VIVO isla mujeres', '', { category: 'live-music', zone: 'isla-mujeres' }],
    ['free tonight jazz', 'jazz', { free: '1', date: 'tonight' }],
    // A second day stays a word.
    ['hoy mañana', 'mañana', { date: 'today' }],
    ['feria diaria', 'feria diaria', {}],
  ])('%s', (text, q, texts) => {
    expect(interpretSearchText(text, snapshot.taxonomy, FRIDAY_NOON_MS)).toEqual({ q, texts });
  });

  test('becomes filters that can be taken away; what else was asked stays', () => {
    const { texts, narrowing } = search('feria gratis');
    expect(texts).toMatchObject({ q: 'feria', free: '1' });
    expect(narrowing.on.map(({ label }) => label)).toContain('Gratis');
    const asked = loadSearchPage(state, { lang: 'es' }, 'q=feria+hoy&date=week').page;
    expect(asked.texts).toMatchObject({ q: 'feria hoy', date: 'week' });
  });

  const TEXTS = ['hoy mañana', 'kids niños', 'feria gratis', 'isla isla'];
  test.each(TEXTS)('%s is read the same when it is read again', (text) => {
    const { texts } = search(text);
    const again = new URLSearchParams(texts as Record<string, string>).toString();
    expect(loadSearchPage(state, { lang: 'es' }, again).page.texts).toEqual(texts);
  });
});

describe('a text asked of a page of days or places', () => {
  test.each([
    ['/hoy', 'feria gratis', '/hoy?free=1&q=feria'],
    ['/hoy.md', 'feria gratis', '/hoy.md?free=1&q=feria'],
    ['/fecha/2026-11-21', 'sábado isla mujeres', '/fecha/2026-11-21?zone=isla-mujeres'],
    ['/hoy', 'feria mañana', '/manana?q=feria'],
    ['/semana', 'feria sábado', '/fecha/2026-11-21?q=feria'],
    ['/en/today', 'free tonight', '/en/search?date=tonight&free=1'],
    ['/lugares', 'foro isla mujeres', '/lugares?q=foro&zone=isla-mujeres'],
    ['/en/venues', 'tonight', null],
    // Its words as they stand are the name of a place.
    ['/hoy', 'malecon inventado', null],
  ])('%s?q=%s leads to %s', async (path, q, location) => {
    const query = new URLSearchParams({ q }).toString();
    const answer = await resolvePath({ state, visit: null }, path, query);
    expect(answer instanceof Response ? answer.headers.get('location') : null).toBe(location);
  });

  test.each(['/hoy', '/semana'])('%s has what else it finds, as its Markdown', async (path) => {
    const text = await createMarkdownResponse(state, path, 'q=malecon+inventado').text();
    expect(text).toMatch(/## Lugares\n\n- \[Malecón Inventado\]\(https:/);
    const date = path === '/hoy' ? 'today' : 'week';
    const answer = loadAgendaPage(state, { lang: 'es', date }, 'q=seaweed');
    if (answer.kind !== 'page') throw new Error('no agenda');
    const { beside, narrowing } = answer.page;
    expect([beside.before.map(({ id }) => id), narrowing.ways_out]).toEqual([['beside-links'], []]);
  });
});

describe('beside events', () => {
  test('a place that is called so comes first, and in Markdown too', async () => {
    const { before, total } = search('malecón inventado');
    expect([before[0]?.lines[0]?.title, total > 0]).toEqual(['Malecón Inventado', true]);
    const text = await createMarkdownResponse(state, '/buscar', 'q=malecon+inventado').text();
    expect(text).toMatch(/## Lugares\n\n- \[Malecón Inventado\]\(https:.*\n\n## Eventos/);
  });

  test('a notice and a page of others are found by their subject', () => {
    const kindsOf = (q: string) => {
      const { before, after } = search(q);
      return [...before, ...after].map(({ id }) => id);
    };
    expect(kindsOf('oleaje')).toContain('beside-notices');
    expect(kindsOf('seaweed')).toContain('beside-links');
    expect(kindsOf('colectivo de prueba')).toEqual(['beside-organizers']);
    expect(kindsOf('zzzz')).toEqual([]);
    // Where nothing has all the words, what has all but one; and which it lacks.
    expect(kindsOf('oleaje zzzzzz')).toEqual(['beside-notices']);
    expect(search('seaweed zzzzzz').before[0]?.lines[0]?.words).toContain('no dice «zzzzzz».');
    expect(search('seaweed').narrowing.ways_out).toEqual([]);
  });
});

const nothingOf = (query: string) =>
  askFor(snapshot, EventListResponse, `/api/v1/events?${query}`).meta.nothing;
const linesOf = (query: string, lang: Lang = 'es') =>
  loadSearchPage(state, { lang }, query).page.narrowing.nothing.flatMap(({ title, lines }) => [
    title,
    ...lines.map((line) => `${line.title}: ${line.words}`),
  ]);

test('a day without a match leads to the next date, or one after it, not to one that is over by then', () => {
  expect(nothingOf('q=concierto&date=2026-11-25')?.next?.date).toBe('2026-11-20');
  expect(nothingOf('q=feria&date=2026-12-25')?.next?.date).toBe('2026-12-26');
  expect(nothingOf('q=feria&date=2026-10-25')?.next?.date).toBe('2026-11-20');
});

test('words that no event has together name what has most of them, and what is missing', () => {
  expect(nothingOf('q=concierto+zzzzzz')?.nearly).toMatchObject([{ missing: ['zzzzzz'] }]);
});

describe('what is over', () => {
  test('is told as such, with its last day', () => {
    const url = `${SITE.url}/eventos/taller-pasado`;
    expect(nothingOf('q=taller')?.past).toMatchObject([{ url, date: '2025-03-10' }]);
    expect(linesOf('q=workshop', 'en')[1]).toContain('it was on Monday, March 10, 2025.');
    // With some of the words, where nothing has all.
    expect(nothingOf('q=taller+zzzzzz')?.past).toMatchObject([{ url }]);
  });
  test('is not told where something is ahead, nor for a list that asks nothing', () => {
    expect(nothingOf('q=feria')).toBeUndefined();
    expect(nothingOf('date=2026-11-25&q=concierto')?.past).toEqual([]);
  });
});

const SEARCHES = ['q=taller', 'q=concierto+zzzzzz', 'q=concierto&date=2026-11-25'];
test.each(SEARCHES)('the Markdown of a search says of %s what page and JSON say', async (query) => {
  const result = loadSearchPage(state, { lang: 'es' }, query);
  const markdown = await createMarkdownResponse(state, '/buscar', query).text();
  const { next, nearly = [], past = [] } = nothingOf(query) ?? {};
  const told = [next, ...nearly, ...past].flatMap((one) => one ?? []);
  expect(told.length).toBeGreaterThan(0);
  for (const { url, title } of told) {
    expect(markdown).toContain(`](${url})`);
    expect(linesOf(query).join('\n')).toContain(title);
  }
  for (const { lines } of result.page.narrowing.nothing)
    for (const { words } of lines) expect(markdown).toContain(words);
});

test('around a point each event says how far it is, on every surface', async () => {
  const query = 'near=21.16,-86.85&radius_km=50';
  const { data } = askFor(snapshot, EventListResponse, `/api/v1/events?${query}`);
  expect(data.length).toBeGreaterThan(0);
  const { cards } = loadSearchPage(state, { lang: 'es' }, query).page;
  const shown = cards.map(({ distance_km }) => distance_km);
  expect(shown).toEqual(data.map(({ distance_km }) => distance_km));
  const markdown = await createMarkdownResponse(state, '/buscar', query).text();
  expect(markdown).toMatch(/\*\*Distancia:\*\* a \d+(\.\d)? k?m\n/);
  const [plain] = askFor(snapshot, EventListResponse, '/api/v1/events').data;
  expect(plain).not.toHaveProperty('distance_km');
});
