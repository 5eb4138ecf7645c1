// Agenda page of today: events that are on come first on the page, in Markdown, in the tool and in JSON (contract 8.23).
import { expect, test } from 'vitest';
import { loadAgendaPage, buildAgendaView } from '../../src/site/agenda-page.ts';
import { loadEmbedFrame } from '../../src/site/embed-page.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadSearchPage } from '../../src/site/search-page.ts';
import { getFromApi } from '../fixtures/ask.ts';
import { loadFixture, localMs, openTestSnapshot } from '../fixtures/fixture.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { dayPath } from '../../src/i18n/paths.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';
import { expectPromised } from '../mcp/listed.ts';

const town = openPageContext();
const { snapshot } = town;

test.each([
  ['2026-11-20T19:30:05', '/en/events/one-off-concert', 'picks', 'Worth your while'],
  ['2026-11-20T22:10:05', '/en/events/friday-night-out', 'now_nightclubs', 'Nightclubs open now'],
  ['2026-11-21T00:40:05', '/en/events/friday-night-out', 'now_nightclubs', 'Nightclubs open now'],
])('at %s %s is on now on every surface', async (local, path, key, heading) => {
  const now_ms = localMs(local);
  const state = { ...town, now_ms };
  const now = getFromApi(snapshot, EventListResponse, '/api/v1/events?date=now&lang=en', {
    now_ms,
  });
  const with_hours = now.data.filter(({ next }) => next?.all_day === false);
  expect(with_hours.map(({ url }) => url)).toEqual([`${SITE.url}${path}`]);
  const outcome = loadAgendaPage(state, { lang: 'en', date: 'today' }, '');
  if (outcome.kind !== 'page') throw new Error('no agenda');
  const { highlights, lists } = buildAgendaView(outcome.page);
  const rows = key === 'picks' ? highlights?.rows : lists.find((list) => list.key === key)?.rows;
  expect(rows?.map((row) => row.path)).toEqual([path]);
  const markdown = await createMarkdownResponse(state, '/en/today').text();
  const { content } = await call('eventos_hoy', { lang: 'en' }, contextOf(snapshot, { now_ms }));
  for (const text of [markdown, content[0].text])
    expect(text.split(`## ${heading}`)[1]?.split('\n## ')[0]).toContain(path);
});

