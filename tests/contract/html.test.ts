// HTML pages over HTTP: validity, language, transfer size and content security policy of every kind of page.
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
      // VoiceOver in Safari ignores lists without bullets unless they have the role.
      'no-redundant-role': 'off',
      // Titles contain the day in words. Search engines cut off only the site's name.
      'long-title': 'off',
      // Code samples may have trailing white space.
      'no-trailing-whitespace': 'off',
      // Checkboxes of one question share a name.
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

test.each(PAGES)(
  '%s (%s) has no word of the other language, and links to it',
  async (_, es, en) => {
    const [spanish, english] = [await read(es), await read(en)];
    expect(spanish).toContain('<html lang="es-MX"');
    expect(spanish).toMatch(new RegExp(`href="${en}"[^>]*>\\s*<span[^>]*>English`));
    expect(english).toContain('<html lang="en"');
    expect(english).toMatch(new RegExp(`href="${es}"[^>]*>\\s*<span[^>]*>Español`));
    const mainText = (html: string): string => htmlToText(html.slice(html.indexOf('<main')));
    const [spanish_text, english_text] = [spanish, english].map(mainText);
    expect(spanish_text).not.toMatch(ENGLISH);
    expect(english_text).not.toMatch(SPANISH);
    expect(`${spanish_text} ${english_text}`).not.toMatch(RAW);
  },
);

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
test.each(ALL)('%s (%s) is valid HTML', async (_kind, ...paths) => {
  for (const path of paths) expect(await findFaults(await read(path), path)).toEqual([]);
});

test.each(LANGS)('every page of the desk and of senders is valid HTML in %s', async (lang) => {
  const empty_desk = await startDesk();
  onTestFinished(empty_desk.stop);
  const pages = await listDeskPages(empty_desk, lang);
  expect(pages.length).toBeGreaterThan(35);
  const faults = await Promise.all(pages.map(({ name, html }) => findFaults(html, name)));
  expect(faults.flat()).toEqual([]);
});

const STYLE = /<style>(.*?)<\/style>/s;
const readTransferSize = async (path: string): Promise<number> =>
  Number((await get(path, { 'accept-encoding': 'br' })).headers.get('content-length'));

describe('the transfer size', () => {
  // Initial congestion window (RFC 6928), minus the headers.
  const LIGHT_PAGES = ['/hoy', '/semana', '/eventos/feria-diaria'];
  test.each(LIGHT_PAGES)(
    'of %s with its style fits into the initial congestion window',
    async (path) => {
      expect(await readTransferSize(path)).toBeGreaterThan(500);
      expect(await readTransferSize(path)).toBeLessThanOrEqual(10_500);
    },
  );
  test('of today with its style sheet, font, module and all pictures is 45 kB, and of the service worker 2 kB', async () => {
    const named = [...(await read('/hoy')).matchAll(/"(\/(?:_astro|motifs)\/[^"]+)"/g)];
    const files = [...new Set(named.map(([, path = '']) => path))];
    const endings = files.map((path) => path.replace(/.*\./, ''));
    const others = endings.filter((ending) => ending !== 'svg');
    expect(others.toSorted()).toEqual(['css', 'js', 'woff2']);
    expect(endings).toContain('svg');
    const weights = await Promise.all(['/hoy', ...files].map(readTransferSize));
    expect(weights.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(45_000);
    expect(weights[1 + endings.indexOf('js')]).toBeLessThanOrEqual(1_700);
    expect(gzipSync(await read('/sw.js')).length).toBeLessThanOrEqual(2_300);
  });
  // Each page type inlines only the style of its own first screen.
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

describe('the content security policy', () => {
  const PAGE_TYPES = ['/hoy', '/publicar', '/nada', '/incrustar'];
  test.each(PAGE_TYPES)(
    'of %s allows the hash of its inline style, and no frames',
    async (path) => {
      const answer = await get(path);
      const [, style = ''] = STYLE.exec(await answer.text()) ?? [];
      const policy = answer.headers.get('content-security-policy') ?? '';
      const [, sources = ''] = /style-src ([^;]*);/.exec(policy) ?? [];
      // One hash per page type, so that all pages share a policy.
      expect(sources).toMatch(/^'self'( 'sha256-[\w+/]{43}='){7}$/);
      expect(sources).toContain(createHash('sha256').update(style).digest('base64'));
      expect(policy).not.toContain('unsafe');
      for (const part of ["connect-src 'self';", "frame-ancestors 'none'"])
        expect(policy).toContain(part);
      expect(policy.includes("frame-src 'self'")).toBe(path === '/incrustar');
    },
  );
  test('of the embedded list allows any site to frame it, with its style sheet and pictures', async () => {
    const framed = await get('/en/embed?date=week&limit=30');
    const policy = framed.headers.get('content-security-policy') ?? '';
    for (const part of ['frame-ancestors *', "default-src 'none'", "img-src 'self'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(framed.headers.has('x-frame-options')).toBe(false);
    expect((await framed.text()).length).toBeLessThan(15_000);
  });
});

test('a filtered page is not indexed; the unfiltered one is, with its image', async () => {
  const [unfiltered, filtered] = [await read('/hoy'), await read('/hoy?free=1')];
  expect(unfiltered).not.toContain('name="robots"');
  expect(unfiltered).toMatch(/property="og:image" content="[^"]+\.png\?v=/);
  expect(filtered).toContain('<meta name="robots" content="noindex"');
  expect(filtered).toMatch(/rel="canonical" href="[^"?]*\/hoy"/);
});
