// A notice in words: what is only inferred says from when, seasons stand in one line.
import { expect, test } from 'vitest';
import type { NoticeRecord } from '../../src/domain/notice.ts';
import { toInferredSentence, toSeasonLine } from '../../src/i18n/day-words.ts';
import { NOTICE } from '../fixtures/notice.ts';

const inferred = (evidence: NoticeRecord['evidence']): NoticeRecord => ({
  ...NOTICE,
  inferred: true,
  evidence,
});

test.each([
  [{ year: 2025, was_last_year: true }, 'Así fue el año pasado;', 'This is how it was last year;'],
  [{ year: 2024, was_last_year: false }, 'Así fue en 2024;', 'This is how it was in 2024;'],
  [null, 'Así ha sido otros años;', 'This is how it has been in other years;'],
])('what is inferred from %j says so', (evidence, es, en) => {
  expect(toInferredSentence(inferred(evidence), 'es')).toContain(es);
  expect(toInferredSentence(inferred(evidence), 'en')).toContain(en);
});

test('what is known of its own year says nothing of other years', () => {
  expect(toInferredSentence(NOTICE, 'es')).toBeNull();
});

test('seasons by their short names, else by their titles', () => {
  const short = { ...NOTICE, short: { es: 'nortes', en: 'north winds' } };
  const titled = { ...NOTICE, title: { es: 'Sargazo', en: 'Sargassum' } };
  expect(toSeasonLine([short, titled], 'es')).toBe('En temporada: nortes, Sargazo');
  expect(toSeasonLine([short, titled], 'en')).toBe('In season: north winds, Sargassum');
  expect(toSeasonLine([], 'es')).toBeNull();
});
