// News feeds, checked with an independent parser (contract 8.21).
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import { requestApi } from '../fixtures/ask.ts';
import {
  localMs,
  FRIDAY_NOON_MS,
  openTestSnapshot,
  useFixture,
  loadFixture,
} from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot } = useFixture();
const read = (name: string, now_ms = FRIDAY_NOON_MS) => {
  const response = requestApi(snapshot, `/feeds/${name}`, { now_ms });
  expect(response.status, name).toBe(200);
  return { type: response.headers['content-type'], body: String(response.body) };
};

describe.each([
  ['novedades', 'es-MX', 'Hoy Cancún: novedades', '/hoy', '/eventos/'],
  ['new', 'en', 'Hoy Cancún: what’s new', '/en/today', '/en/events/'],
  ['avisos', 'es-MX', 'Hoy Cancún: avisos', '/avisos', '/avisos#'],
  ['notices', 'en', 'Hoy Cancún: notices', '/en/notices', '/en/notices#'],
  ['cambios', 'es-MX', 'Hoy Cancún: cambios', '/cambios', '/'],
  ['changes', 'en', 'Hoy Cancún: changes', '/en/changes', '/en/'],
])('%s', (name, language, title, page, record_path) => {
  test('is Atom with ids, titles, links, dates, one author and a self link', () => {
    const { type, body } = read(`${name}.atom`);
    expect(type).toBe('application/atom+xml; charset=utf-8');
    const feed = parseAtomFeed(body);
    expect(feed).toMatchObject({ title: { value: title }, authors: [{ name: SITE.name }] });
    expect(body).toContain(`xml:lang="${language}"`);
    expect(feed.links?.map(({ rel, href }) => `${rel} ${href}`)).toEqual([
      `self ${SITE.url}/feeds/${name}.atom`,
      `alternate ${SITE.url}${page}`,
    ]);
    const entries = feed.entries ?? [];
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry.id).toMatch(/^urn:uuid:/);
      expect(entry.links?.[0]?.href).toContain(`${SITE.url}${record_path}`);
    }
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    const timestamps = entries.map(({ updated }) => String(updated));
    expect(timestamps).toEqual([...timestamps].sort().reverse());
    expect(feed.updated).toEqual(entries[0]?.updated);
  });

  test('is JSON Feed 1.1 with the same items', () => {
    const { type, body } = read(`${name}.json`);
    expect(type).toBe('application/feed+json; charset=utf-8');
    const feed = parseJsonFeed(body);
    expect(body).toContain('https://jsonfeed.org/version/1.1');
    expect(feed).toMatchObject({ title, language, home_page_url: `${SITE.url}${page}` });
    const entries = parseAtomFeed(read(`${name}.atom`).body).entries ?? [];
    expect(feed.items?.map((item) => [item.id, item.title, item.url])).toEqual(
      entries.map((entry) => [entry.id, entry.title?.value, entry.links?.[0]?.href]),
    );
  });
});

test('past events are not listed, and postponed ones are marked in the title', () => {
  const titles = (parseJsonFeed(read('novedades.json').body).items ?? []).map((item) => item.title);
  expect(titles).not.toContain('Taller pasado');
  expect(titles).toContain('POSPUESTO: Obra pospuesta');
  const later = read('novedades.json', localMs('2029-01-01T00:00:00')).body;
  expect(JSON.parse(later).items).toEqual([]);
});

test('escapes text from strangers in elements, attributes and HTML content', () => {
  const town = loadFixture();
  const hostile = '</title><script>alert(1)</script> & "x" \u0000\u0008';
  const both = { es: hostile, en: hostile };
  const events = town.events.map((event) => ({ ...event, title: both, summary: both }));
  const hostile_snapshot = openTestSnapshot({ ...town, events });
  const readFeed = (name: string) => String(requestApi(hostile_snapshot, `/feeds/${name}`).body);
  const atom = readFeed('novedades.atom');
  expect(atom).not.toContain('<script');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test asserts that there are none
  expect(atom).not.toMatch(/[\u0000-\u0008]/);
  const [entry] = parseAtomFeed(atom).entries ?? [];
  expect(entry?.title?.value).toContain('</title><script>alert(1)</script> & "x"');
  expect(JSON.stringify(entry?.content)).toContain('&lt;script&gt;');
  const [item] = parseJsonFeed(readFeed('novedades.json')).items ?? [];
  expect(item?.content_html).not.toContain('<script');
});
