// Submission field rules: both sides of the rules for local times, links, lists, amounts and email addresses.
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_FIELD_TYPE,
  dateListSchema,
  dayHoursListSchema,
  EMAIL_FIELD_TYPE,
  FLAG_FIELD_TYPE,
  issueFromSchema,
  languageListSchema,
  localDateTimeSchema,
  nameFieldType,
  SUBMISSION_LIMITS,
  textFieldType,
  URL_FIELD_TYPE,
} from '../../../src/domain/submission/field-rules.ts';

/** Returns the parsed value, or the codes of the issues. */
function parse(schema: v.GenericSchema, text: string): unknown {
  const { success, output, issues } = v.safeParse(schema, text);
  return success ? output : issues.map((issue) => issueFromSchema(issue, 'x').rule).join();
}

test.each([
  ['2026-12-05', '2026-12-05'],
  ['2026-12-05T20:00', '2026-12-05T20:00'],
  ['2026-12-05 20:00', '2026-12-05T20:00'],
  ['2026-12-05T20:00:59.5', '2026-12-05T20:00'],
  ['2026-12-05T20:00-05:00', '2026-12-05T20:00'],
  ['2026-12-05T23:59', '2026-12-05T23:59'],
  ['2026-12-05T24:00', 'not_moment'],
  ['2026-12-05T20:60', 'not_moment'],
  ['2026-12-05T8:00', 'not_moment'],
  ['2026-12-05T20:00+01:00', 'not_moment'],
  ['2026-02-29', 'not_moment'],
  ['mañana', 'not_moment'],
])('the local time %s is parsed to %s', (text, expected) => {
  expect(parse(localDateTimeSchema, text)).toBe(expected);
});

describe('a link', () => {
  test.each([
    'https://a.mx',
    'HTTP://a.mx/x?y#z',
    'https://cancún.mx/ñ',
    'https://a.mx.',
    'https://a.mx:8080/x',
    'https://a.mx/cartel.jpg',
  ])('%s is accepted', (url) => {
    expect(parse(URL_FIELD_TYPE.rule, url)).toBe(url);
  });
  test.each([
    ['ftp://a.mx', 'not_address'],
    ['https://localhost', 'not_address'],
    ['https://printer.local', 'not_address'],
    ['https://host.internal/', 'not_address'],
    ['https://router.lan', 'not_address'],
    ['https://nas.home.arpa', 'not_address'],
    ['https://10.0.0.1', 'not_address'],
    ['https://[::1]/', 'not_address'],
    ['https://user@a.mx', 'not_address'],
    ['https://user:pass@a.mx', 'not_address'],
    ['https://:pass@a.mx', 'not_address'],
    ['https://a.mx/"x', 'not_address'],
    ['https://cartel.jpg', 'is_file'],
  ])('%s is rejected: %s', (url, rule) => {
    expect(parse(URL_FIELD_TYPE.rule, url)).toContain(rule);
  });
  test('is at most 500 characters long', () => {
    const url = `https://a.mx/${'x'.repeat(SUBMISSION_LIMITS.url - 13)}`;
    expect(parse(URL_FIELD_TYPE.rule, url)).toBe(url);
    expect(parse(URL_FIELD_TYPE.rule, `${url}x`)).toBe('too_long');
  });
});

test.each([
  ['0', 0],
  ['99.5', 99.5],
  ['1000000', 1_000_000],
  ['1000000.01', 'not_amount'],
  ['1.234', 'not_amount'],
  ['-1', 'not_amount'],
  ['1,5', 'not_amount'],
])('the amount %s is parsed to %s', (text, expected) => {
  expect(parse(AMOUNT_FIELD_TYPE.rule, text)).toBe(expected);
});

test.each([
  ['on', true],
  ['1', true],
  ['0', false],
  ['false', false],
  ['off', 'not_flag'],
])('the flag %s is parsed to %s', (text, expected) => {
  expect(parse(FLAG_FIELD_TYPE.rule, text)).toBe(expected);
});

test.each([
  ['a@b.mx', true],
  [`${'a'.repeat(64)}@b.mx`, true],
  [`${'a'.repeat(65)}@b.mx`, false],
  ['a@b', false],
  ['a@-b.mx', false],
  ['a@b-.mx', false],
  ['a@b.mx, c@d.mx', false],
  ['A <a@b.mx>', false],
  ['a b@c.mx', false],
])('the email address %s is accepted: %s', (text, expected) => {
  expect(parse(EMAIL_FIELD_TYPE.rule, text)).toBe(expected ? text : 'not_email');
});

test.each([
  ['2026-12-05, 2026-12-06;2026-12-07', ['2026-12-05', '2026-12-06', '2026-12-07']],
  ['2026-12-05 2026-13-01', 'not_dates'],
  ['5/12/2026', 'not_dates'],
])('the list of days %s is parsed to %j', (text, expected) => {
  expect(parse(dateListSchema, text)).toEqual(expected);
});

test.each([
  ['2026-12-12T18:00', [{ date: '2026-12-12', start: '18:00', end: null }]],
  ['2026-12-12T18:00/20:00', [{ date: '2026-12-12', start: '18:00', end: '20:00' }]],
  ['2026-12-12T24:00', 'not_dates'],
  ['2026-12-12T18:00/20:60', 'not_dates'],
  ['2026-12-12', 'not_dates'],
])('the hours %s are parsed to %j', (text, expected) => {
  expect(parse(dayHoursListSchema, text)).toEqual(expected);
});

test.each([dateListSchema, dayHoursListSchema])('a list has at most sixty days', (schema) => {
  const day = schema === dateListSchema ? '2026-12-05' : '2026-12-05T18:00';
  const list = Array<string>(SUBMISSION_LIMITS.dates).fill(day);
  expect(parse(schema, list.join())).toHaveLength(SUBMISSION_LIMITS.dates);
  expect(parse(schema, [...list, day].join())).toBe('too_many');
});

test.each([
  ['ES, en myn', ['es', 'en', 'myn']],
  ['español', 'not_codes'],
  ['e', 'not_codes'],
])('the languages %s are parsed to %j', (text, expected) => {
  expect(parse(languageListSchema, text)).toEqual(expected);
});

test.each([
  ['7', '7'],
  [' a  b ', 'a b'],
  ['abcde', 'abcde'],
  ['abcdef', 'too_long'],
  ['...', 'missing'],
])('the name %j of at most 5 characters is parsed to %j', (text, expected) => {
  expect(parse(nameFieldType(5).rule, text)).toBe(expected);
});

test.each([
  ['abc', 'abc'],
  ['ab', 'too_short'],
  ['a\n\nb', 'a\n\nb'],
  ['abcde', 'abcde'],
  ['abcdef', 'too_long'],
])('the text %j of 3 to 5 characters is parsed to %j', (text, expected) => {
  expect(parse(textFieldType(3, 5).rule, text)).toBe(expected);
});
