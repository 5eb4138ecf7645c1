// The page of changes: what people read of them, the same as programs get (contract 8.31).
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PAGE_PATHS } from '../../src/i18n/paths.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadChangesPage } from '../../src/site/changes-page.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { readChanges, startTown } from '../fixtures/released-town.ts';
import { SITE } from '../fixtures/site.ts';

const DAY_MS = 86_400_000;
const town = startTown(join(makeFolder(), 'town'));
afterAll(town.stop);

// Ten days after all was new: a title, a cancellation, a source looked at, one gone.
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
const served = town.release(FRIDAY_NOON_MS + 10 * DAY_MS);
const state = { snapshot: served.snapshot, site: SITE, now_ms: served.now_ms };
const toPage = (query: string, lang: 'es' | 'en' = 'es') =>
  loadChangesPage(state, { lang }, query).page;
const toMarkdown = (asked: typeof state, lang: 'es' | 'en' = 'en') =>
  createMarkdownResponse(asked, PAGE_PATHS.changes[lang]).text();
const toTold = ({ days }: ReturnType<typeof toPage>) =>
  days.map((day) => [day.id.slice(1), day.changes.map((one) => `${one.path} ${one.kind}`).sort()]);

test('the page of changes has what the API has since the same day, by day, without what was only looked at', () => {
  const since = 'since=2026-11-23';
  const { data } = readChanges(served, `${since}&limit=500`);
  const told = data.filter(({ change }) => change !== 'refreshed');
  const days = Map.groupBy(told, ({ changed_at }) => changed_at.slice(0, 10));
  const shown = [...days].map(([day, changes]) => [
    day,
    changes.map(({ url, change }) => `${url?.slice(SITE.url.length) ?? null} ${change}`).sort(),
  ]);
  expect(toTold(toPage(since))).toEqual(shown.reverse());
  const words = toPage('').days.flatMap(({ changes }) => changes.map(({ kind }) => kind));
  expect(words.sort()).toEqual(['cancelled', 'changed', 'withdrawn']);
});

test('the page of changes says the same in Markdown, strangers’ words as words', async () => {
  const text = await toMarkdown(state);
  expect(text).toContain('3 changes since Monday, November 23, 2026');
  expect(text).toMatch(/^- \*\*Canceled\*\*: \[Everyday Fair\]\(https:\S+\/everyday-fair\)/m);
  expect(text).toMatch(/^- \*\*Changed\*\*: \[Other \\<b>\]\(/m);
  expect(text).toContain('December 18, 2026, 7 p.m. · Canceled · Rain');
  expect(text).toMatch(/^- \*\*Removed\*\*: An event that is no longer listed$/m);
  expect(text).not.toMatch(/Friday Night|Exposici/);
});

test('the page of changes looks as far back as it is asked, and says so where it cannot', () => {
  expect(toPage('').look_back.map(({ is_shown }) => is_shown)).toEqual([false, true, false]);
  const all = toPage('since=2026-11-19').days.flatMap(({ changes }) => changes);
  expect(all.length).toBeGreaterThan(8);
  for (const wrong of ['ayer', '2027-01-01']) {
    const page = toPage(`since=${wrong}`);
    expect(page.ignored).toContain(wrong);
    expect(page.about).toContain('23 de noviembre');
    expect(createMarkdownResponse(state, '/cambios', `since=${wrong}`).status).toBe(400);
  }
});

test('the page of changes says that nothing changed where nothing did', async () => {
  const later = { ...state, now_ms: served.now_ms + 20 * DAY_MS };
  expect(await toMarkdown(later)).toContain('Nothing has changed since');
});
