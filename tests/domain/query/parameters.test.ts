// Query strings: decoding, repeated and misspelled parameters (contract 7.3, 7.1, 7.7).
import { describe, expect, test } from 'vitest';
import { formatIssues, type ParameterIssue } from '../../../src/domain/query/parameter-issue.ts';
import { suggestParameterName, parseParameters } from '../../../src/domain/query/parameters.ts';

const ALL = 'date from to category zone free family near radius_km lang q limit cursor'.split(' ');

function parse(query: string, known: readonly string[] = ALL, others?: ReadonlySet<string>) {
  const issues: ParameterIssue[] = [];
  const values = parseParameters(query, known, issues, others);
  return { values, issues: issues.map((issue) => formatIssues([issue])) };
}

describe('parseParameters', () => {
  test.each([
    ['', {}],
    ['q=m%C3%BAsica+viva', { q: 'música viva' }],
    ['q=a%2Bb=c', { q: 'a+b=c' }],
    ['category=&zone&&q=x&', { q: 'x' }],
    ['%71=x', { q: 'x' }],
    ['q=%00', { q: '\0' }],
    ['utm_source=x&ref=x&fbclid=%zz&v&key=1&_=1', {}],
    ['__proto__=x&constructor=x', {}],
    ['gad_source=1&gad_campaignid=2&gclsrc=x&mtm_source=y&q=x', { q: 'x' }],
    ['category=film&category=art&category=&q=x', { category: 'film,art', q: 'x' }],
  ])('parses %j', (query, values) => {
    expect(parse(query)).toEqual({ values, issues: [] });
  });

  test.each([
    ['date=today&date=today&date=x', 'date: is given more than once'],
    ['q=&q=x', 'q: is given more than once'],
    ['q=%FF', 'q: not percent-encoded UTF-8'],
    ['%ff=x', 'query: a parameter name is not percent-encoded UTF-8'],
    ['Page=2', "Link header, which has a 'cursor'"],
    ['sort=x', 'always ordered by start'],
    ['per_page=3', "'limit'"],
    ['pageSize=3', "Use 'limit'"],
    ['zone[]=x', "Use 'zone'"],
    ['category%5B0%5D=x', "Use 'category'"],
    ['startDate=x', "Use 'from'"],
    ['end_date=x', "Use 'to'"],
    ['lon=x', "Use 'near'"],
    ['keyword=x', "Use 'q'"],
    ['city=x', "Use 'zone'"],
    ['min_price=1', "Only 'free' and 'price_max' filter by price"],
    ['tz=x', 'with their offset from UTC'],
  ])('reports %s once', (query, issue) => {
    expect(parse(query).issues).toEqual([expect.stringContaining(issue)]);
  });

  test('reports all issues at once', () => {
    expect(parse('categoria=x&Date=today&q=%&limit=1&limit=2').issues).toEqual([
      "categoria: unknown parameter. Use 'category'",
      "Date: unknown parameter. Use 'date'",
      expect.stringMatching(/^q: /),
      expect.stringMatching(/^limit: /),
    ]);
  });

  test.each([
    ['start=x', 'start: unknown parameter. Use status, lang'],
    ['STARTS=x', "STARTS: unknown parameter. Use 'status'"],
    ['Tag=x', 'Tag: unknown parameter. Use status, lang'],
    ['tagged=x', undefined],
    // A parameter of lists, for an operation without a list.
    ['page=2', undefined],
  ])(
    'for %s, which may be a parameter of another operation, lists the valid ones',
    (query, issue) => {
      const { issues } = parse(query, ['status', 'lang'], new Set(['start', 'tag', 'status']));
      expect(issues[0]).toBe(issue);
    },
  );
});

test.each([
  ['Categoría', 'category'],
  ['fecha', 'date'],
  ['límite', 'limit'],
  ['Q', 'q'],
  ['dtae', 'date'],
  ['ctgory', 'category'],
  ['radius-km', 'radius_km'],
  ['dat', null],
  ['utm_medium', null],
  ['', null],
])('suggestParameterName(%j) is %j', (name, suggestion) => {
  expect(suggestParameterName(name, ALL)).toBe(suggestion);
});
