// Embedding: the events in the frame, and the HTML snippet.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { RESULT_LIMITS } from '../../src/domain/query/parameters.ts';
import { loadEmbedPage, loadEmbedFrame } from '../../src/site/embed-page.ts';
import { requestApi } from '../fixtures/ask.ts';
import { loadFixture, openFixture } from '../fixtures/fixture.ts';
import { openPageContext, SITE } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;

/** Returns the town with an unknown hour and a note on all its dates. */
function withNote(es: string, en: string): Dataset {
  const town = loadFixture();
  const occurrences = town.occurrences.map((date) => ({
    ...date,
    ...{ all_day: true, time_known: false, notes: { es, en } },
  }));
  return { ...town, occurrences };
}

describe('the frame', () => {
  test('lists the events of the API for the same query, ten unless it has a limit', () => {
    for (const query of ['', 'date=weekend&free=1', 'category=mercados', 'limit=3&zone=tajamar']) {
      const { data } = JSON.parse(String(requestApi(snapshot, `/api/v1/events?${query}`).body));
      const { status, page } = loadEmbedFrame(state, query, 'es');
      expect(status).toBe(200);
      expect(page.entries.map(({ title }) => title)).toEqual(
        data.slice(0, RESULT_LIMITS.frame.fallback).map((event: { title: string }) => event.title),
      );
    }
  });

  test('warns once, under its title, of unconfirmed dates', () => {
    const readWarning = (query: string, lang: Lang) =>
      loadEmbedFrame(state, query, lang).page.warning;
    expect(readWarning('category=markets', 'en')).toBe(
      'Not confirmed by the organizers: call first.',
    );
    expect(readWarning('', 'es')).toMatch(/✓ confirmado/);
    expect(readWarning('date=2026-11-22', 'es')).toBeNull();
  });

  test('has the part of the day instead of an unknown hour, as the page has', () => {
    const { snapshot: at_night, close } = openFixture(withNote('De noche.', 'At night.'));
    onTestFinished(close);
    const { page } = loadEmbedFrame({ ...state, snapshot: at_night }, 'date=2026-11-23', 'en');
    const entry = page.entries.find(({ title }) => title === 'Everyday Fair');
    expect(entry?.when).toMatchObject({ days: 'Mon, Nov 23', hours: 'At night' });
  });

  test('is titled with a written date', () => {
    const readTitle = (query: string, lang: Lang) => loadEmbedFrame(state, query, lang).page.title;
    expect(readTitle('date=2026-11-30', 'es')).toBe(`${SITE.name}: lunes 30 de noviembre de 2026`);
    expect(readTitle('date=2026-11-30', 'en')).toBe(`${SITE.name}: Monday, November 30, 2026`);
    const { selects } = loadEmbedPage(state, { lang: 'en' }, 'date=2026-11-30').page;
    expect(selects[0]?.options[0]?.text).toBe('Monday, November 30, 2026');
  });

  test('leaves out nightclubs with nightclubs=0, up to its limit', () => {
    const readTitles = (query: string) =>
      loadEmbedFrame(state, query, 'en').page.entries.map(({ title }) => title);
    const all = readTitles('date=2026-11-20&limit=30');
    expect(all).toContain('Friday Night Out');
    const others = all.filter((title) => title !== 'Friday Night Out');
    expect(readTitles('date=2026-11-20&nightclubs=0&limit=30')).toEqual(others);
    expect(readTitles('date=2026-11-20&nightclubs=0&limit=2')).toEqual(others.slice(0, 2));
    expect(readTitles('date=2026-11-20&nightclubs=1&limit=30')).toEqual(all);
    const { page } = loadEmbedPage(state, { lang: 'en' }, 'nightclubs=0');
    expect(page.frame?.path).toBe('/en/embed?nightclubs=0');
    expect(page.checkboxes.at(-1)).toMatchObject({
      name: 'nightclubs',
      value: '0',
      is_checked: true,
    });
  });

  test.each([
    ['nightclubs=no', "nightclubs: 'no' is invalid. Use 0, 1"],
    ['theme=red', "theme: 'red' is invalid. Use auto, light, dark"],
    ['limit=31', "limit: '31' is invalid. Use a whole number from 1 to 30"],
    ['zona=centro', "zona: unknown parameter. Use 'zone'"],
  ])('shows the issue of %s', (query, issue) => {
    const { status, page } = loadEmbedFrame(state, query, 'es');
    expect([status, page.entries]).toEqual([400, []]);
    expect(page.issue).toContain(issue);
  });
});

describe('the snippet', () => {
  test('is an iframe with the chosen filters, language and title, and no script', () => {
    expect(loadEmbedPage(state, { lang: 'en' }, '').page.frame?.path).toBe('/en/embed');
    const { page } = loadEmbedPage(
      state,
      { lang: 'es' },
      'date=week&category=mercados&zone=&lang=en',
    );
    expect(page.frame?.path).toBe('/en/embed?date=week&category=mercados');
    expect(page.frame?.snippet).toMatch(
      /^<iframe src="[^"]*week&amp;category=mercados" title="Hoy Cancún: Markets, week" [^<>]*><\/iframe>$/,
    );
  });

  test('is absent for a query with HTML or an unknown language', () => {
    const { page } = loadEmbedPage(state, { lang: 'es' }, 'date="><script>');
    expect(page.frame).toBeNull();
    expect(loadEmbedPage(state, { lang: 'es' }, 'lang=fr').status).toBe(400);
  });
});
