// The agenda on other people's sites: what stands in the frame, and the snippet that puts it there.
import { afterAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/query/parameters.ts';
import { resolveEmbed, resolveFrame } from '../../src/site/embed.ts';
import { ask } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE };

describe('the frame', () => {
  test('lists what the API lists for the same words, ten at most unless more are asked for', () => {
    for (const query of ['', 'date=weekend&free=1', 'category=mercados', 'limit=3&zone=tajamar']) {
      const { data } = JSON.parse(String(ask(snapshot, `/api/v1/events?${query}`).body));
      const { status, page } = resolveFrame(state, query, 'es');
      expect(status).toBe(200);
      expect(page.cards.map((card) => card.event.id)).toEqual(
        data.slice(0, LIMITS.frame.fallback).map((event: { id: string }) => event.id),
      );
    }
  });

  test('says in its name what it lists', () => {
    expect(resolveFrame(state, 'category=mercados&free=1', 'es').page.title).toBe(
      'Hoy Cancún: Mercados, gratis',
    );
  });

  test.each([
    ['theme=red', "theme: 'red' is not accepted. Use auto, light, dark"],
    ['limit=31', "limit: '31' is not accepted. Use a whole number from 1 to 30"],
    ['limit=0', "limit: '0' is not accepted"],
    ['date=someday', 'date:'],
    ['category=nada', 'category:'],
    ['zona=centro', "zona: is not a parameter. Use 'zone'"],
  ])('says what is wrong with %s, on a page', (query, issue) => {
    const { status, page } = resolveFrame(state, query, 'es');
    expect([status, page.cards]).toEqual([400, []]);
    expect(page.issue).toContain(issue);
  });
});

describe('the snippet', () => {
  test('is one frame of what was chosen, in its language, with a title and without a script', () => {
    const { page } = resolveEmbed(state, 'date=week&category=mercados&zone=&lang=en', 'es');
    expect(page.frame?.path).toBe('/en/embed?date=week&category=mercados');
    expect(page.frame?.snippet).toBe(
      '<iframe src="https://agenda.example/en/embed?date=week&amp;category=mercados" title="Hoy Cancún: Markets, week" width="100%" height="560" loading="lazy" style="border:0"></iframe>',
    );
  });

  test('is of the language of the page unless it says another', () => {
    expect(resolveEmbed(state, '', 'es').page.frame?.path).toBe('/embed');
    expect(resolveEmbed(state, '', 'en').page.frame?.path).toBe('/en/embed');
  });

  test('never lets what was typed out of its attribute', () => {
    const { page } = resolveEmbed(state, 'date="><script>', 'es');
    expect(page.frame).toBeNull();
    expect(resolveEmbed(state, 'lang=fr', 'es').status).toBe(400);
  });
});
