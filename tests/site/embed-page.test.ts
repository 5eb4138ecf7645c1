// The agenda on other people's sites: what stands in the frame, and the snippet that puts it there.
import { describe, expect, test } from 'vitest';
import { RESULT_LIMITS } from '../../src/domain/query/parameters.ts';
import { loadEmbedPage, loadEmbedFrame } from '../../src/site/embed-page.ts';
import { ask } from '../fixtures/ask.ts';
import { openState } from '../fixtures/site.ts';

const state = openState();
const { snapshot } = state;

describe('the frame', () => {
  test('lists what the API lists for the same words, ten at most unless more are asked for', () => {
    for (const query of ['', 'date=weekend&free=1', 'category=mercados', 'limit=3&zone=tajamar']) {
      const { data } = JSON.parse(String(ask(snapshot, `/api/v1/events?${query}`).body));
      const { status, page } = loadEmbedFrame(state, query, 'es');
      expect(status).toBe(200);
      expect(page.entries.map(({ title }) => title)).toEqual(
        data.slice(0, RESULT_LIMITS.frame.fallback).map((event: { title: string }) => event.title),
      );
    }
  });

  test.each([
    ['theme=red', "theme: 'red' is not accepted. Use auto, light, dark"],
    ['limit=31', "limit: '31' is not accepted. Use a whole number from 1 to 30"],
    ['zona=centro', "zona: is not a parameter. Use 'zone'"],
  ])('says what is wrong with %s, on a page', (query, issue) => {
    const { status, page } = loadEmbedFrame(state, query, 'es');
    expect([status, page.entries]).toEqual([400, []]);
    expect(page.issue).toContain(issue);
  });
});

describe('the snippet', () => {
  test('is one frame of what was chosen, in its language, with a title and without a script', () => {
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

  test('never lets what was typed out of its attribute', () => {
    const { page } = loadEmbedPage(state, { lang: 'es' }, 'date="><script>');
    expect(page.frame).toBeNull();
    expect(loadEmbedPage(state, { lang: 'es' }, 'lang=fr').status).toBe(400);
  });
});
