// Content negotiation by the weights of Accept and Accept-Encoding (RFC 9110 12.5).
import { describe, expect, test } from 'vitest';
import { negotiateCoding, negotiateMediaType } from '../../src/http/negotiation.ts';
import { PAGE_TYPES } from '../../src/site/markdown-responses.ts';

const [HTML, MARKDOWN] = PAGE_TYPES;
const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test.each([
  [undefined, HTML],
  [CHROME, HTML],
  ['text/markdown', MARKDOWN],
  ['text/html;q=0.9, text/markdown', MARKDOWN],
  ['text/markdown, */*;q=0.1', MARKDOWN],
  ['text/markdown;q=0.1, */*;q=0.2', HTML],
  ['*/*, text/html;q=0', MARKDOWN],
  ['text/*;q=0.5, text/html;q=0.4', MARKDOWN],
  ['text/html;q=0, text/markdown;q=0', null],
  ['text/markdown;q=0, */*', HTML],
  ['text/markdownish', null],
  ['text/markdown;variant=GFM', null],
  ['text/markdown;q=abc', null],
])('negotiateMediaType: %j selects %j', (accept, type) => {
  expect(negotiateMediaType(accept, PAGE_TYPES)).toBe(type);
});

describe('negotiateCoding', () => {
  const ALL = ['br', 'zstd', 'gzip'] as const;
  test.each([
    [undefined, 'identity'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['gzip;q=0, *', 'identity'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['identity;q=0.5, br;q=0.5', 'br'],
  ])('%j selects %j', (header, coding) => {
    expect(negotiateCoding(header, ALL)).toBe(coding);
  });

  test('selects only available codings', () =>
    expect(negotiateCoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip'));
});
