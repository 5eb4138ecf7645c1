// Pages narrowed by their query: the API's events, links that keep their word, ways out.
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
import { ask } from '../fixtures/ask.ts';
import { at } from '../fixtures/fixture.ts';
import { openState } from '../fixtures/site.ts';

const state = openState();
const { snapshot } = state;

/** The page at an address: an agenda or a search. */
async function open(address: string) {
  const [path = '', query = ''] = address.split('?');
  const lang = langOfPath(path);
  if (path === PAGE_PATHS.search[lang])
    return { ...loadSearchPage(state, { lang }, query).page, around: null };
  const word = AGENDA_KEYWORDS.find((one) => PAGE_PATHS[one][lang] === path);
  const date = word ?? path.slice(path.lastIndexOf('/') + 1);
  const answer = loadAgendaPage(state, { lang, date }, query);
  if (answer.kind === 'failure') throw new Error(`${address} is no list`);
  const { events: cards } = answer.page.agenda;
  return { ...answer.page, cards, total: cards.length, next: null, is_asked: true };
}
const listIds = async (address: string): Promise<string[]> =>
  (await open(address)).cards.map(({ event }) => event.id);
const readMarkdown = (address: string): Promise<string> => {
  const [path = '', query = ''] = address.split('?');
  return createMarkdownResponse(state, path, query).text();
};
const askApi = (query: string) => {
  const response = ask(snapshot, `/api/v1/events?${query}`);
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
  test('lists what the API lists for the same query, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom<Lang>('es', 'en'), async (asked, lang) => {
        const query = new URLSearchParams(asked).toString();
        const path = lang === 'es' ? '/buscar' : '/en/search';
        const { cards, next, narrowing } = await open(`${path}?${query}`);
        const api = askApi(`${query}&lang=${lang}`);
        expect(cards.map(({ event }) => event.id)).toEqual(api.ids);
        expect(next !== null).toBe(api.link !== undefined);
        expect(narrowing.ignored).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('goes on where the API goes on, as text too', async () => {
    const found: string[] = [];
    let address: string | undefined = '/buscar?limit=2';
    while (address !== undefined) {
      found.push(...(await listIds(address)));
      const text: string = await readMarkdown(address);
      address = /\(https:\/\/agenda\.example(\/buscar\.md[^)]*cursor=[^)]*)\)/.exec(text)?.[1];
      address = address?.replace('.md', '');
    }
    expect(found).toEqual(askApi('limit=200').ids);
    expect((await open('/buscar?limit=2')).meta.markdown).toBe('/buscar.md?limit=2');
  });
});

describe('a page of days', () => {
  test('narrowed lists what the API lists for the same days', async () => {
    const { date: _, limit: __, ...others } = texts_by_name;
    await fc.assert(
      fc.asyncProperty(fc.record(others, { requiredKeys: [] }), async (asked) => {
        const query = new URLSearchParams(asked).toString();
        for (const [path, date] of [
          ['/hoy', 'today'],
          ['/semana', 'week'],
          ['/fecha/2026-11-28', '2026-11-28'],
        ])
          expect(await listIds(`${path}?${query}`)).toEqual(
            askApi(`${query}&date=${date}&limit=200`).ids,
          );
      }),
      { numRuns: 30 },
    );
  });

  test('keeps its filters in every link, in the words of each language', async () => {
    const { narrowing, around, meta } = await open('/hoy?category=live-music&free=0');
    if (!around) throw new Error('no days');
    const filters = narrowing.on.map(({ label, path }) => [label, path]);
    expect(filters).toEqual([['Música en vivo', '/hoy']]);
    expect(meta.query).toEqual({ es: '?category=musica-en-vivo', en: '?category=live-music' });
    expect([meta.markdown, meta.calendar]).toEqual([
      '/hoy.md?category=musica-en-vivo',
      '/api/v1/events.ics?date=today&category=musica-en-vivo',
    ]);
    expect(around.after?.path).toBe('/fecha/2026-11-21?category=musica-en-vivo');
    expect(around.named.today).toMatchObject({ number: 20, count: 1 });
  });
});

interface Opened {
  readonly total: number;
  readonly narrowing: Pick<FilterPanel, 'on' | 'more' | 'form'>;
}

async function checkChoices(
  address: string,
  least: number,
  opened: (address: string) => Promise<Opened>,
) {
  const { narrowing, total: found } = await opened(address);
  const { on, more, form } = narrowing;
  expect(more.length).toBeGreaterThanOrEqual(least);
  for (const { path, count } of more)
    expect([path, (await opened(path)).total]).toEqual([path, count]);
  for (const { path } of on) expect((await opened(path)).total).toBeGreaterThanOrEqual(found);
  for (const { name, options } of form.selects)
    for (const { value, text } of options) {
      const asked = new URLSearchParams(address.split('?')[1]);
      asked.set(name, value);
      const { total } = await opened(`${form.path}?${asked}`);
      expect(text).toBe(text.replace(/\d+\)$/, `${total})`));
    }
}

