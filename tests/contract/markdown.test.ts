// Markdown versions over HTTP: every public page has one, by extension and by Accept (contract 3.6 to 3.9, 11.6).
import { expect, test } from 'vitest';
import { minCount } from '../fixtures/least.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { removeWrittenLine } from '../fixtures/page-text.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

const server = await serveSharedRelease();

const fetchMarkdown = (path: string): Promise<Response> =>
  server.get(path, { accept: 'text/markdown, */*;q=0.1' });
const hasVaryAccept = (response: Response): boolean =>
  /\bAccept\b/.test(response.headers.get('vary') ?? '');
const getContentType = (response: Response): string | null => response.headers.get('content-type');

async function findFaults(path: string): Promise<readonly string[]> {
  const [page, negotiated_response, document_response] = await Promise.all([
    server.get(path, { accept: 'text/html' }),
    fetchMarkdown(path),
    server.get(`${path}.md`),
  ]);
  const [html, negotiated, document] = await Promise.all([
    page.text(),
    negotiated_response.text(),
    document_response.text(),
  ]);
  const link = page.headers.get('link') ?? '';
  const checks = {
    page: page.status === 200 && getContentType(page) === HTML,
    vary: hasVaryAccept(page) && hasVaryAccept(negotiated_response),
    link: link.startsWith(`<${path}.md>; rel="alternate"; type="text/markdown"`),
    index: link.includes('</llms.txt>; rel="describedby"'),
    head: html.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`),
    agents: html.includes(`<a hidden href="/llms.txt">`),
    negotiated:
      negotiated_response.status === 200 && getContentType(negotiated_response) === MARKDOWN,
    location: negotiated_response.headers.get('content-location') === `${path}.md`,
    document: document_response.status === 200 && getContentType(document_response) === MARKDOWN,
    same: removeWrittenLine(negotiated) === removeWrittenLine(document),
    canonical: document_response.headers.get('link') === `<${SITE_URL}${path}>; rel="canonical"`,
    written: /^# .+\n\n> (Escrito|Written) /.test(document),
  };
  return Object.entries(checks).flatMap(([name, is_true]) => (is_true ? [] : [`${path}: ${name}`]));
}

test('every page of the sitemap has its Markdown version', { timeout: 240_000 }, async () => {
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
