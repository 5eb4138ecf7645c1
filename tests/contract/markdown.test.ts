// Every public page has its Markdown version over HTTP (contract 3.6 to 3.9, 11.6).
import { expect, test } from 'vitest';
import { minCount } from '../fixtures/least.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { removeWrittenLine } from '../fixtures/page-text.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

const server = await serveSharedRelease();

const readMarkdown = (path: string): Promise<Response> =>
  server.get(path, { accept: 'text/markdown, */*;q=0.1' });
const varies = (answer: Response): boolean => /\bAccept\b/.test(answer.headers.get('vary') ?? '');
const typeOf = (answer: Response): string | null => answer.headers.get('content-type');

async function findFaults(path: string): Promise<readonly string[]> {
  const [page, asked, own] = await Promise.all([
    server.get(path, { accept: 'text/html' }),
    readMarkdown(path),
    server.get(`${path}.md`),
  ]);
  const [html, negotiated, document] = await Promise.all([page.text(), asked.text(), own.text()]);
  const link = page.headers.get('link') ?? '';
  const facts = {
    page: page.status === 200 && typeOf(page) === HTML,
    vary: varies(page) && varies(asked),
    link: link.startsWith(`<${path}.md>; rel="alternate"; type="text/markdown"`),
    index: link.includes('</llms.txt>; rel="describedby"'),
    head: html.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`),
    agents: html.includes(`<a hidden href="/llms.txt">`),
    negotiated: asked.status === 200 && typeOf(asked) === MARKDOWN,
    location: asked.headers.get('content-location') === `${path}.md`,
    own: own.status === 200 && typeOf(own) === MARKDOWN,
    same: removeWrittenLine(negotiated) === removeWrittenLine(document),
    canonical: own.headers.get('link') === `<${SITE_URL}${path}>; rel="canonical"`,
    written: /^# .+\n\n> (Escrito|Written) /.test(document),
  };
  return Object.entries(facts).flatMap(([name, is_so]) => (is_so ? [] : [`${path}: ${name}`]));
}

test('every public page has its Markdown version', { timeout: 240_000 }, async () => {
  const sitemap = await (await server.get('/sitemap.xml')).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) =>
    url.slice(SITE_URL.length),
  );
  expect(paths.length).toBeGreaterThan(minCount(300, 200));
  const faults: string[] = [];
  for (let at = 0; at < paths.length; at += 8)
    faults.push(...(await Promise.all(paths.slice(at, at + 8).map(findFaults))).flat());
  expect(faults).toEqual([]);
});
