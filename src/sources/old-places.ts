// Hours and prices of a place, and what is left of them when its sources have grown old (contract 6.5).
import type { Temporal } from 'temporal-polyfill';
import {
  type Certainty,
  isFresh,
  PLACE_SHELF,
  toCertainty,
  toDueDay,
  toEvidenceDay,
} from '../domain/knowledge/certainty.ts';
import type { Admission, OpeningHours } from '../domain/opening-hours.ts';
import { toEvidence } from './certainty.ts';
import type { VenueFile } from './content-schema.ts';

type Opening = Pick<VenueFile, 'hours' | 'admission' | 'sources'>;

/**
 * What is said of hours and prices on a day called today. Of an old source only the days of the week
 * are left: at which hour a place opens then, and what it costs, is not known.
 */
export function toKnownOpening(
  file: Opening,
  today: Temporal.PlainDate,
): { readonly hours: OpeningHours | null; readonly admission: readonly Admission[] } {
  const { hours = null, admission } = file;
  if (isFresh(toDueDay(PLACE_SHELF, toEvidenceDay(toEvidence(file))), today))
    return { hours, admission };
  if (hours === null) return { hours, admission: [] };
  const rules = hours.rules.map((rule) => ({ ...rule, open: null, close: null, last_entry: null }));
  return { hours: { ...hours, rules, free: [] }, admission: [] };
}

/** How well what entering costs is known. */
interface AdmissionKnowledge {
  /** Null where nothing is said of it. */
  readonly admission_certainty: Certainty | null;
  /** The day it is of, YYYY-MM-DD, once that is to be said; null while it is sure. */
  readonly admission_as_of: string | null;
}

/** An amount ages as the price of an event does (contract 6.10); that nobody pays does not. */
export function toAdmissionKnowledge(file: Opening, today: Temporal.PlainDate): AdmissionKnowledge {
  const { admission } = toKnownOpening(file, today);
  if (admission.length === 0) return { admission_certainty: null, admission_as_of: null };
  const evidence_day = toEvidenceDay(toEvidence(file));
  const is_paid = admission.some(({ amount }) => amount > 0);
  const certainty = is_paid ? toCertainty('confirmed', 'price', evidence_day, today) : 'confirmed';
  return {
    admission_certainty: certainty,
    admission_as_of: certainty === 'confirmed' ? null : evidence_day.toString(),
  };
}
