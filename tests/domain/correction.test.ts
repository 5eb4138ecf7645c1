// What a reader reports as changed, read: every issue at once, texts as those of a submission.
import { expect, test } from 'vitest';
import { pickCorrectionValues, readCorrection } from '../../src/domain/correction.ts';

const GOOD = { change: 'Ahora empieza a las nueve.' };
const listIssues = (values: object): string =>
  readCorrection({ ...GOOD, ...values })
    .issues.map(({ field, rule }) => `${field} ${rule}`)
    .join(', ');
const toLinks = (count: number): string => 'https://example.org/a '.repeat(count);

test.each([
  ['only what has changed', {}, ''],
  ['nothing', { change: undefined }, 'change missing'],
  ['9 characters', { change: 'a'.repeat(9) }, 'change too_short'],
  ['1000 characters', { change: 'a'.repeat(1000) }, ''],
  ['1001 characters', { change: 'a'.repeat(1001) }, 'change too_long'],
  ['blanks, which are no characters', { change: `ya no${' '.repeat(40)}` }, 'change too_short'],
  [
    'every fault at once',
    { change: 'corto', source_url: 'cartel', contact_email: 'yo@' },
    'change too_short, source_url not_address, contact_email not_email',
  ],
  ['a private address', { source_url: 'http://localhost/x' }, 'source_url not_address'],
  ['a script', { source_url: 'javascript:alert(1)' }, 'source_url not_address'],
  ['five links', { change: toLinks(4), source_url: 'https://example.org/b' }, ''],
  [
    'six links',
    { change: toLinks(5), source_url: 'https://example.org/b' },
    'change too_many_links',
  ],
])('%s', (_, values, issues) => {
  expect(listIssues(values)).toBe(issues);
});

test('signs alone say nothing, and unknown or blank fields are left out', () => {
  expect(listIssues({ change: '¿?¿?¿?¿?¿?¿?' })).toContain('change missing');
  expect(pickCorrectionValues({ change: '   ', homepage: 'x' })).toEqual({});
});

test('the text loses what is not to be seen and keeps its lines', () => {
  const change = 'Cerró\u202e en\u200b octubre\r\n\r\n\r\n\u0007y ya';
  const kept = { change: 'Cerró en octubre\n\ny ya', source_url: null, contact_email: null };
  expect(readCorrection({ change }).correction).toEqual(kept);
});
