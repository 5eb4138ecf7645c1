// How old what we say is: of a source that somebody looked at, and of what was sent in and only read.
import { expect, test } from 'vitest';
import { toSourceSentence } from '../../src/i18n/fact-words.ts';

const DAYS = { source_published: null, source_checked: '2026-11-20' } as const;
const FROM_MARCH = { ...DAYS, source_published: '2026-03-02' } as const;

test.each([
  [DAYS, 'editor', 'Fuente revisada el 20 de noviembre de 2026.'],
  [FROM_MARCH, 'editor', 'Fuente de marzo de 2026, revisada el 20 de noviembre de 2026.'],
  [DAYS, 'organizer', 'Lo leímos el 20 de noviembre de 2026.'],
  [FROM_MARCH, 'agent', 'Lo leímos el 20 de noviembre de 2026.'],
] as const)('of %o, told by the %s, it says %s', (days, source, sentence) => {
  expect(toSourceSentence(days, 'es', source)).toBe(sentence);
});
