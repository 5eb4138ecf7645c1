// Changes page: shows the same changes as the API (contract 8.31).
import { join } from 'node:path';
import { parseJsonFeed } from 'feedsmith';
import { afterAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/i18n/paths.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadChangesPage } from '../../src/site/changes-page.ts';
import { requestApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';
import { fetchChanges, createReleasedTown } from '../fixtures/released-town.ts';
import { SITE } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const DAY_MS = 86_400_000;
const town = createReleasedTown(join(useFolder(), 'town'));
afterAll(town.stop);

// Ten days after the first release: a new title, a cancellation, a checked source, a removed event.
town.release(FRIDAY_NOON_MS);
town.edit('events/concierto-unico', /^title: .*$/m, 'title: { es: "Otro <b>", en: "Other <b>" }');
town.edit(
  'events/concierto-unico',
  /dates: \[2026-11-20\](.*)$/m,
  'dates: [2026-11-20, 2026-12-18]$1\nchanges: [{ date: 2026-12-18, status: cancelled, note: { es: Llueve, en: Rain } }]',
);
town.release(FRIDAY_NOON_MS + 8 * DAY_MS);
town.edit('events/feria-diaria', /^/, 'status: cancelled\n');
town.edit('events/fiesta-de-viernes', /checked: \d{4}-\d\d-\d\d/, 'checked: 2026-11-19');
town.remove('events/exposicion-larga');
const release = town.release(FRIDAY_NOON_MS + 10 * DAY_MS);
const state = { snapshot: release.snapshot, site: SITE, now_ms: release.now_ms };
const loadPage = (query: string, lang: 'es' | 'en' = 'es') =>
  loadChangesPage(state, { lang }, query).page;
const renderMarkdown = (context: typeof state, lang: 'es' | 'en' = 'en') =>
  createMarkdownResponse(context, PAGE_PATHS.changes[lang]).text();
const readFeed = (name: string) =>
  String(requestApi(release.snapshot, `/feeds/${name}`, { now_ms: release.now_ms }).body);
const listByDay = ({ days }: ReturnType<typeof loadPage>) =>
  days.map((day) => [
    day.id.slice(1),
    day.changes.map(({ path, kind }) => `${path} ${kind}`).sort(),
  ]);

test('the changes page lists the changes of the API since the same day, without refreshed records', () => {
  const since = 'since=2026-11-23';
  const { data } = fetchChanges(release, `${since}&limit=500`);
  const visible = data.filter(({ change }) => change !== 'refreshed');
  const days = Map.groupBy(visible, ({ changed_at }) => changed_at.slice(0, 10));
  const expected = [...days].map(([day, changes]) => [
    day,
    changes.map(({ url, change }) => `${url?.slice(SITE.url.length) ?? null} ${change}`).sort(),
  ]);
  expect(listByDay(loadPage(since))).toEqual(expected.reverse());
  const kinds = loadPage('').days.flatMap(({ changes }) => changes.map(({ kind }) => kind));
  expect(kinds.sort()).toEqual(['cancelled', 'cancelled', 'withdrawn']);
});

test('a cancelled date wins over added, and is named by page, API, feeds and MCP', async () => {
  const cancelled_at = '2026-11-28T12:00:00-05:00';
  const { data } = fetchChanges(release, 'since=2026-11-01&limit=500');
  const change = data.find(({ title }) => title === 'Otro <b>');
  expect(change).toMatchObject({ change: 'cancelled' });
  expect(change?.dates).toMatchObject([
    { date: '2026-12-18', status: 'cancelled', notes: 'Llueve' },
  ]);
  const words = 'vie 18 dic, a las 19:00 (Llueve)';
  const page_changes = loadPage('since=2026-11-01').days.flatMap((day) => day.changes);
  const on_page = page_changes.find(({ name }) => name === 'Otro <b>');
  expect(on_page).toMatchObject({ kind: 'cancelled', detail: words });
  const feed = parseJsonFeed(readFeed('cambios.json'));
  const item = feed.items?.find(({ title }) => title === 'Cancelado: Otro <b>');
  expect(item).toMatchObject({ date_modified: cancelled_at, content_text: words });
  expect(readFeed('cambios.atom')).toContain(`<updated>${cancelled_at}</updated>`);
  const args = { change: 'cancelled', since: '2026-11-01' };
  const context = contextOf(release.snapshot, { now_ms: release.now_ms });
  const { structuredContent, content } = await call('cambios', args, context);
  expect(structuredContent.data).toContainEqual(
    expect.objectContaining({
      title: 'Otro <b>',
      dates: [expect.objectContaining({ date: '2026-12-18', status: 'cancelled' })],
    }),
  );
  expect(content[0].text).toContain(words);
});

test('the Markdown version of the changes page escapes titles', async () => {
  const text = await renderMarkdown(state);
  expect(text).toContain('3 changes since Monday, November 23, 2026');
  expect(text).toMatch(/^- \*\*Canceled\*\*: \[Everyday Fair\]\(https:\S+\/everyday-fair\)/m);
  expect(text).toMatch(
    /^- \*\*Canceled\*\*: \[Other \\<b>\]\(\S+\) · Fri, Dec 18, 7 p\.m\. \(Rain\)$/m,
  );
  expect(text).toMatch(/^- \*\*Removed\*\*: An event that is no longer listed$/m);
  expect(text).not.toMatch(/Friday Night|Exposici/);
});

test('the changes page applies since, and names an invalid value', () => {
  expect(loadPage('').periods.map(({ is_current }) => is_current)).toEqual([false, true, false]);
  const all = loadPage('since=2026-11-19').days.flatMap(({ changes }) => changes);
  expect(all.length).toBeGreaterThan(8);
  for (const invalid of ['ayer', '2027-01-01']) {
    const page = loadPage(`since=${invalid}`);
    expect(page.ignored).toContain(invalid);
    expect(page.about).toContain('23 de noviembre');
    expect(createMarkdownResponse(state, '/cambios', `since=${invalid}`).status).toBe(400);
  }
});

test('the changes page says that nothing changed', async () => {
  const later = { ...state, now_ms: release.now_ms + 20 * DAY_MS };
  expect(await renderMarkdown(later)).toContain('Nothing has changed since');
});
