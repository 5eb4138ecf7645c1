// Override texts: schema issues of edited records are translated into both languages.
import { expect, test } from 'vitest';
import { translateSchemaIssue } from '../../src/i18n/format-overrides.ts';
import { validateRecord } from '../../src/sources/inbox/editable-fields.ts';

const INVALID_RECORDS = {
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

test.each(['event', 'venue'] as const)('the issues of an invalid %s are translated', (kind) => {
  const { issues } = validateRecord(kind, INVALID_RECORDS[kind]);
  const messages = issues.filter(({ rule }) => rule !== 'missing');
  expect(messages.length).toBeGreaterThan(4);
  for (const { path, message } of messages) {
    const translation = translateSchemaIssue(message, 'es');
    expect(translation, `${path}: ${message}`).not.toMatch(/\b(must|is|has|needs|the)\b/);
    expect(translation).not.toBe(translateSchemaIssue(message, 'en'));
  }
});

test('an unknown issue is shown untranslated', () => {
  expect(translateSchemaIssue('must be odd', 'es')).toBe('No es válido: must be odd');
});
