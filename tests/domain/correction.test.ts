// What a reader reports as changed, read: every issue at once, texts as those of a submission.
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
  ['only what has changed', {}, ''],
  ['nothing', { change: undefined }, 'change missing'],
  ['1001 characters', { change: 'a'.repeat(1001) }, 'change too_long'],
  [
    'every fault at once',
    { change: 'corto', source_url: 'http://localhost/x', contact_email: 'yo@' },
    'change too_short, source_url not_address, contact_email not_email',
  ],
  ['five links', { change: toLinks(4), source_url: LINK }, ''],
  ['six links', { change: toLinks(5), source_url: LINK }, 'change too_many_links'],
])('%s', (_, values, issues) => {
  expect(listIssues(values)).toBe(issues);
});

test('unknown or blank fields are left out, and the text loses what is not to be seen and keeps its lines', () => {
  expect(selectCorrectionValues({ change: '   ', homepage: 'x' })).toEqual({});
  const change = 'Cerró\u202e en\u200b octubre\r\n\r\n\r\n\u0007y ya';
  const kept = { change: 'Cerró en octubre\n\ny ya', source_url: null, contact_email: null };
  expect(parseCorrection({ change }).correction).toEqual(kept);
});
