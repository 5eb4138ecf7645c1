// Hours and prices of a place, and what is left of them when its sources have grown old (contract 6.5).
import type { Temporal } from 'temporal-polyfill';
import { isFresh, PLACE_SHELF, toDueDay, toEvidenceDay } from '../domain/knowledge/certainty.ts';
import type { Admission, OpeningHours } from '../domain/opening-hours.ts';
import { toEvidence } from './certainty.ts';
import type { VenueFile } from './content-schema.ts';

/**
 * What is said of hours and prices on a day called today. Of an old source only the days of the week
 * are left: at which hour a place opens then, and what it costs, is not known.
 */
export function toKnownOpening(
  file: Pick<VenueFile, 'hours' | 'admission' | 'sources'>,
  today: Temporal.PlainDate,
): { readonly hours: OpeningHours | null; readonly admission: readonly Admission[] } {
  const { hours = null, admission } = file;
  if (isFresh(toDueDay(PLACE_SHELF, toEvidenceDay(toEvidence(file))), today))
    return { hours, admission };
  if (hours === null) return { hours, admission: [] };
  const rules = hours.rules.map((rule) => ({ ...rule, open: null, close: null, last_entry: null }));
  return { hours: { ...hours, rules, free: [] }, admission: [] };
}
