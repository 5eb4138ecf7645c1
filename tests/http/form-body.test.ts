// Forms: what is one, what stands in it, and from whose page it came.
import { describe, expect, test } from 'vitest';
import {
  isForm,
  isOwnPage,
  MAX_READ_BYTES,
  parseForm,
  parseFormStart,
  readCookie,
} from '../../src/http/form-body.ts';
import { SITE } from '../fixtures/site.ts';

test.each([
  ['application/x-www-form-urlencoded', true],
  ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', true],
  ['application/x-www-form-urlencodedx', false],
  ['multipart/form-data; boundary=x', false],
  ['application/json', false],
  [undefined, false],
])('%s is a form: %s', (type, expected) => expect(isForm(type)).toBe(expected));

test('fields are decoded, repeated ones joined, and no name is special', () => {
  expect(parseForm('a=1+2&b=%C3%B1&a=3&c&__proto__=x&%zz=%')).toEqual(
    Object.fromEntries([
      ['a', '1 2,3'],
      ['b', 'ñ'],
      ['c', ''],
      ['__proto__', 'x'],
      ['%zz', '%'],
    ]),
  );
});

test('of a form that is too long, the fields that are whole are kept', () => {
  expect(parseFormStart(Buffer.from('a=1&b=%C3%B1'))).toEqual({ a: '1', b: 'ñ' });
  const long = `a=1&b=${'x'.repeat(MAX_READ_BYTES)}&c=2`;
  expect(parseFormStart(Buffer.from(long))).toEqual({ a: '1' });
});

describe('a form comes from our own page', () => {
  const host = 'agenda.example';
  test.each<[Record<string, string>, boolean]>([
    [{ host, origin: 'https://agenda.example' }, true],
    [{ host: 'localhost:4321', origin: 'http://localhost:4321' }, true],
    [{ host, origin: 'https://agenda.example', 'sec-fetch-site': 'same-origin' }, true],
    [{ host }, true],
    [{ host, 'sec-fetch-site': 'none' }, true],
    [{ host, origin: 'https://evil.example' }, false],
    [{ host, origin: 'https://agenda.example.evil.example' }, false],
    [{ host: 'localhost:4321', origin: 'http://localhost:4322' }, false],
    [{ host, origin: 'null' }, false],
    [{ host, 'sec-fetch-site': 'same-site' }, false],
    [{ host, origin: 'https://agenda.example', 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'http://localhost:4321' }, false],
  ])('%j: %s', (headers, expected) =>
    expect(isOwnPage({ method: 'POST', path: '/publicar', query: '', headers }, SITE)).toBe(
      expected,
    ),
  );
});

test.each([
  ['desk=abc', 'abc'],
  ['a=1; desk=abc; b=2', 'abc'],
  ['a=1;desk=a=b', 'a=b'],
  ['xdesk=abc', null],
  ['', null],
  [undefined, null],
])('the cookie of %j is %j', (header, value) => {
  expect(readCookie(header, 'desk')).toBe(value);
});
