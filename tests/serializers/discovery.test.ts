// What robots find first: robots.txt and sitemap.xml.
import { describe, expect, test } from 'vitest';
import { MAX_SITEMAP_URLS, toRobots, toSitemap } from '../../src/serializers/discovery.ts';
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
  test('ends where search engines stop reading', () => {
    const entries = Array.from({ length: MAX_SITEMAP_URLS / 2 + 1 }, (_, at) => entry(at));
    const text = toSitemap(entries, 'https://x.example');
    expect(text.split('<loc>').length - 1).toBe(MAX_SITEMAP_URLS);
    expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024 * 1024);
  });
});
