// Correction: all issues are reported at once, and texts are cleaned as in a submission.
import { expect, test } from 'vitest';
import { selectCorrectionValues, parseCorrection } from '../../src/domain/correction.ts';

const GOOD = { change: 'Ahora empieza a las nueve.' };
const listIssues = (values: object): string =>
  parseCorrection({ ...GOOD, ...values })
    .issues.map(({ field, rule }) => `${field} ${rule}`)
    .join(', ');
const LINK = 'https://example.org/a';
const toLinks = (count: number): string => `${LINK} `.repeat(count);

test.each([
  ['only a change', {}, ''],
  ['nothing', { change: undefined }, 'change missing'],
  ['1001 characters', { change: 'a'.repeat(1001) }, 'change too_long'],
  [
    'several invalid fields',
    { change: 'corto', source_url: 'http://localhost/x', contact_email: 'yo@' },
    'change too_short, source_url not_address, contact_email not_email',
  ],
  ['five links', { change: toLinks(4), source_url: LINK }, ''],
  ['six links', { change: toLinks(5), source_url: LINK }, 'change too_many_links'],
])('a correction with %s has the issues of its fields', (_, values, issues) => {
  expect(listIssues(values)).toBe(issues);
});

test('drops unknown and blank fields, and removes invisible characters but not lines', () => {
  expect(selectCorrectionValues({ change: '   ', homepage: 'x' })).toEqual({});
  const change = 'Cerró\u202e en\u200b octubre\r\n\r\n\r\n\u0007y ya';
  const kept = { change: 'Cerró en octubre\n\ny ya', source_url: null, contact_email: null };
  expect(parseCorrection({ change }).correction).toEqual(kept);
});
