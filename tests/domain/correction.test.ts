// What a reader reports as changed, read: every issue at once, texts as those of a submission.
import { expect, test } from 'vitest';
import { pickCorrectionValues, readCorrection } from '../../src/domain/correction.ts';

const GOOD = { change: 'Ahora empieza a las nueve.' };
const listIssues = (values: object): string[] =>
  readCorrection({ ...GOOD, ...values }).issues.map(({ field, rule }) => `${field} ${rule}`);

test('only what has changed is needed', () => {
  expect(readCorrection(GOOD)).toEqual({
    correction: { ...GOOD, source_url: null, contact_email: null },
    issues: [],
  });
  expect(readCorrection({}).issues).toMatchObject([{ field: 'change', rule: 'missing' }]);
});

test('every issue is told at once, with its field', () => {
  expect(listIssues({ change: 'corto', source_url: 'cartel', contact_email: 'yo@' })).toEqual([
    'change too_short',
    'source_url not_address',
    'contact_email not_email',
  ]);
});

test.each([
  [9, ['change too_short']],
  [10, []],
  [1000, []],
  [1001, ['change too_long']],
])('a text of %i characters', (length, issues) => {
  expect(listIssues({ change: 'a'.repeat(length) })).toEqual(issues);
});

test('signs alone say nothing, and blanks are no characters', () => {
  expect(listIssues({ change: '¿?¿?¿?¿?¿?¿?' })).toContain('change missing');
  expect(listIssues({ change: `ya no${' '.repeat(40)}` })).toEqual(['change too_short']);
  expect(pickCorrectionValues({ change: '   ', homepage: 'x' })).toEqual({});
});

test.each(['http://localhost/x', 'https://user:pass@example.org/', 'javascript:alert(1)'])(
  'the link %s is refused as in a submission',
  (source_url) => {
    expect(listIssues({ source_url })).toEqual(['source_url not_address']);
  },
);

test('five links fit in all, six do not', () => {
  const links = (count: number): string => 'https://example.org/a '.repeat(count);
  const source_url = 'https://example.org/b';
  expect(listIssues({ change: links(4), source_url })).toEqual([]);
  expect(listIssues({ change: links(5), source_url })).toEqual(['change too_many_links']);
});

test('the text loses what is not to be seen and keeps its lines', () => {
  const { correction } = readCorrection({
    change: 'Cerró\u202e en\u200b octubre\r\n\r\n\r\n\u0007y ya',
  });
  expect(correction?.change).toBe('Cerró en octubre\n\ny ya');
});
