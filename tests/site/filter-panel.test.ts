// Filter panels of pages: list the events of the API, links with correct counts, and hints for empty results.
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { AGENDA_KEYWORDS } from '../../src/domain/date-keywords.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { PAGE_PATHS, langOfPath } from '../../src/i18n/paths.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { resolvePath } from '../../src/site/resolve-path.ts';
import { loadAgendaPage } from '../../src/site/agenda-page.ts';
import { loadDirectoryPage } from '../../src/site/directory-page.ts';
import type { FilterPanel } from '../../src/site/filter-panel.ts';
import { parsePageRequest } from '../../src/site/page-query.ts';
import { pagePathOf } from '../../src/site/page-definition.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { loadSearchPage } from '../../src/site/search-page.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { requestApi } from '../fixtures/ask.ts';
import { localMs } from '../fixtures/fixture.ts';
import { openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;

/** Loads the agenda page or search at an address. */
async function loadList(address: string) {
  const [path = '', query = ''] = address.split('?');
  const lang = langOfPath(path);
  if (path === PAGE_PATHS.search[lang])
    return { ...loadSearchPage(state, { lang }, query).page, day_navigation: null };
  const keyword = AGENDA_KEYWORDS.find((name) => PAGE_PATHS[name][lang] === path);
  const date = keyword ?? path.slice(path.lastIndexOf('/') + 1);
  const outcome = loadAgendaPage(state, { lang, date }, query);
  if (outcome.kind === 'failure') throw new Error(`${address} is not a list`);
  const { events: cards } = outcome.page.agenda;
  return { ...outcome.page, cards, total: cards.length, next: null, has_query: true };
}
const listIds = async (address: string): Promise<string[]> =>
  (await loadList(address)).cards.map(({ event }) => event.id);
const readMarkdown = (address: string): Promise<string> => {
  const [path = '', query = ''] = address.split('?');
  return createMarkdownResponse(state, path, query).text();
};
const queryApi = (query: string) => {
  const response = requestApi(snapshot, `/api/v1/events?${query}`);
  const { data } = v.parse(EventListResponse, JSON.parse(String(response.body)));
  return { ids: data.map(({ id }) => id), link: response.headers.link };
};

const texts_by_name = {
  date: fc.constantFrom('today', 'tomorrow', 'weekend', 'week', '2026-11-28', '2027-02-06'),
  category: fc.constantFrom('live-music', 'mercados,markets', 'party,art', 'community'),
  zone: fc.constantFrom('isla-mujeres', 'centro', 'hotel-zone', 'downtown,isla-mujeres'),
  free: fc.constantFrom('1', 'true', '0'),
  family: fc.constantFrom('1', 'false'),
  indoor: fc.constantFrom('1', 'false'),
  near: fc.constantFrom('21.1619,-86.8515', '20,-80'),
  radius_km: fc.constantFrom('3', '50'),
  q: fc.constantFrom('feria', 'CARNAVAL', 'concierto unico', 'zzz', '¡!'),
  status: fc.constantFrom('published', 'postponed'),
  price_max: fc.constantFrom('0', '120'),
  venue: fc.constantFrom('foro-sin-punto', 'malecon-inventado'),
  organizer: fc.constantFrom('colectivo-de-prueba'),
  ids: fc
    .subarray(
      snapshot.index.cards.map(({ event }) => event.id),
      { minLength: 1 },
    )
    .map(String),
  limit: fc.constantFrom('1', '2', '200'),
};
const texts = fc.record(texts_by_name, { requiredKeys: [] });

describe('the search', () => {
  test('lists the events of the API for the same query, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom<Lang>('es', 'en'), async (params, lang) => {
        const query = new URLSearchParams(params).toString();
        const path = lang === 'es' ? '/buscar' : '/en/search';
        const { cards, next, filter_panel } = await loadList(`${path}?${query}`);
        const api = queryApi(`${query}&lang=${lang}`);
        expect(cards.map(({ event }) => event.id)).toEqual(api.ids);
        expect(next !== null).toBe(api.link !== undefined);
        expect(filter_panel.ignored).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('continues with the cursor of the API, in Markdown too', async () => {
    const ids: string[] = [];
    let address: string | undefined = '/buscar?limit=2';
    while (address !== undefined) {
      ids.push(...(await listIds(address)));
      const text: string = await readMarkdown(address);
      address = /\(https:\/\/agenda\.example(\/buscar\.md[^)]*cursor=[^)]*)\)/.exec(text)?.[1];
      address = address?.replace('.md', '');
    }
    expect(ids).toEqual(queryApi('limit=200').ids);
    expect((await loadList('/buscar?limit=2')).meta.markdown).toBe('/buscar.md?limit=2');
  });
});

