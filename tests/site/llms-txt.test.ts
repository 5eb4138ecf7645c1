// Every address that llms.txt teaches answers; all in one file is as short as said (contract 3.9).
import { describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { MAX_LLMS_FULL_BYTES, renderLlmsTxt, renderLlmsFullTxt } from '../../src/site/llms-txt.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-records.ts';
import { FRIDAY_NOON_MS, openInTest } from '../fixtures/fixture.ts';
import { readMadeUpTown } from '../fixtures/made-up-town.ts';
import { SITE, openState } from '../fixtures/site.ts';

const state = openState();
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

/** An address as somebody would type it who fills in what it leaves open. */
const fillIn = (address: string): string =>
  address
    .replace(/(?<=since=)(AAAA|YYYY)-MM-DD/, '2026-11-19')
    .replace(/(AAAA|YYYY)-MM-DD/g, '2026-11-24')
    .replace(/(AAAA|YYYY)(?=-03)/g, '2027')
    .replace(/(\w+)\/\{slug\}/, (_, folder: string) => `${folder}/${SLUGS[folder]}`)
    .replace('category=…', 'category=art')
    .replace('zone=…', 'zone=downtown')
    .replace('q=…', 'q=feria');

const TAUGHT = [...new Set([...llms.matchAll(/`(\/[^`]+)`/g)].map(([, path = '']) => path))];

describe('llms.txt', () => {
  test('teaches the same in both languages, in at most 20,000 characters', () => {
    expect(llms.length).toBeLessThanOrEqual(20_000);
    expect(TAUGHT.length).toBe(2 * TAUGHT.filter((path) => path.startsWith('/en/')).length);
    expect(TAUGHT.length).toBeGreaterThan(30);
  });

  test.each(TAUGHT)('%s answers', async (address) => {
    const [path = '', query = ''] = fillIn(address).split('?');
    expect(path).toMatch(/\.md$/);
    const response = createMarkdownResponse(state, path.replace(/\.md$/, ''), query);
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^# /)]);
  });

  test('names every category and zone as its filter takes it', () => {
    const { categories, zones } = snapshot.taxonomy;
    for (const lang of LANGS)
      for (const { slug } of [...categories, ...zones]) expect(llms).toContain(`\`${slug[lang]}\``);
  });
});

describe('all in one file', () => {
  test.each(LANGS)('has in %s the guide, every event ahead, the places and the API', (lang) => {
    const text = renderLlmsFullTxt(state, lang);
    for (const { slug } of listUpcomingEvents(snapshot, FRIDAY_NOON_MS))
      expect(text).toContain(`/${slug[lang]})`);
    for (const said of ['malecon-inventado', 'listEvents', 'enviar_evento'])
      expect(text).toContain(said);
  });

  test.each([
    ['200 events and the way to the next', MAX_LLMS_FULL_BYTES, /\/en\/search\.md\?[^)]*cursor=/],
    ['a link to what did not fit', 40_000, /^Not included here for lack of room: \[/m],
  ])('has of a large town %s, in at most %i bytes', (_, max_bytes, said) => {
    const town = { ...state, snapshot: openInTest(readMadeUpTown(400)) };
    const text = renderLlmsFullTxt(town, 'en', max_bytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max_bytes);
    expect(text).toMatch(said);
  });
});
