// llms.txt: all its addresses work; llms-full.txt stays within its size limit (contract 3.9).
import { describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { MAX_LLMS_FULL_BYTES, renderLlmsTxt, renderLlmsFullTxt } from '../../src/site/llms-txt.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-records.ts';
import { FRIDAY_NOON_MS, openTestSnapshot } from '../fixtures/fixture.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;
const llms = renderLlmsTxt(snapshot, SITE);

const SLUGS: Readonly<Record<string, string>> = {
  eventos: 'feria-diaria',
  events: 'everyday-fair',
  lugares: 'malecon-inventado',
  venues: 'malecon-inventado',
  organizadores: 'colectivo-de-prueba',
  organizers: 'colectivo-de-prueba',
};

/** Replaces the placeholders of an address. */
const fillPlaceholders = (address: string): string =>
  address
    .replace(/(?<=since=)(AAAA|YYYY)-MM-DD/, '2026-11-19')
    .replace(/(AAAA|YYYY)-MM-DD/g, '2026-11-24')
    .replace(/(AAAA|YYYY)(?=-03)/g, '2027')
    .replace(/(\w+)\/\{slug\}/, (_, folder: string) => `${folder}/${SLUGS[folder]}`)
    .replace('category=…', 'category=art')
    .replace('zone=…', 'zone=downtown')
    .replace('q=…', 'q=feria');

const ADDRESSES = [...new Set([...llms.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path))];

describe('llms.txt', () => {
  test('has the same addresses in both languages, in at most 20,000 characters', () => {
    expect(llms.length).toBeLessThanOrEqual(20_000);
    expect(ADDRESSES.length).toBe(2 * ADDRESSES.filter((path) => path.startsWith('/en/')).length);
    expect(ADDRESSES.length).toBeGreaterThan(30);
  });

  test.each(ADDRESSES)('the address %s returns a document', async (address) => {
    const [path = '', query = ''] = fillPlaceholders(address).split('?');
    expect(path).toMatch(/\.md$/);
    const response = createMarkdownResponse(state, path.replace(/\.md$/, ''), query);
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^# /)]);
  });

  test('names every category and zone by its slug', () => {
    const { categories, zones } = snapshot.taxonomy;
    for (const lang of LANGS)
      for (const { slug } of [...categories, ...zones]) expect(llms).toContain(`\`${slug[lang]}\``);
  });
});

describe('llms-full.txt', () => {
  test.each(LANGS)('has the upcoming events, venues and API docs in %s', (lang) => {
    const text = renderLlmsFullTxt(state, lang);
    for (const { slug } of listUpcomingEvents(snapshot, FRIDAY_NOON_MS))
      expect(text).toContain(`/${slug[lang]})`);
    for (const part of ['malecon-inventado', 'listEvents', 'enviar_evento'])
      expect(text).toContain(part);
  });

  test.each([
    [
      '200 events and the link to the next page',
      MAX_LLMS_FULL_BYTES,
      /\/en\/search\.md\?[^)]*cursor=/,
    ],
    ['a link to what did not fit', 40_000, /^Not included here for lack of room: \[/m],
  ])('of a large town has %s, in at most %i bytes', (_, max_bytes, pattern) => {
    const town = { ...state, snapshot: openTestSnapshot(loadGeneratedTown(400)) };
    const text = renderLlmsFullTxt(town, 'en', max_bytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max_bytes);
    expect(text).toMatch(pattern);
  });
});
