// Response encoding: conditional requests, codings and HEAD (RFC 9110 13; contract 11.3, 11.5).
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
const createPage = (body: string, status = 200, extra_headers: object = {}) =>
  createRepresentation({
    status,
    headers: { 'content-type': 'text/html', ...extra_headers },
    body,
  });
const page = createPage(TEXT, 200, { vary: 'Accept' });
const ask = (headers: Record<string, string>, method = 'GET', representation = page) =>
  encodeResponse({ method, path: '/', query: '', headers }, representation, { 'x-extra': '1' });

describe('encodeResponse', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('sends %s with its own ETag', async (coding, decode) => {
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

  test('responds 304 only to the ETag of the same coding', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' });
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
    const expected_headers = {
      etag: headers.etag,
      vary: 'Accept, Accept-Encoding',
      'x-extra': '1',
    };
    expect(again).toMatchObject({ status: 304, body: null, headers: expected_headers });
    expect(again.headers).not.toHaveProperty('content-length');
    const other = { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) };
    expect((await ask(other)).status).toBe(200);
  });

  test('responds to HEAD with the headers of GET', async () => {
    const get = await ask({ 'accept-encoding': 'gzip' });
    const head = await ask({ 'accept-encoding': 'gzip' }, 'HEAD');
    expect(head).toEqual({ ...get, body: null });
  });

  test.each([1023, 1024])('compresses bodies from 1024 bytes on: %i', async (size) => {
    const { headers } = await ask({ 'accept-encoding': 'br' }, 'GET', createPage('x'.repeat(size)));
    expect('content-encoding' in headers).toBe(size === 1024);
    expect('vary' in headers).toBe(size === 1024);
  });

  test.each([
    [404, {}],
    [200, { 'cache-control': 'no-store' }],
  ])('sends no ETag for a %i with %j', async (status, extra_headers) => {
    const response = await ask(
      { 'if-none-match': '*' },
      'GET',
      createPage('no', status, extra_headers),
    );
    expect(response.headers).not.toHaveProperty('etag');
  });
});
