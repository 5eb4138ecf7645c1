// Conditional requests, codings and HEAD on one representation (RFC 9110 13; contract 11.3, 11.5).
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  encodeResponse,
  isNotModified,
  toEtag,
  toRepresentation,
  toTag,
} from '../../src/http/representation.ts';

const LAST_MS = Date.parse('2026-11-20T12:00:00.900Z');

describe('isNotModified', () => {
  test.each([
    [{}, false],
    [{ 'if-none-match': '"a"' }, true],
    [{ 'if-none-match': 'W/"a"' }, true],
    [{ 'if-none-match': '"b", "a"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': 'a' }, false],
    [{ 'if-none-match': '"a-br"' }, false],
    [{ 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, true],
    [{ 'if-modified-since': 'Fri, 20 Nov 2026 11:59:59 GMT' }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
    [{ 'if-none-match': '"b"', 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }, false],
  ])('%j: %s', (headers, expected) => {
    expect(isNotModified(headers, '"a"', LAST_MS)).toBe(expected);
  });
});

const TEXT = 'una palabra y otra más, '.repeat(200);
const page = toRepresentation({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' },
  body: TEXT,
});
const ask = (headers: Record<string, string>, method = 'GET') =>
  encodeResponse({ method, path: '/', query: '', headers }, page, { 'x-extra': '1' });

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
      etag: `"${toTag(TEXT)}-${coding}"`,
      vary: 'Accept, Accept-Encoding',
      'x-extra': '1',
      'content-length': body?.length,
    });
    expect(decode(body ?? '').toString()).toBe(TEXT);
  });

  test('sends the bytes themselves where no coding is asked for, and varies all the same', async () => {
    const { headers, body } = await ask({});
    expect(body?.toString()).toBe(TEXT);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).toMatchObject({
      etag: toEtag(toTag(TEXT), 'identity'),
      vary: 'Accept, Accept-Encoding',
    });
  });

  test('answers 304 to the tag of the same coding only', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' });
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': String(headers.etag) });
    expect(again).toMatchObject({
      status: 304,
      body: null,
      headers: { etag: headers.etag, vary: 'Accept, Accept-Encoding', 'x-extra': '1' },
    });
    expect(again.headers).not.toHaveProperty('content-length');
    expect(
      (await ask({ 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })).status,
    ).toBe(200);
  });

  test('answers HEAD with the headers of GET', async () => {
    const [get, head] = [
      await ask({ 'accept-encoding': 'gzip' }),
      await ask({ 'accept-encoding': 'gzip' }, 'HEAD'),
    ];
    expect(head).toEqual({ ...get, body: null });
  });

  test.each([
    [1023, false],
    [1024, true],
  ])('a text of %i bytes is compressed: %s', async (size, expected) => {
    const small = toRepresentation({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: 'x'.repeat(size),
    });
    const { headers } = await encodeResponse(
      { method: 'GET', path: '/', query: '', headers: { 'accept-encoding': 'br' } },
      small,
    );
    expect('content-encoding' in headers).toBe(expected);
    expect('vary' in headers).toBe(expected);
  });

  test.each([
    [404, {}],
    [200, { 'cache-control': 'no-store' }],
  ])('gives no tag to a %i with %j', async (status, said) => {
    const headers = { 'content-type': 'text/plain', ...said };
    const answer = await encodeResponse(
      { method: 'GET', path: '/', query: '', headers: { 'if-none-match': '*' } },
      toRepresentation({ status, headers, body: 'no' }),
    );
    expect(answer.headers).not.toHaveProperty('etag');
  });
});
