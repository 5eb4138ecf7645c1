// Search: reads words as filters, and finds venues, notices and external links besides events (contract 7.32).
import { describe, expect, test } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { interpretSearchText } from '../../src/site/page-query.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadAgendaPage } from '../../src/site/agenda-page.ts';
import { resolvePath } from '../../src/site/resolve-path.ts';
import { loadSearchPage } from '../../src/site/search-page.ts';
import { getFromApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
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

  test('becomes removable filters; other parameters stay', () => {
    const { texts, filter_panel } = search('feria gratis');
    expect(texts).toMatchObject({ q: 'feria', free: '1' });
    expect(filter_panel.active.map(({ label }) => label)).toContain('Con entrada gratis');
    const with_date = loadSearchPage(state, { lang: 'es' }, 'q=feria+hoy&date=week').page;
    expect(with_date.texts).toMatchObject({ q: 'feria hoy', date: 'week' });
  });

  const TEXTS = ['hoy mañana', 'kids niños', 'feria gratis', 'isla isla'];
  test.each(TEXTS)('%s keeps its parameters when they are parsed again', (text) => {
    const { texts } = search(text);
    const again = new URLSearchParams(texts as Record<string, string>).toString();
    expect(loadSearchPage(state, { lang: 'es' }, again).page.texts).toEqual(texts);
  });
});

