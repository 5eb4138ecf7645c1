// A town of two thousand events, hostile texts among them: the release builds and everything still
// holds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventResponse, EventListResponse } from '../../src/serializers/wire/responses.ts';
import { type BuiltServer, runCommand, SITE_URL, startServer } from '../fixtures/built-server.ts';

const EVENTS = 2_000;
const folder = mkdtempSync(join(tmpdir(), 'hoy-town-'));
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
let server: BuiltServer | undefined;
const get = (path: string): Promise<Response> => {
  if (!server) throw new Error('it did not start');
  return server.get(path);
};
beforeAll(async () => {
  const made = await runCommand(
    'town',
    ['--events', String(EVENTS), '--seed', '7', '--out', settings.content_dir],
    { data_dir: settings.data_dir },
  );
  expect(made.code, made.output).toBe(0);
  server = await startServer(settings);
}, 400_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** Every event of a range, page by page through the Link header. */
async function listAll(query: string) {
  const found: v.InferOutput<typeof EventListResponse>['data'] = [];
  for (let path: string | undefined = `/api/v1/events?${query}`; path !== undefined; ) {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    found.push(...v.parse(EventListResponse, await answer.json()).data);
    path = /<([^>]+)>; rel="next"/
      .exec(answer.headers.get('link') ?? '')?.[1]
      ?.replace(SITE_URL, '');
  }
  return found;
}

describe('a town of two thousand events', () => {
  test('lists each upcoming event once, page by page', async () => {
    const all = await listAll('limit=200');
    expect(all.length).toBeGreaterThan(EVENTS / 3);
    expect(new Set(all.map((event) => event.id)).size).toBe(all.length);
    const starts = all.map((event) => event.next?.start ?? '');
    expect(starts).toEqual([...starts].sort());
  });

  test('says every sampled event on every surface, whatever its title', {
    timeout: 180_000,
  }, async () => {
    const all = await listAll('limit=200&lang=en');
    for (const { id, url_es, url_en } of all.filter((_, i) => i % 12 === 0)) {
      const { data } = v.parse(EventResponse, await (await get(`/api/v1/events/${id}`)).json());
      for (const url of [url_es, url_en]) {
        const path = url.slice(SITE_URL.length);
        const [html, markdown] = await Promise.all([
          get(path).then((r) => r.text()),
          get(`${path}.md`).then((r) => r.text()),
        ]);
        expect(html, path).toContain(`<link rel="canonical" href="${url}"`);
        // The scripts a page may hold are our module and its JSON-LD; a sign between the quotes of an attribute
        // opens nothing (HTML 13.2.5.36).
        expect(
          html
            .replace(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
            .replace(/<script type="module" src="\/_astro\/[\w.-]+"><\/script>/g, '')
            .replace(/="[^"]*"/g, ''),
          path,
        ).not.toMatch(/<script/i);
        // A backslash before it makes it a character of the text (CommonMark 2.4).
        expect(markdown, path).not.toMatch(/(?<!\\)<script/i);
        expect(
          markdown.split('\n').filter((line) => /^# /.test(line)),
          path,
        ).toHaveLength(1);
      }
      const calendar = new ICAL.Component(
        ICAL.parse(await (await get(`/api/v1/events/${id}.ics`)).text()),
      );
      expect(
        calendar
          .getAllSubcomponents('vevent')
          .map((item) =>
            String(item.getFirstPropertyValue('summary')).replace(/^(CANCELADO|POSPUESTO): /, ''),
          ),
        id,
      ).toEqual(data.occurrences.map(() => data.title));
    }
  });

  test('feeds a thousand dates as lines of at most 75 octets that end in CRLF', async () => {
    const text = await (await get('/api/v1/events.ics')).text();
    const lines = text.split('\r\n');
    expect(lines.pop()).toBe('');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))).toEqual([]);
    expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')).toHaveLength(1000);
  });

  test.each([
    '/hoy',
    '/en/today',
    '/manana',
    '/en/weekend',
    '/semana',
    '/fecha/2026-12-24',
    '/en/date/2026-12-24',
  ])('has %s as page and Markdown', async (path) => {
    const [page, twin] = await Promise.all([get(path), get(`${path}.md`)]);
    expect([page.status, twin.status]).toEqual([200, 200]);
    expect([page.headers.get('content-type'), twin.headers.get('content-type')]).toEqual([
      'text/html; charset=utf-8',
      'text/markdown; charset=utf-8',
    ]);
  });
});
