// Preview dates: the next date, a limited number of further ones, and the number of those left out.
import { expect, test } from 'vitest';
import { MAX_FURTHER_DATES, selectPreviewDates } from '../../../src/domain/event/preview-dates.ts';
import { getEvent } from '../../../src/snapshot/get-record.ts';
import { FRIDAY_NOON_MS, openFixture } from '../../fixtures/fixture.ts';

const DAY_MS = 86_400_000;
const { snapshot } = openFixture();

/** Selects the dates of the daily fair, which began on November 1; November 21 is cancelled. */
function selectFairDates(now_ms: number) {
  const detail = getEvent(snapshot, 'feria-diaria', now_ms);
  if (detail === null || detail === 'gone') throw new Error('the fair is missing');
  return { detail, ...selectPreviewDates(detail) };
}
const dayOf = (date: { readonly start: string } | null | undefined) => date?.start.slice(0, 10);

test('lists dates that have not ended, cancelled ones too, and counts the others', () => {
  const { detail, first, further, omitted_count } = selectFairDates(FRIDAY_NOON_MS);
  expect([dayOf(first), dayOf(further[0]), further[0]?.status]).toEqual([
    ...['2026-11-20', '2026-11-21', 'cancelled'],
  ]);
  expect(further).toHaveLength(MAX_FURTHER_DATES);
  expect(omitted_count).toBe(detail.ahead_count - 1 - MAX_FURTHER_DATES);
  expect(omitted_count).toBeGreaterThan(100);
});

test('begins with the next date that takes place, and lists a cancelled one before it', () => {
  const { first, further } = selectFairDates(FRIDAY_NOON_MS + DAY_MS);
  expect([dayOf(first), dayOf(further[0])]).toEqual(['2026-11-23', '2026-11-21']);
});

test('lists the last dates of an event that is over', () => {
  const { detail, first, further, omitted_count } = selectFairDates(FRIDAY_NOON_MS + 3000 * DAY_MS);
  expect(detail.is_past).toBe(true);
  expect(first).toBe(detail.occurrences.at(-1));
  expect(further.at(-1)).toBe(detail.occurrences.at(-2));
  expect(further.length + omitted_count + 1).toBe(detail.occurrences.length);
  expect(further).toHaveLength(MAX_FURTHER_DATES);
});
