// Seasons: events that last weeks, such as a season of turtles, stand apart from the events of a day.
import { expect, onTestFinished, test } from 'vitest';
import {
  buildAgendaView,
  loadAgendaPage,
  renderAgendaMarkdown,
} from '../../src/site/agenda-page.ts';
import { loadEmbedFrame } from '../../src/site/embed-page.ts';
import { loadMapPage } from '../../src/site/map-page.ts';
import { loadSearchPage } from '../../src/site/search-page.ts';
import { countChoices } from '../../src/snapshot/count-events.ts';
import { unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { localMs, loadFixture, openFixture } from '../fixtures/fixture.ts';
import { openPageContext } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const TITLE = 'A Long Exhibition';

/** Opens the town with its long exhibition as a season. */
function openInSeason() {
  const town = loadFixture();
  const events = town.events.map((event) =>
    event.title.en === TITLE ? { ...event, category: 'environment' } : event,
  );
  const { snapshot, close } = openFixture({ ...town, events });
  onTestFinished(close);
  return { ...openPageContext(), snapshot };
}
function buildView(date: string, local = '2026-11-20T12:00:00') {
  const context = { ...openInSeason(), now_ms: localMs(local) };
  const outcome = loadAgendaPage(context, { lang: 'en', date }, '');
  if (outcome.kind !== 'page') throw new Error('no agenda');
  return { loaded: outcome.page, view: buildAgendaView(outcome.page) };
}

test.each(['today', 'tomorrow', 'weekend', '2026-12-25'])(
  'a season on %s is in its own group, outside counts, descriptions and quick sections',
  (date) => {
    const { loaded, view } = buildView(date);
    const group = view.lists.find(({ key }) => key === 'season');
    expect([group?.title, group?.rows.map(({ title }) => title)]).toEqual(['In season', [TITLE]]);
    const others = view.lists.filter(({ key }) => key !== 'season');
    expect(others.flatMap(({ rows }) => rows.map(({ title }) => title))).not.toContain(TITLE);
    expect(loaded.meta.description).not.toContain(TITLE);
    expect(JSON.stringify([view.quick_sections, view.highlights])).not.toContain(TITLE);
    const count = loaded.agenda.events.length - 1;
    expect(view.event_count_text).toMatch(
      count === 0 ? /^No events/ : new RegExp(`^${count} event`),
    );
    const { today } = view.day_navigation.keyword_days;
    if (date === 'today') expect(today?.count).toBe(count);
    const markdown = renderAgendaMarkdown(view);
    expect(markdown).toMatch(new RegExp(`## In season\n+### .*${TITLE}`));
  },
);

test('a season is in its own section of the tool, and last and labeled in an embedded list', async () => {
  const context = openInSeason();
  const { content } = await call('eventos_hoy', { lang: 'en' }, contextOf(context.snapshot));
  expect(content[0].text).toMatch(new RegExp(`## In season\n+- .*${TITLE}`));
  const { content: later } = await call(
    'buscar_eventos',
    { lang: 'en', date: 'tomorrow' },
    contextOf(context.snapshot),
  );
  expect(later[0].text).toMatch(new RegExp(`## In season\n+- .*${TITLE}`));
  const last = loadEmbedFrame(context, 'limit=30', 'en').page.entries.at(-1);
  expect([last?.title, last?.label]).toEqual([TITLE, 'In season']);
});

test('a season is not counted by filters, map and search, and is named beside the count', async () => {
  const in_season = openInSeason();
  const context = { ...in_season, now_ms: localMs('2026-11-20T12:00:00') };
  const counts = countChoices(context.snapshot, unfilteredEventFilter(context.now_ms, 1));
  expect(counts.by_key.get('category')?.get('environment')).toBe(0);
  const map = loadMapPage(context, { lang: 'en' });
  if (map.kind !== 'page') throw new Error('no map');
  const { day_navigation } = buildView('today').view;
  expect(map.page.tally).toContain(`${day_navigation.keyword_days.today?.count} events`);
  const search = loadSearchPage(context, { lang: 'en' }, 'q=long+exhibition');
  if (search.kind !== 'page') throw new Error('no search');
  expect(search.page.tally).toBe('1 in season');
  const { content } = await call(
    'buscar_eventos',
    { lang: 'en', q: 'long exhibition' },
    contextOf(context.snapshot),
  );
  expect(content[0].text).toContain('Upcoming from now: 1 in season.');
});