describe('an agenda page', () => {
  test('with filters lists the events of the API for the same days', async () => {
    const { date: _, limit: __, ...others } = texts_by_name;
    await fc.assert(
      fc.asyncProperty(fc.record(others, { requiredKeys: [] }), async (params) => {
        const query = new URLSearchParams(params).toString();
        for (const [path, date] of [
          ['/hoy', 'today'],
          ['/semana', 'week'],
          ['/fecha/2026-11-28', '2026-11-28'],
        ])
          expect(await listIds(`${path}?${query}`)).toEqual(
            queryApi(`${query}&date=${date}&limit=200`).ids,
          );
      }),
      { numRuns: 30 },
    );
  });

  test('keeps its filters in every link, in each language', async () => {
    const { filter_panel, day_navigation, meta } = await loadList(
      '/hoy?category=live-music&free=0',
    );
    if (!day_navigation) throw new Error('no days');
    const filters = filter_panel.active.map(({ label, path }) => [label, path]);
    expect(filters).toEqual([['Música en vivo', '/hoy']]);
    expect(meta.query).toEqual({ es: '?category=musica-en-vivo', en: '?category=live-music' });
    expect([meta.markdown, meta.calendar]).toEqual([
      '/hoy.md?category=musica-en-vivo',
      '/api/v1/events.ics?date=today&category=musica-en-vivo',
    ]);
    expect(day_navigation.next?.path).toBe('/fecha/2026-11-21?category=musica-en-vivo');
    expect(day_navigation.keyword_days.today).toMatchObject({ number: 20, count: 1 });
  });
});

interface FilteredList {
  readonly total: number;
  readonly filter_panel: Pick<FilterPanel, 'active' | 'suggestions' | 'form'>;
}

async function expectCorrectCounts(
  address: string,
  min_suggestions: number,
  load: (address: string) => Promise<FilteredList>,
) {
  const { filter_panel, total: list_total } = await load(address);
  const { active, suggestions, form } = filter_panel;
  expect(suggestions.length).toBeGreaterThanOrEqual(min_suggestions);
  for (const { path, count } of suggestions)
    expect([path, (await load(path)).total]).toEqual([path, count]);
  for (const { path } of active)
    expect((await load(path)).total).toBeGreaterThanOrEqual(list_total);
  for (const { name, options } of form.selects)
    for (const { value, text } of options) {
      const params = new URLSearchParams(address.split('?')[1]);
      params.set(name, value);
      const { total } = await load(`${form.path}?${params}`);
      expect(text).toBe(text.replace(/\d+\)$/, `${total})`));
    }
}

describe('filter links and options', () => {
  test.each([
    ['/semana', 6],
    ['/hoy?free=1', 1],
    ['/en/search?free=1&date=week', 0],
    // Flags combine with each other, and with a zone.
    ['/buscar?free=1&family=1', 1],
    ['/semana?free=1&family=1&indoor=1', 0],
    ['/buscar?zone=isla-mujeres', 1],
  ])('of %s find as many events as they show', (address, min_suggestions) =>
    expectCorrectCounts(address, min_suggestions, loadList),
  );

  test.each([
    ['/lugares', 3],
    ['/lugares?open_on=today&zone=centro', 0],
    ['/lugares?q=malecon&free=1&indoor=1', 0],
  ])('of %s find as many venues as they show', (address, min_suggestions) =>
    expectCorrectCounts(address, min_suggestions, (target) => {
      const { total, filter_panel } = loadDirectoryPage(
        state,
        { section: 'venue', lang: 'es' },
        target.split('?')[1] ?? '',
      ).page;
      if (filter_panel === null) throw new Error('no filters');
      return Promise.resolve({ total, filter_panel });
    }),
  );
});

