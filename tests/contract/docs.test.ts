// The docs as they are served: every page in both languages and as Markdown, each linked from the
// reference, its addresses and calls good, errors that lead to their code, the status that /healthz has
// (contract 8.35, 9.2).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { GUIDES, toPagePath } from '../../src/i18n/paths.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveShared } from '../fixtures/shared-release.ts';

const run = promisify(execFile);
const ErrorSchema = v.object({ error: v.object({ code: v.string(), help_url: v.string() }) });

const server = await serveShared({ content_dir: FIXTURE_DIR });

const read = async (path: string, accept = 'text/html'): Promise<string> => {
  const answer = await server.get(path, { accept });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};

describe.each(LANGS)('in %s', (lang) => {
  test.each(GUIDES)('%s is a page and Markdown, linked from the reference', async (guide) => {
    const path = toPagePath(guide, lang);
    const docs = toPagePath('docs', lang);
    const html = await read(path);
    expect(html).toContain(`hreflang="${lang === 'es' ? 'en' : 'es'}"`);
    const markdown = await read(`${path}.md`, '*/*');
    expect(await read(path, 'text/markdown')).toBe(markdown);
    expect(await read(docs)).toContain(`href="${path}"`);
    expect(await read(`${docs}.md`, '*/*')).toContain(`](${SITE_URL}${path}.md)`);
  });

  test('the address of every calendar that is told to copy answers', async () => {
    const markdown = await read(`${toPagePath('docs_calendars', lang)}.md`, '*/*');
    const addresses = [...markdown.matchAll(/:\*\* `(https:\S+)`$/gm)].map(
      ([, found = '']) => found,
    );
    expect(addresses).toHaveLength(5);
    for (const address of addresses) {
      const { headers } = await server.get(address.replace(SITE_URL, ''));
      expect(headers.get('content-type'), address).toBe('text/calendar; charset=utf-8');
    }
  });

  test('the call by hand to the MCP server runs as it stands', async () => {
    const markdown = await read(`${toPagePath('docs_agents', lang)}.md`, '*/*');
    const [line = ''] = /^curl .*$/m.exec(markdown) ?? [];
    const { stdout } = await run('sh', ['-c', line.replaceAll(SITE_URL, server.origin)]);
    expect(stdout).toContain('structuredContent');
  });

  test('the status says what /healthz says', async () => {
    const health = v.parse(
      v.object({ release: v.string() }),
      JSON.parse(await read('/healthz', '*/*')),
    );
    const path = toPagePath('docs_status', lang);
    for (const text of [await read(path), await read(`${path}.md`, '*/*')])
      expect(text).toContain(health.release);
  });
});

test('an error leads to its code', async () => {
  const answer = await server.get('/api/v1/events/evento-retirado');
  const { error } = v.parse(ErrorSchema, await answer.json());
  const [page = '', anchor = ''] = error.help_url.replace(SITE_URL, '').split('#');
  expect([error.code, anchor]).toEqual(['gone', 'gone']);
  expect(await read(page)).toContain('id="gone"');
});