describe('each link and each option', () => {
  test.each([
    ['/semana', 6],
    ['/hoy?free=1', 1],
    ['/en/search?free=1&date=week', 0],
    // What is on or off adds up, and the one zone is told beside the others.
    ['/buscar?free=1&family=1', 1],
    ['/semana?free=1&family=1&indoor=1', 0],
    ['/buscar?zone=isla-mujeres', 1],
  ])('of %s leads to as many events as it says', (address, least) =>
    checkChoices(address, least, open),
  );

  test.each([
    ['/lugares', 3],
    ['/lugares?open_on=today&zone=centro', 0],
    ['/lugares?q=malecon&free=1&indoor=1', 0],
  ])('of %s leads to as many places as it says', (address, least) =>
    checkChoices(address, least, (to) => {
      const { total, narrowing } = loadDirectoryPage(
        state,
        { section: 'venue', lang: 'es' },
        to.split('?')[1] ?? '',
      ).page;
      if (narrowing === null) throw new Error('no filters');
      return Promise.resolve({ total, narrowing });
    }),
  );
});

test('tonight is never more than the day that it narrows', () => {
  const night = { ...state, now_ms: at('2026-11-21T00:40:00') };
  const answer = loadAgendaPage(night, { lang: 'es', date: 'today' }, 'category=party');
  if (answer.kind !== 'page') throw new Error('no agenda');
  const { agenda, narrowing } = answer.page;
  expect(agenda.events).toEqual([]);
  expect(narrowing.more.map(({ label, count }) => [label, count])).toContainEqual(['Ahora', 1]);
  expect(narrowing.more.map(({ label }) => label)).not.toContain('Esta noche');
});

test('where nothing matches the page and its Markdown say what to take away, and what there would be', async () => {
  const address = '/hoy?category=live-music&free=1&zone=isla-mujeres';
  const { ways_out } = (await open(address)).narrowing;
  expect(ways_out.map(({ label }) => label)).toEqual(['Ver los 4 eventos']);
  for (const { path, count } of ways_out)
    expect([path, (await open(path)).total]).toEqual([path, count]);
  expect(await readMarkdown(address)).toContain('[Ver los 4 eventos](https://agenda.example/hoy)');
});

const readQuery = (address: string, query: string) => {
  const page = matchPage(pagePathOf(address));
  return page && parsePageRequest(page, address, query, state);
};

describe('a word that is not known', () => {
  test.each([
    ['/hoy?zone=atlantis', 'la zona «atlantis»'],
    ['/hoy?gratis=1&family=1', 'Quizá querías «free»'],
    ['/hoy?date=week', 'Esta página ya tiene sus fechas'],
    ['/buscar?date=week&from=2026-11-21', 'tomamos en cuenta los días'],
    ['/en/search?date=someday', 'We couldn’t read the date “someday”'],
  ])('%s gets the page and a sentence', async (address, sentence) => {
    expect((await open(address)).narrowing.ignored.join(' ')).toContain(sentence);
  });

  test('of others is passed over in silence, and the page stays one', async () => {
    expect((await open('/hoy?utm_source=x&lang=en')).narrowing.ignored).toEqual([]);
  });

  test.each([
    ['/hoy', 'zone=Isla-Mujeres&free=true&fbclid=1', 'zone=isla-mujeres&free=1', true],
    ['/en/search', 'q=&category=musica-en-vivo&zone=', 'category=live-music', true],
    ['/hoy', 'category=familia', 'family=1', true],
    ['/avisos', 'free=1', '', true],
    ['/hoy', 'zone=atlantis', 'zone=atlantis', false],
  ])('%s?%s is stored as %s', (address, query, text, is_understood) => {
    expect(readQuery(address, query)).toEqual({ text, is_understood });
  });
});

describe('the field for a date', () => {
  const jump = async (query: string, path: string) => {
    const answer = await resolvePath({ state, visit: null }, path, query);
    if (!(answer instanceof Response)) throw new Error('no redirect');
    return [answer.status, answer.headers.get('location')];
  };
  test.each([
    ['date=2026-12-24&free=true&zone=', '/fecha/2026-12-24?free=1'],
    ['free=1', '/hoy?free=1'],
    ['date=2031-01-01', '/buscar?date=2031-01-01'],
    ['date=2026-12-24', '/en/date/2026-12-24'],
    ['from=2026-12-20&to=2027-01-02&free=1', '/fecha/2026-12-20--2027-01-02?free=1'],
    ['to=2026-11-22', '/fecha/2026-11-20--2026-11-22'],
    ['from=2027-01-02&to=2026-12-20', '/buscar?from=2027-01-02&to=2026-12-20'],
  ])('%s leads to %s', async (query, location) => {
    const path = location.startsWith('/en') ? '/en/date' : '/fecha';
    expect(await jump(query, path)).toEqual([302, location]);
  });
  test('the first and the last day have no neighbour that is not there', async () => {
    const { around } = await open('/hoy');
    if (!around) throw new Error('no days');
    const first = (await open(`/fecha/${around.first}`)).around;
    const last = (await open(`/fecha/${around.last}`)).around;
    expect([first?.before, last?.after]).toEqual([null, null]);
    expect([first?.after?.path, last?.before?.path]).not.toContain(undefined);
  });
});
