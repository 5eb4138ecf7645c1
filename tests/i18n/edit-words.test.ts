// What a schema of content says is wrong, at the desk: in its words, in both languages.
import { expect, test } from 'vitest';
import { toIssueWords } from '../../src/i18n/edit-words.ts';
import { checkRecord } from '../../src/sources/inbox/editable.ts';

const FAULTY = {
  event: {
    title: { es: 'x'.repeat(500), en: 'a\u0000b' },
    tags: ['Con Espacios'],
    price: { min: -5 },
    when: [{ rrule: 'NO', since: '2026-02-30', start: '25:00' }],
    ticket_url: 'ftp://x',
    languages: ['español'],
    confidence: 'mucha',
    category: 'nada',
    sources: [],
    slug: { es: 'Á', en: 'ok' },
  },
  venue: {
    name: '',
    locality: 'Cancún',
    lat: 400,
    postal_code: '1',
    capacity: 0.5,
    sources: [{ url: 'x', checked: 'ayer' }],
    confidence: 'high',
  },
} as const;

test.each(['event', 'venue'] as const)(
  'of a faulty %s nothing is said in English to who reads Spanish',
  (kind) => {
    const { issues } = checkRecord(kind, FAULTY[kind]);
    expect(issues.length).toBeGreaterThan(5);
    for (const { path, message, rule } of issues) {
      if (rule === 'missing') continue;
      const said = toIssueWords(message, 'es');
      expect(said, `${path}: ${message}`).not.toMatch(/\b(must|is|has|needs|the)\b/);
      expect(said).not.toBe(toIssueWords(message, 'en'));
    }
  },
);

test('what has no words of its own is told as it is', () => {
  expect(toIssueWords('must be odd', 'es')).toBe('No se puede así: must be odd');
});
