// What people type means filters too, and finds places, notices and pages beside events (contract 7.32).
import { afterAll, describe, expect, test } from 'vitest';
import { readSearchText } from '../../src/site/page-query.ts';
import { respondMarkdown } from '../../src/site/markdown.ts';
import { loadSearch } from '../../src/site/search.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE };
const search = (q: string) =>
  loadSearch(state, { lang: 'es' }, new URLSearchParams({ q }).toString()).page;

describe('a text', () => {
  test.each([
    ['gratis hoy', '', { free: '1', date: 'today' }],
    ['feria este fin de semana', 'feria', { date: 'weekend' }],
    ['kids Saturday', '', { family: '1', date: '2026-11-21' }],
    ['el sábado en el centro', '', { date: '2026-11-21', zone: 'downtown' }],
    ['MUSICA EN VIVO isla mujeres', '', { category: 'live-music', zone: 'isla-mujeres' }],
    ['free tonight jazz', 'jazz', { free: '1', date: 'tonight' }],
    ['kids niños', '', { family: '1' }],
    // A second day stays a word.
    ['hoy mañana', 'mañana', { date: 'today' }],
    ['feria diaria', 'feria diaria', {}],
    ['', '', {}],
  ])('%s', (text, q, texts) => {
    expect(readSearchText(text, snapshot.taxonomy, FRIDAY_NOON_MS)).toEqual({ q, texts });
  });

  test('becomes filters that can be taken away; what else was asked stays', () => {
    const { texts, narrowing } = search('feria gratis');
    expect(texts).toMatchObject({ q: 'feria', free: '1' });
    expect(narrowing.on.map(({ label }) => label)).toContain('Gratis');
    const asked = loadSearch(state, { lang: 'es' }, 'q=feria+hoy&date=week').page;
    expect(asked.texts).toMatchObject({ q: 'feria hoy', date: 'week' });
  });

  test.each(['hoy mañana', 'kids niños', 'feria gratis', 'feria diaria', 'isla isla'])(
    '%s is read the same when it is read again',
    (text) => {
      const { texts } = search(text);
      const again = new URLSearchParams(texts as Record<string, string>).toString();
      expect(loadSearch(state, { lang: 'es' }, again).page.texts).toEqual(texts);
    },
  );

  test('stands as it is where only its words find something', () => {
    const { event } = search('feria diaria').cards[0] ?? {};
    expect(event?.title.es).toBe('Feria diaria');
    expect(search('feria').total).toBeGreaterThan(0);
  });
});

describe('beside events', () => {
  test('a place that is called so comes first, and in Markdown too', async () => {
    const { before, total } = search('malecón inventado');
    expect([before[0]?.lines[0]?.title, total > 0]).toEqual(['Malecón Inventado', true]);
    const text = await respondMarkdown(state, '/buscar', 'q=malecon+inventado').text();
    expect(text).toMatch(/## Lugares\n\n- \[Malecón Inventado\]\(https:.*\n\n## Eventos/);
  });

  test('a notice and a page of others are found by their subject', () => {
    const kindsOf = (q: string) => {
      const { before, after } = search(q);
      return [...before, ...after].map(({ id }) => id);
    };
    expect(kindsOf('oleaje')).toContain('beside-notices');
    expect(kindsOf('seaweed')).toContain('beside-links');
    expect(kindsOf('zzzz')).toEqual([]);
    expect(search('seaweed').narrowing.ways_out).toEqual([]);
  });
});
