// Request origin: recognizes forms from our own pages, and parses cookies.
import { expect, test } from 'vitest';
import { isSameOriginForm, parseCookie } from '../../src/http/request-origin.ts';
import { SITE } from '../fixtures/site.ts';

const host = 'agenda.example';
test.each<[Record<string, string>, boolean]>([
  [{ host, origin: 'https://agenda.example' }, true],
  [{ host: 'localhost:4321', origin: 'http://localhost:4321' }, true],
  [{ host }, true],
  [{ host, origin: 'http://agenda.example' }, false],
  [{ host: `${host}:8443`, origin: 'https://agenda.example:8443' }, true],
  [{ host: `${host}:8080`, origin: 'http://agenda.example:8080' }, false],
  [{ host, origin: 'https://evil.example' }, false],
  [{ host, origin: 'https://agenda.example.evil.example' }, false],
  [{ host, origin: 'null' }, false],
  [{ host, 'sec-fetch-site': 'same-site' }, false],
  [{ host, origin: 'https://agenda.example', 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'http://localhost:4321' }, false],
])('isSameOriginForm: %j: %s', (headers, expected) =>
  expect(isSameOriginForm({ method: 'POST', path: '/publicar', query: '', headers }, SITE)).toBe(
    expected,
  ),
);

test.each([
  ['desk=abc', 'abc'],
  ['a=1; desk=abc; b=2', 'abc'],
  ['xdesk=abc', null],
  [undefined, null],
])('parseCookie: the cookie in %j is %j', (header, value) => {
  expect(parseCookie(header, 'desk')).toBe(value);
});
