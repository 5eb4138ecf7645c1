// Discovery files: robots.txt and sitemap.xml.
import { expect, test } from 'vitest';
import { MAX_SITEMAP_URLS, buildRobotsTxt, buildSitemap } from '../../src/serializers/discovery.ts';
import { SITE } from '../fixtures/site.ts';

test('robots.txt allows all robots, declines training and names the sitemap', () => {
  for (const line of ['ai-input=yes, ai-train=no\nAllow: /', `Sitemap: ${SITE.url}/sitemap.xml`])
    expect(buildRobotsTxt(SITE)).toContain(line);
});

test('robots.txt disallows pages with several filters, but not their Markdown', () => {
  const disallowed = [...buildRobotsTxt(SITE).matchAll(/^Disallow: (\S+)$/gm)].map(
    ([, path = '']) => path,
  );
  expect(disallowed).toContain('/buscar?*&');
  const isDisallowed = (path: string): boolean =>
    disallowed.some((pattern) => {
      const [start = '', query = ''] =
        pattern.split('*').length > 2 ? ['/fecha/', '&'] : pattern.split('*');
      return path.startsWith(start) && path.slice(start.length).includes(query);
    });
  const paths = ['/hoy?free=1&zone=centro', '/hoy?free=1', '/hoy.md?free=1&family=1'];
  expect(paths.map(isDisallowed)).toEqual([true, false, false]);
});

test('the sitemap has each page in both languages, and at most 50,000 URLs', () => {
  const updated_at = '2026-11-20T06:00:00-05:00';
  const toPaths = (at: number) => ({ es: `/eventos/${at}`, en: `/en/events/${at}` });
  const lines = buildSitemap([{ paths: toPaths(1), updated_at }], SITE.url).match(/<url>.*/g) ?? [];
  for (const [at, path] of Object.values(toPaths(1)).entries()) {
    const line = lines[at];
    expect(line).toContain(`<loc>${SITE.url}${path}</loc><lastmod>2026-11-20T06:00:00-05:00<`);
    expect(line).toContain(`hreflang="en" href="${SITE.url}/en/events/1"`);
  }
  const all = Array.from({ length: MAX_SITEMAP_URLS / 2 + 1 }, (_, at) => toPaths(at));
  const entries = all.map((paths) => ({ paths, updated_at }));
  const text = buildSitemap(entries, SITE.url);
  expect(text.split('<loc>').length - 1).toBe(MAX_SITEMAP_URLS);
  expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024 * 1024);
});
