// What a schema of content says is wrong, at the desk: in its words, in both languages.
import { expect, test } from 'vitest';
import { translateSchemaIssue } from '../../src/i18n/format-overrides.ts';
import { validateRecord } from '../../src/sources/inbox/editable-fields.ts';

const FAULTY = {
  event: {
    title: { es: 'x'.repeat(500), en: 'a\u0000b' },
    tags: ['Con Espacios'],
    price: { min: -5 },
    when: [{ rrule: 'NO', since: '2026-02-30', start: '25:00' }],
    ticket_url: 'ftp://x',
    confidence: 'mucha',
    sources: [],
  },
  venue: { name: '', lat: 400, capacity: 0.5, sources: [{ url: 'x', checked: 'ayer' }] },
} as const;

test.each(['event', 'venue'] as const)('a faulty %s is told in the reader’s language', (kind) => {
  const { issues } = validateRecord(kind, FAULTY[kind]);
  const messages = issues.filter(({ rule }) => rule !== 'missing');
  expect(messages.length).toBeGreaterThan(4);
  for (const { path, message } of messages) {
    const said = translateSchemaIssue(message, 'es');
    expect(said, `${path}: ${message}`).not.toMatch(/\b(must|is|has|needs|the)\b/);
    expect(said).not.toBe(translateSchemaIssue(message, 'en'));
  }
});

test('what has no words of its own is told as it is', () => {
  expect(translateSchemaIssue('must be odd', 'es')).toBe('No se puede así: must be odd');
});