test.each(['/en/week', '/en/weekend'])(
  '%s in Markdown begins with ongoing events of last night',
  async (path) => {
    const renderAt = (local: string): Promise<string> =>
      createMarkdownResponse({ ...town, now_ms: localMs(local) }, path).text();
    const night = await renderAt('2026-11-21T00:40:05');
    const [, first = ''] = night.split(/\n## (?!Notices|At a glance)/);
    expect(first).toMatch(/^Nightclubs open now \(18\+\)\n\n### .*Friday Night Out/);
    expect(await renderAt('2026-11-20T19:30:05')).not.toContain('open now');
  },
);

test('a cancelled date of a range is named beside the next date on every surface', async () => {
  const words = 'Canceled: Sat, Nov 21, 10 a.m. to 2 p.m. (Called off because of rain)';
  const days = 'from=2026-11-20&to=2026-11-26';
  const url = `${SITE.url}/en/events/everyday-fair`;
  const called_off = [expect.objectContaining({ date: '2026-11-21', status: 'cancelled' })];
  const { data } = getFromApi(snapshot, EventListResponse, `/api/v1/events?lang=en&${days}`);
  expect(data.find((event) => event.url === url)).toMatchObject({
    next: { date: '2026-11-20', status: 'scheduled' },
    called_off,
    called_off_count: 1,
  });
  const args = Object.fromEntries(new URLSearchParams(`lang=en&${days}`));
  const result = await call('buscar_eventos', args, contextOf(snapshot));
  expectPromised(snapshot, 'buscar_eventos', result);
  const { structuredContent, content } = result;
  const title = 'Everyday Fair';
  expect(structuredContent.data).toContainEqual(expect.objectContaining({ title, called_off }));
  const with_label = words.replace('Canceled:', '**Canceled:**');
  expect(content[0].text).toContain(with_label);
  expect(await createMarkdownResponse(town, '/en/search', days).text()).toContain(with_label);
  expect(await createMarkdownResponse(town, '/en/week').text()).toContain(with_label);
  const { lists } = loadSearchPage(town, { lang: 'en' }, days).page.upcoming ?? {};
  const row = lists?.flatMap(({ rows }) => rows).find(({ path }) => url.endsWith(path));
  expect(row?.note).toBe(words);
  const { entries } = loadEmbedFrame(town, 'date=week', 'en').page;
  expect(entries.find(({ path }) => url.endsWith(path))?.called_off).toBe(words);
});

test('a search for cancelled dates is one request in REST, MCP and Markdown', async () => {
  const query = 'status=cancelled&from=2026-11-20&to=2026-12-31';
  const { data } = getFromApi(snapshot, EventListResponse, `/api/v1/events?lang=en&${query}`);
  expect(data.map(({ title, next }) => [title, next?.date, next?.status])).toEqual([
    ['Everyday Fair', '2026-11-21', 'cancelled'],
  ]);
  const args = Object.fromEntries(new URLSearchParams(`lang=en&${query}`));
  const { structuredContent, content } = await call('buscar_eventos', args, contextOf(snapshot));
  expect(structuredContent.data).toMatchObject([{ next: { date: '2026-11-21' } }]);
  const markdown = await createMarkdownResponse(town, '/en/search', query).text();
  for (const text of [markdown, content[0].text])
    expect(text).toMatch(/Canceled.*November 21.*Called off because of rain/s);
  const postponed = getFromApi(snapshot, EventListResponse, '/api/v1/events?status=postponed');
  expect(postponed.data.map(({ next }) => next?.status)).toEqual(['postponed']);
});

test('a search for cancelled dates suggests no event without dates', () => {
  const fixture = loadFixture();
  const fair = fixture.events.find(({ slug }) => slug.es === 'feria-diaria')?.id;
  const occurrences = fixture.occurrences.filter(({ event }) => event !== fair);
  const dateless = openTestSnapshot({ ...fixture, occurrences });
  const searchPast = (query: string) =>
    getFromApi(dateless, EventListResponse, `/api/v1/events?q=feria${query}`).meta.nothing?.past;
  expect(searchPast('')).toMatchObject([{ id: fair }]);
  expect(searchPast('&status=cancelled')).toEqual([]);
});

test.each([dayPath('2026-12-24', 'es'), '/navidad'])(
  '%s names the repeating events that are assumed to rest, on the page and in Markdown',
  async (path) => {
    const text = await createMarkdownResponse(town, path).text();
    const section = text.split('## Suele haber; pregunta antes')[1]?.split('\n## ')[0];
    expect(text.split('## Suele haber')[0]).not.toContain('## Lugares');
    expect(section).toContain('/eventos/feria-diaria');
  },
);

test('among days with only regular events, days without any are named', () => {
  const request = { lang: 'en', date: 'christmas', is_festivity: true } as const;
  const outcome = loadAgendaPage(town, request, '');
  if (outcome.kind !== 'page') throw new Error('no agenda');
  const { lists } = buildAgendaView(outcome.page);
  expect(lists.find(({ key }) => key === 'quiet')?.empty_message).toBe(
    'Only the regular events and the nightclubs. Nothing announced: Thu, Dec 31, Fri, Jan 1.',
  );
});

test('a search on a holiday names the matches that are assumed to rest, on every surface', async () => {
  const query = 'q=feria+diaria&date=2026-12-24&lang=en';
  const { meta } = getFromApi(snapshot, EventListResponse, `/api/v1/events?${query}`);
  expect(meta.ask_first).toMatchObject([{ title: 'Everyday Fair', dates: ['2026-12-24'] }]);
  const sentence = 'Usually on, ask first (Thu, Dec 24): Everyday Fair.';
  const args = Object.fromEntries(new URLSearchParams(query));
  const { content } = await call('buscar_eventos', args, contextOf(snapshot));
  expect(content[0].text).toContain(sentence);
  const search = createMarkdownResponse(town, '/en/search', 'q=feria+diaria&date=2026-12-24');
  expect(await search.text()).toContain(sentence);
});

test('a cancelled event has no advice to confirm its date', () => {
  const { data } = getFromApi(snapshot, EventListResponse, '/api/v1/events?status=cancelled');
  expect(data.map(({ confirm }) => confirm ?? null)).toEqual(data.map(() => null));
  expect(data.length).toBeGreaterThan(0);
});
