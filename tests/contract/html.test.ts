// Every kind of page as it is sent: valid, in its language, light, with a style the policy names.
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { listDeskPages } from '../fixtures/desk-pages.ts';
import { serveDesk, startDesk } from '../fixtures/desk-server.ts';
import { htmlToText } from '../fixtures/page-text.ts';
import { MISSING_PAGES, PAGES, SERVICE_PAGES } from '../fixtures/pages.ts';

const desk = await serveDesk();
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  desk.server.get(path, { accept: 'text/html', ...headers });
const read = async (path: string): Promise<string> => (await get(path)).text();

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      // A list without bullets is no list to Safari's reader; the role says that it is one.
      'no-redundant-role': 'off',
      // A title names the day in words; what a search engine cuts off is the site's name.
      'long-title': 'off',
      // White space at the end of a line of a sample.
      'no-trailing-whitespace': 'off',
      // Boxes of one question share its name.
      'form-dup-name': ['error', { shared: ['radio', 'button', 'submit', 'checkbox'] }],
    },
  }),
);

async function findFaults(html: string, name: string): Promise<readonly string[]> {
  expect(html, name).toMatch(/^<!doctype html>/i);
  const { results } = await validator.validateString(html, name);
  return results.flatMap(({ messages }) =>
    messages.map((one) => `${name}: ${one.ruleId}: ${one.message} (${one.selector ?? ''})`),
  );
}

const SPANISH = /\b(Hoy en|Mañana|Avisos|Dónde|Precio|Gratis|Cómo|Próxim\w+|eventos?)\b/;
const ENGLISH = /\b(Today|Tomorrow|Weekend|Notices|Where|Price|Free|Directions|Upcoming|events?)\b/;
const RAW = /\b(undefined|NaN|Invalid)\b|\[object|\{\w+\}/;

test.each(PAGES)('%s (%s) has no word of the other language, leads to it', async (_, es, en) => {
  const [spanish, english] = [await read(es), await read(en)];
  expect(spanish).toContain('<html lang="es-MX"');
  expect(spanish).toMatch(new RegExp(`href="${en}"[^>]*>\\s*<span[^>]*>English`));
  expect(english).toContain('<html lang="en"');
  expect(english).toMatch(new RegExp(`href="${es}"[^>]*>\\s*<span[^>]*>Español`));
  const toMain = (html: string): string => htmlToText(html.slice(html.indexOf('<main')));
  const [said, told] = [spanish, english].map(toMain);
  expect(said).not.toMatch(ENGLISH);
  expect(told).not.toMatch(SPANISH);
  expect(`${said} ${told}`).not.toMatch(RAW);
});

test.each(MISSING_PAGES)(
  '%i is shown in both languages with links to continue',
  async (status, es, en) => {
    const links = { [es]: 'href="/hoy"', [en]: 'href="/en/weekend"' };
    for (const [path, link] of Object.entries(links)) {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(link)]);
    }
  },
);

const ALL = [...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES];
test.each(ALL)('%s (%s) is as it should be', async (_kind, ...paths) => {
  for (const path of paths) expect(await findFaults(await read(path), path)).toEqual([]);
});

test.each(LANGS)('each page of the desk and a sender is as it should be, in %s', async (lang) => {
  const own = await startDesk();
  onTestFinished(own.stop);
  const pages = await listDeskPages(own, lang);
  expect(pages.length).toBeGreaterThan(35);
  const faults = await Promise.all(pages.map(({ name, html }) => findFaults(html, name)));
  expect(faults.flat()).toEqual([]);
});

const STYLE = /<style>(.*?)<\/style>/s;
const readTransfer = async (path: string): Promise<number> =>
  Number((await get(path, { 'accept-encoding': 'br' })).headers.get('content-length'));

describe('the weight', () => {
  // What a server may send before it hears back (RFC 6928), less what the headers take.
  const FIRST = ['/hoy', '/semana', '/eventos/feria-diaria'];
  test.each(FIRST)('of %s with its style is that of the first flight of packets', async (path) => {
    expect(await readTransfer(path)).toBeGreaterThan(500);
    expect(await readTransfer(path)).toBeLessThanOrEqual(10_500);
  });
  test('of today with its sheet, its letters, its one module and all its pictures is 45 kB; the worker is 2 kB', async () => {
    const named = [...(await read('/hoy')).matchAll(/"(\/(?:_astro|motifs)\/[^"]+)"/g)];
    const files = [...new Set(named.map(([, path = '']) => path))];
    const endings = files.map((path) => path.replace(/.*\./, ''));
    const others = endings.filter((ending) => ending !== 'svg');
    expect(others.toSorted()).toEqual(['css', 'js', 'woff2']);
    expect(endings).toContain('svg');
    const weights = await Promise.all(['/hoy', ...files].map(readTransfer));
    expect(weights.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(45_000);
    expect(weights[1 + endings.indexOf('js')]).toBeLessThanOrEqual(1_700);
    expect(gzipSync(await read('/sw.js')).length).toBeLessThanOrEqual(2_300);
  });
  // Each look carries the style of its own first screen and no other.
  test.each([
    ['/fecha/2026-11-25', 18_600, 4_750],
    ['/eventos/feria-diaria', 13_900, 3_800],
    ['/publicar', 25_500, 6_200],
    ['/docs', 19_500, 4_800],
  ])('of the style in %s is %i bytes, %i compressed', async (path, bytes, compressed) => {
    const [, style = ''] = STYLE.exec(await read(path)) ?? [];
    expect(style.length).toBeGreaterThan(5_000);
    expect(style.length).toBeLessThanOrEqual(bytes);
    expect(brotliCompressSync(style).length).toBeLessThanOrEqual(compressed);
  });
});

describe('the policy', () => {
  const LOOKS = ['/hoy', '/publicar', '/nada', '/incrustar'];
  test.each(LOOKS)('of %s lets in the style of the page by name, no frame', async (path) => {
    const answer = await get(path);
    const [, style = ''] = STYLE.exec(await answer.text()) ?? [];
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, sources = ''] = /style-src ([^;]*);/.exec(policy) ?? [];
    // Of each look one, so that the policy is the same for all pages, and nothing but looks.
    expect(sources).toMatch(/^'self'( 'sha256-[\w+/]{43}='){7}$/);
    expect(sources).toContain(createHash('sha256').update(style).digest('base64'));
    expect(policy).not.toContain('unsafe');
    for (const part of ["connect-src 'self';", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy.includes("frame-src 'self'")).toBe(path === '/incrustar');
  });
  test('of the list for other sites lets anybody frame it, and it loads its sheet and our pictures', async () => {
    const framed = await get('/en/embed?date=week&limit=30');
    const policy = framed.headers.get('content-security-policy') ?? '';
    for (const part of ['frame-ancestors *', "default-src 'none'", "img-src 'self'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(framed.headers.has('x-frame-options')).toBe(false);
    expect((await framed.text()).length).toBeLessThan(15_000);
  });
});

test('a page that is narrowed is not for search engines; the whole one is, with its image', async () => {
  const [whole, narrowed] = [await read('/hoy'), await read('/hoy?free=1')];
  expect(whole).not.toContain('name="robots"');
  expect(whole).toMatch(/property="og:image" content="[^"]+\.png\?v=/);
  expect(narrowed).toContain('<meta name="robots" content="noindex"');
  expect(narrowed).toMatch(/rel="canonical" href="[^"?]*\/hoy"/);
});
