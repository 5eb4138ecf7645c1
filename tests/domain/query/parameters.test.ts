// The query string: decoded, given once, named rightly (contract 7.3, 7.1, 7.7).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/domain/folding.ts';
import {
  LIST_PARAMETERS,
  findNearName,
  parseParameters,
} from '../../../src/domain/query/parameters.ts';

const KNOWN = 'date from to category zone free family near radius_km lang q limit cursor'.split(
  ' ',
);

function parse(query: string) {
  const issues: string[] = [];
  return { found: parseParameters(query, KNOWN, issues), issues };
}

describe('parseParameters', () => {
  test.each([
    ['', {}],
    ['q=noche', { q: 'noche' }],
    ['q=m%C3%BAsica+viva', { q: 'música viva' }],
    ['q=a%2Bb', { q: 'a+b' }],
    ['q=a=b', { q: 'a=b' }],
    ['category=&zone=&q=x', { q: 'x' }],
    ['category&q=x', { q: 'x' }],
    ['&&q=x&', { q: 'x' }],
    ['%71=x', { q: 'x' }],
    ['q=%00', { q: '\0' }],
  ])('reads %j', (query, found) => {
    expect(parse(query)).toEqual({ found, issues: [] });
  });

  test.each([
    ...['utm_source=x', 'ref=x', '_=1', 'fbclid=%zz', 'v', '__proto__=x', 'constructor=x'],
    ...['id=1', 'x=y', 'key=1'],
  ])('ignores the unknown %s', (query) => {
    expect(parse(`${query}&q=a`)).toEqual({ found: { q: 'a' }, issues: [] });
  });

  test.each([
    ['date=today&date=today', 'date: is given more than once'],
    ['q=&q=x', 'q: is given more than once'],
    ['q=%', 'q: is not percent-encoded UTF-8'],
    ['q=%zz', 'q: is not percent-encoded UTF-8'],
    ['q=%FF', 'q: is not percent-encoded UTF-8'],
    ['%ff=x', 'query: a name in it is not percent-encoded UTF-8'],
  ])('refuses %s', (query, issue) => {
    expect(parse(query).issues).toEqual([expect.stringContaining(issue)]);
  });

  test.each([
    ['page=2', "Link header, which has a 'cursor'"],
    ['offset=50', "Link header, which has a 'cursor'"],
    ['Page=2', "Link header, which has a 'cursor'"],
    ['sort=x', 'always by start'],
    ['order=desc', 'always by start'],
    ['fields=id', 'all of its fields'],
    ['per_page=3', "'limit'"],
  ])('says for %s what to do here', (query, advice) => {
    expect(parse(query).issues).toEqual([expect.stringContaining(advice)]);
  });

  test('leaves the words of other lists alone where there is no list', () => {
    const issues: string[] = [];
    parseParameters('page=2&sort=x', ['lang'], issues);
    expect(issues).toEqual([]);
  });

  test.each([
    ['start=x', 'start: is not a parameter. Those of this address are status, lang'],
    ['STARTS=x', "STARTS: is not a parameter. Use 'status'"],
    ['statu=x', "statu: is not a parameter. Use 'status'"],
    ['Tag=x', 'Tag: is not a parameter. Those of this address are status, lang'],
    ['status=x', null],
    ['tagged=x', null],
  ])('says of %s, which may mean something elsewhere, what is taken here', (query, issue) => {
    const issues: string[] = [];
    parseParameters(query, ['status', 'lang'], issues, new Set(['start', 'tag', 'status']));
    expect(issues).toEqual(issue === null ? [] : [issue]);
  });

  test('names a parameter that is given three times once', () => {
    expect(parse('q=a&q=b&q=c').issues).toHaveLength(1);
  });

  test('names all faults at once', () => {
    expect(parse('categoria=x&Date=today&q=%&limit=1&limit=2').issues).toEqual([
      "categoria: is not a parameter. Use 'category'",
      "Date: is not a parameter. Use 'date'",
      expect.stringMatching(/^q: /),
      expect.stringMatching(/^limit: /),
    ]);
  });

  test('never throws, and gives known names only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        expect(Object.keys(parse(query).found).filter((name) => !KNOWN.includes(name))).toEqual([]);
      }),
    );
  });
});

describe('findNearName', () => {
  test.each([
    ['categoria', 'category'],
    ['Categoría', 'category'],
    ['fecha', 'date'],
    ['desde', 'from'],
    ['límite', 'limit'],
    ['buscar', 'q'],
    ['Q', 'q'],
    ['dat', null],
    ['dates', 'date'],
    ['dtae', 'date'],
    ['categroy', 'category'],
    ['ctgory', 'category'],
    ['radius-km', 'radius_km'],
    ['radiuskm', 'radius_km'],
    ['ref', null],
    ['id', null],
    ['utm_medium', null],
    ['t', null],
    ['', null],
  ])('%j means %j', (name, meant) => {
    expect(findNearName(name, KNOWN)).toBe(meant);
  });

  test('only means what the operation takes', () => {
    expect(findNearName('categoria', ['date', 'lang'])).toBeNull();
    expect(findNearName('fecha', ['date', 'lang'])).toBe('date');
  });
});

test('no name, official or of habit, means two parameters', () => {
  const names = LIST_PARAMETERS.flatMap(({ name, other_names }) => [name, ...other_names]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.map(fold)).toEqual(names);
});

test('every name of habit leads to its parameter', () => {
  const known = LIST_PARAMETERS.map(({ name }) => name);
  for (const { name, other_names } of LIST_PARAMETERS)
    for (const other of other_names) expect(findNearName(other, known), other).toBe(name);
});