describe('a text on an agenda page or directory', () => {
  test.each([
    ['/hoy', 'feria gratis', '/hoy?free=1&q=feria'],
    ['/hoy.md', 'feria gratis', '/hoy.md?free=1&q=feria'],
    ['/fecha/2026-11-21', 'sábado isla mujeres', '/fecha/2026-11-21?zone=isla-mujeres'],
    ['/hoy', 'feria mañana', '/manana?q=feria'],
    ['/semana', 'feria sábado', '/fecha/2026-11-21?q=feria'],
    ['/en/today', 'free tonight', '/en/search?date=tonight&free=1'],
    ['/lugares', 'foro isla mujeres', '/lugares?q=foro&zone=isla-mujeres'],
    ['/en/venues', 'tonight', null],
    // The plain words are the name of a venue.
    ['/hoy', 'malecon inventado', null],
  ])('%s?q=%s redirects to %s', async (path, q, location) => {
    const query = new URLSearchParams({ q }).toString();
    const outcome = await resolvePath({ state, visit: null }, path, query);
    expect(outcome instanceof Response ? outcome.headers.get('location') : null).toBe(location);
  });

  test.each(['/hoy', '/semana'])('%s has related results, in Markdown too', async (path) => {
    const text = await createMarkdownResponse(state, path, 'q=malecon+inventado').text();
    expect(text).toMatch(/## Lugares\n\n- \[Malecón Inventado\]\(https:/);
    const date = path === '/hoy' ? 'today' : 'week';
    const outcome = loadAgendaPage(state, { lang: 'es', date }, 'q=seaweed');
    if (outcome.kind !== 'page') throw new Error('no agenda');
    const { related, filter_panel } = outcome.page;
    const ids = related.before.map(({ id }) => id);
    expect([ids, filter_panel.broader_lists]).toEqual([['beside-links'], []]);
  });
});

describe('related results', () => {
  test('a venue with the words in its name comes first, in Markdown too', async () => {
    const { related, total } = search('malecón inventado');
    expect([related.before[0]?.lines[0]?.title, total > 0]).toEqual(['Malecón Inventado', true]);
    const text = await createMarkdownResponse(state, '/buscar', 'q=malecon+inventado').text();
    expect(text).toMatch(/## Lugares\n\n- \[Malecón Inventado\]\(https:.*\n\n## Eventos/);
  });

  test('a notice and an external link match by their topic', () => {
    const kindsOf = (q: string) => {
      const { before, after } = search(q).related;
      return [...before, ...after].map(({ id }) => id);
    };
    expect(kindsOf('oleaje')).toContain('beside-notices');
    expect(kindsOf('seaweed')).toContain('beside-links');
    expect(kindsOf('colectivo de prueba')).toEqual(['beside-organizers']);
    expect(kindsOf('zzzz')).toEqual([]);
    // If no record has all the words: records with all but one, and the missing word.
    expect(kindsOf('oleaje zzzzzz')).toEqual(['beside-notices']);
    expect(search('seaweed zzzzzz').related.before[0]?.lines[0]?.words).toContain(
      'no dice «zzzzzz».',
    );
    expect(search('seaweed').filter_panel.broader_lists).toEqual([]);
  });
});

const emptyResultOf = (query: string) =>
  getFromApi(snapshot, EventListResponse, `/api/v1/events?${query}`).meta.nothing;
const linesOf = (query: string, lang: Lang = 'es') =>
  loadSearchPage(state, { lang }, query).page.filter_panel.empty_result.flatMap(
    ({ title, lines }) => [title, ...lines.map((line) => `${line.title}: ${line.words}`)],
  );

test('a day without a match names the next date after that day, or else an earlier one, never one that is over', () => {
  expect(emptyResultOf('q=concierto&date=2026-11-25')?.next?.date).toBe('2026-11-20');
  expect(emptyResultOf('q=feria&date=2026-12-25')?.next?.date).toBe('2026-12-26');
  expect(emptyResultOf('q=feria&date=2026-10-25')?.next?.date).toBe('2026-11-20');
});

test('the title of the next date says whether it is earlier than the requested day', () => {
  expect(linesOf('q=concierto&date=2026-11-25')[0]).toBe('Una fecha anterior con lo que buscas');
  expect(linesOf('q=feria&date=2026-12-25')[0]).toBe('La siguiente fecha con lo que buscas');
  expect(linesOf('q=feria&date=2026-12-25', 'en')[0]).toBe('The next date with what you want');
  expect(linesOf('q=concierto&date=2026-11-25', 'en')[0]).toBe(
    'An earlier date with what you want',
  );
});

test('words that no event has together find events with all but one, and the missing word', () => {
  expect(emptyResultOf('q=concierto+zzzzzz')?.nearly).toMatchObject([{ missing: ['zzzzzz'] }]);
});

describe('a past event', () => {
  test('matches a search with its last day', () => {
    const url = `${SITE.url}/eventos/taller-pasado`;
    expect(emptyResultOf('q=taller')?.past).toMatchObject([{ url, date: '2025-03-10' }]);
    expect(linesOf('q=workshop', 'en')[1]).toContain('it was on Monday, March 10, 2025.');
    // A partial match, if no event has all words.
    expect(emptyResultOf('q=taller+zzzzzz')?.past).toMatchObject([{ url }]);
  });
  test('does not match if there are upcoming events, or if the list has no filters', () => {
    expect(emptyResultOf('q=feria')).toBeUndefined();
    expect(emptyResultOf('date=2026-11-25&q=concierto')?.past).toEqual([]);
  });
});

const SEARCHES = ['q=taller', 'q=concierto+zzzzzz', 'q=concierto&date=2026-11-25'];
test.each(SEARCHES)(
  'the Markdown version of the search %s has the hints of the page and the API',
  async (query) => {
    const result = loadSearchPage(state, { lang: 'es' }, query);
    const markdown = await createMarkdownResponse(state, '/buscar', query).text();
    const { next, nearly = [], past = [] } = emptyResultOf(query) ?? {};
    const hints = [next, ...nearly, ...past].flatMap((hint) => hint ?? []);
    expect(hints.length).toBeGreaterThan(0);
    for (const { url, title } of hints) {
      expect(markdown).toContain(`](${url})`);
      expect(linesOf(query).join('\n')).toContain(title);
    }
    for (const { lines } of result.page.filter_panel.empty_result)
      for (const { words } of lines) expect(markdown).toContain(words);
  },
);

test('every surface shows the distance of each event from a point', async () => {
  const query = 'near=21.16,-86.85&radius_km=50';
  const { data } = getFromApi(snapshot, EventListResponse, `/api/v1/events?${query}`);
  expect(data.length).toBeGreaterThan(0);
  const { cards } = loadSearchPage(state, { lang: 'es' }, query).page;
  const distances = cards.map(({ distance_km }) => distance_km);
  expect(distances).toEqual(data.map(({ distance_km }) => distance_km));
  const markdown = await createMarkdownResponse(state, '/buscar', query).text();
  expect(markdown).toMatch(/\*\*Distancia:\*\* a \d+(\.\d)? k?m\n/);
  const [plain] = getFromApi(snapshot, EventListResponse, '/api/v1/events').data;
  expect(plain).not.toHaveProperty('distance_km');
});
