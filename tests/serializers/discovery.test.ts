// What robots, language models and programs find first: robots.txt, llms.txt, sitemap.xml, the API
// catalog.
import { afterAll, describe, expect, test } from 'vitest';
import { renderLlms } from '../../src/site/llms.ts';
import {
  MAX_SITEMAP_URLS,
  toApiCatalog,
  toRobots,
  toSitemap,
} from '../../src/serializers/discovery.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

test('robots.txt lets all read, declines training inside its group and names the sitemap', () => {
  expect(toRobots(SITE)).toMatch(
    /User-agent: \*\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: \/\n(Disallow: \S+\n)+\nSitemap: https:\/\/agenda\.example\/sitemap\.xml\n$/,
  );
});

test('robots.txt asks crawlers to combine no filters on pages, and lets the text of pages be', () => {
  const refused = [...toRobots(SITE).matchAll(/^Disallow: (\S+)$/gm)].map(
    (match) => match[1] ?? '',
  );
  expect(refused).toContain('/buscar?*&');
  const isRefused = (path: string): boolean =>
    refused.some((pattern) => {
      const [start = '', query = ''] =
        pattern.split('*').length > 2 ? ['/fecha/', '&'] : pattern.split('*');
      return path.startsWith(start) && path.slice(start.length).includes(query);
    });
  expect(
    ['/hoy?free=1&zone=centro', '/hoy?free=1', '/hoy.md?free=1&family=1'].map(isRefused),
  ).toEqual([true, false, false]);
});

describe('llms.txt', () => {
  const { snapshot, close } = openFixture();
  afterAll(close);
  const text = renderLlms(snapshot.taxonomy, SITE);
  test('begins with the name and a quote, and has the same sections of absolute links in both languages', () => {
    expect(text).toMatch(/^# Hoy Cancún\n\n> /);
    expect(text.match(/^## .+$/gm)).toEqual([
      '## Qué pedir',
      '## Direcciones que se arman',
      '## Preguntas y direcciones',
      '## What to ask for',
      '## Addresses to build',
      '## Questions and addresses',
      '## Para programas · For programs',
    ]);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(12);
    for (const link of links) expect(link).toMatch(/^https:\/\/agenda\.example\//);
    expect(links).toContain('https://agenda.example/hoy.md');
  });
  test('is shorter than its readers take', () => {
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('the sitemap', () => {
  const entry = (at: number) => ({
    paths: { es: `/eventos/${at}`, en: `/en/events/${at}` },
    updated_at: '2026-11-20T06:00:00-05:00',
  });
  test('has each page in both languages, the links to the other after the date', () => {
    const both =
      '<xhtml:link rel="alternate" hreflang="es" href="https://x.example/eventos/1"/><xhtml:link rel="alternate" hreflang="en" href="https://x.example/en/events/1"/><xhtml:link rel="alternate" hreflang="x-default" href="https://x.example/eventos/1"/>';
    expect(
      toSitemap([entry(1)], 'https://x.example')
        .split('\n')
        .slice(2, 4),
    ).toEqual([
      `<url><loc>https://x.example/eventos/1</loc><lastmod>2026-11-20T06:00:00-05:00</lastmod>${both}</url>`,
      `<url><loc>https://x.example/en/events/1</loc><lastmod>2026-11-20T06:00:00-05:00</lastmod>${both}</url>`,
    ]);
  });
  test('says no date for what the day decides', () => {
    expect(toSitemap([{ ...entry(1), updated_at: null }], 'https://x.example')).not.toContain(
      'lastmod',
    );
  });
  test.each([
    [MAX_SITEMAP_URLS / 2, MAX_SITEMAP_URLS],
    [MAX_SITEMAP_URLS / 2 + 1, MAX_SITEMAP_URLS],
  ])('of %i entries has %i addresses', (entries, addresses) => {
    const text = toSitemap(
      Array.from({ length: entries }, (_, at) => entry(at)),
      'https://x.example',
    );
    expect(text.split('<loc>').length - 1).toBe(addresses);
    expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024 * 1024);
  });
});

test('the catalog names the API and the MCP server with what describes them', () => {
  const [catalog, api, mcp] = toApiCatalog(SITE).linkset;
  expect(catalog).toMatchObject({
    anchor: 'https://agenda.example/.well-known/api-catalog',
    item: [{ href: api?.anchor }, { href: mcp?.anchor }],
  });
  expect(api).toMatchObject({
    'service-desc': [{ href: 'https://agenda.example/api/openapi.json' }],
    'service-doc': [
      { href: 'https://agenda.example/docs' },
      { href: 'https://agenda.example/en/docs' },
    ],
  });
});