test('today is not narrowed to tonight if tonight has more events', () => {
  const night = { ...state, now_ms: localMs('2026-11-21T00:40:00') };
  const outcome = loadAgendaPage(night, { lang: 'es', date: 'today' }, 'category=party');
  if (outcome.kind !== 'page') throw new Error('no agenda');
  const { agenda, filter_panel } = outcome.page;
  expect(agenda.events).toEqual([]);
  const { suggestions } = filter_panel;
  expect(suggestions.map(({ label, count }) => [label, count])).toContainEqual(['Ahora', 1]);
  expect(suggestions.map(({ label }) => label)).not.toContain('Esta noche');
});

test('an empty page and its Markdown version link to broader lists with their counts', async () => {
  const address = '/hoy?category=live-music&free=1&zone=isla-mujeres';
  const { broader_lists } = (await loadList(address)).filter_panel;
  expect(broader_lists.map(({ label }) => label)).toEqual(['Ver los 4 eventos']);
  for (const { path, count } of broader_lists)
    expect([path, (await loadList(path)).total]).toEqual([path, count]);
  expect(await readMarkdown(address)).toContain('[Ver los 4 eventos](https://agenda.example/hoy)');
});

const parseQuery = (address: string, query: string) => {
  const page = matchPage(pagePathOf(address));
  return page && parsePageRequest(page, address, query, state);
};

describe('an unknown parameter or value', () => {
  test.each([
    ['/hoy?zone=atlantis', 'la zona «atlantis»'],
    ['/hoy?gratis=1&family=1', '¿Quisiste decir «free»?'],
    ['/hoy?date=week', 'Esta página ya tiene sus fechas'],
    ['/buscar?date=week&from=2026-11-21', 'tomamos en cuenta los días'],
    ['/en/search?date=someday', 'We couldn’t read the date “someday”'],
  ])('%s is named in a sentence on the page', async (address, sentence) => {
    expect((await loadList(address)).filter_panel.ignored.join(' ')).toContain(sentence);
  });

  test('of a tracker is ignored without a sentence', async () => {
    expect((await loadList('/hoy?utm_source=x&lang=en')).filter_panel.ignored).toEqual([]);
  });

  test.each([
    ['/hoy', 'zone=Isla-Mujeres&free=true&fbclid=1', 'zone=isla-mujeres&free=1', true],
    ['/en/search', 'q=&category=musica-en-vivo&zone=', 'category=live-music', true],
    ['/hoy', 'category=familia', 'family=1', true],
    ['/avisos', 'free=1', '', true],
    ['/hoy', 'zone=atlantis', 'zone=atlantis', false],
  ])('%s?%s is cached as %s', (address, query, text, is_understood) => {
    expect(parseQuery(address, query)).toEqual({ text, is_understood });
  });
});

describe('the date picker', () => {
  const pickDate = async (query: string, path: string) => {
    const response = await resolvePath({ state, visit: null }, path, query);
    if (!(response instanceof Response)) throw new Error('no redirect');
    return [response.status, response.headers.get('location')];
  };
  test.each([
    ['date=2026-12-24&free=true&zone=', '/fecha/2026-12-24?free=1'],
    ['free=1', '/hoy?free=1'],
    ['date=2031-01-01', '/buscar?date=2031-01-01'],
    ['date=2026-12-24', '/en/date/2026-12-24'],
    ['from=2026-12-20&to=2027-01-02&free=1', '/fecha/2026-12-20--2027-01-02?free=1'],
    ['to=2026-11-22', '/fecha/2026-11-20--2026-11-22'],
    ['from=2027-01-02&to=2026-12-20', '/buscar?from=2027-01-02&to=2026-12-20'],
  ])('redirects %s to %s', async (query, location) => {
    const path = location.startsWith('/en') ? '/en/date' : '/fecha';
    expect(await pickDate(query, path)).toEqual([302, location]);
  });
  test('of the first and last day has no link beyond them', async () => {
    const { day_navigation } = await loadList('/hoy');
    if (!day_navigation) throw new Error('no days');
    const first = (await loadList(`/fecha/${day_navigation.min_day}`)).day_navigation;
    const last = (await loadList(`/fecha/${day_navigation.max_day}`)).day_navigation;
    expect([first?.previous, last?.next]).toEqual([null, null]);
    expect([first?.next?.path, last?.previous?.path]).not.toContain(undefined);
  });
});
