// The site over real HTTP: HTML or Markdown as asked, and its bytes in several codings (contract 11).
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

describe('HTML or Markdown', () => {
  test.each(['/hoy', '/fecha/2026-11-21'])(
    '%s in both forms, each with its own tag',
    async (path) => {
      const html = await fake.ask(path);
      const markdown = await fake.ask(path, { accept: 'text/markdown' });
      const twin = await fake.ask(`${path}.md`);
      expect(html.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        vary: 'Accept, Accept-Encoding',
        link: `<${path}.md>; rel="alternate"; type="text/markdown", </llms.txt>; rel="describedby"; type="text/markdown"`,
      });
      expect(markdown.headers).toMatchObject({
        'content-type': 'text/markdown; charset=utf-8',
        vary: 'Accept, Accept-Encoding',
        'content-location': `${path}.md`,
        'x-robots-tag': 'noindex',
        link: `<https://hoy.example${path}>; rel="canonical"`,
      });
      expect(markdown.text).toBe(twin.text);
      expect(twin.headers).not.toHaveProperty('content-location');
      expect(twin.headers.vary).toBe('Accept-Encoding');
      expect(html.headers.etag).not.toBe(markdown.headers.etag);
      expect(
        (
          await fake.ask(path, {
            accept: 'text/markdown',
            'if-none-match': String(html.headers.etag),
          })
        ).status,
      ).toBe(200);
      const same = await fake.ask(path, {
        accept: 'text/markdown',
        'if-none-match': String(markdown.headers.etag),
      });
      expect(same.status).toBe(304);
      expect(same.headers.vary).toBe('Accept, Accept-Encoding');
    },
  );

  test('neither is accepted: 406, which varies too', async () => {
    const { status, headers, text } = await fake.ask('/en/today', { accept: 'application/json' });
    expect(status).toBe(406);
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(text).toContain('text/markdown');
  });

  test('a page without Markdown does not vary on Accept', async () => {
    expect(
      (await fake.ask('/favicon.svg', { accept: 'text/markdown' })).headers.vary,
    ).toBeUndefined();
  });
});

describe('bytes', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('%s is right', async (coding, decode) => {
    const plain = await fake.ask('/hoy');
    const coded = await fake.ask('/hoy', { 'accept-encoding': coding });
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(Number(coded.headers['content-length'])).toBe(coded.bytes.length);
    expect(decode(coded.bytes).toString()).toBe(plain.text);
    expect(coded.headers.etag).not.toBe(plain.headers.etag);
  });

  test.each(['/hoy', '/eventos/pasado', '/nada', '/'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const [get, head] = await Promise.all([fake.ask(path), fake.ask(path, {}, 'HEAD')]);
      expect(head.bytes).toHaveLength(0);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect(head.status).toBe(get.status);
    },
  );

  test('files with a digest in their name are kept for a year, others are not', async () => {
    expect((await fake.ask('/_astro/a1b2.css')).headers['cache-control']).toContain('immutable');
    expect((await fake.ask('/favicon.svg')).headers['cache-control']).toContain('max-age=3600');
  });
});
