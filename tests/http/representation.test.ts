// Conditional requests, codings and HEAD on one representation (RFC 9110 13; contract 11.3, 11.5).
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  encodeResponse,
  isNotModified,
  createRepresentation,
  computeTag,
} from '../../src/http/representation.ts';

const LAST_MS = Date.parse('2026-11-20T12:00:00.900Z');

test.each([
  [{}, false],
  [{ 'if-none-match': '"a"' }, true],
  [{ 'if-none-match': 'W/"a"' }, true],
  [{ 'if-none-match': '"b", "a"' }, true],
  [{ 'if-none-match': '*' }, true],
  [{ 'if-none-match': '"a-br"' }, false],
  [{ 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, true],
  [{ 'if-modified-since': 'Fri, 20 Nov 2026 11:59:59 GMT' }, false],
  [{ 'if-none-match': '"b"', 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, false],
])('isNotModified: %j: %s', (headers, expected) => {
  expect(isNotModified(headers, '"a"', LAST_MS)).toBe(expected);
});

const TEXT = 'una palabra y otra más, '.repeat(200);
const made = (body: string, status = 200, said: object = {}) =>
  createRepresentation({ status, headers: { 'content-type': 'text/html', ...said }, body });
const page = made(TEXT, 200, { vary: 'Accept' });
const ask = (headers: Record<string, string>, method = 'GET', of = page) =>
  encodeResponse({ method, path: '/', query: '', headers }, of, { 'x-extra': '1' });

describe('encodeResponse', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('sends %s with its own tag', async (coding, decode) => {
    const { status, headers, body } = await ask({ 'accept-encoding': coding });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': coding,
      etag: `"${computeTag(TEXT)}-${coding}"`,
      vary: 'Accept, Accept-Encoding',
      'x-extra': '1',
      'content-length': body?.length,
    });
    expect(decode(body ?? '').toString()).toBe(TEXT);
  });

  test('answers 304 to the tag of the same coding only', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' });
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
    const known = { etag: headers.etag, vary: 'Accept, Accept-Encoding', 'x-extra': '1' };
    expect(again).toMatchObject({ status: 304, body: null, headers: known });
    expect(again.headers).not.toHaveProperty('content-length');
    const other = { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) };
    expect((await ask(other)).status).toBe(200);
  });

  test('answers HEAD with the headers of GET', async () => {
    const get = await ask({ 'accept-encoding': 'gzip' });
    const head = await ask({ 'accept-encoding': 'gzip' }, 'HEAD');
    expect(head).toEqual({ ...get, body: null });
  });

  test.each([1023, 1024])('a text of 1024 bytes is compressed: this has %i', async (size) => {
    const { headers } = await ask({ 'accept-encoding': 'br' }, 'GET', made('x'.repeat(size)));
    expect('content-encoding' in headers).toBe(size === 1024);
    expect('vary' in headers).toBe(size === 1024);
  });

  test.each([
    [404, {}],
    [200, { 'cache-control': 'no-store' }],
  ])('gives no tag to a %i with %j', async (status, said) => {
    const answer = await ask({ 'if-none-match': '*' }, 'GET', made('no', status, said));
    expect(answer.headers).not.toHaveProperty('etag');
  });
});
