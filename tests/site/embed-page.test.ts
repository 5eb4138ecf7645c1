// Embedding: the events in the frame, and the HTML snippet.
import { describe, expect, test } from 'vitest';
import { RESULT_LIMITS } from '../../src/domain/query/parameters.ts';
import { loadEmbedPage, loadEmbedFrame } from '../../src/site/embed-page.ts';
import { requestApi } from '../fixtures/ask.ts';
import { openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;

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

  test.each([
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
