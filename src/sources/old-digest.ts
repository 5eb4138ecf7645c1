// Digests as releases wrote them up to November 2026: of all keys in their order. One that is still
// right gives way to today's, and nothing is revised. This file and `former_digest` can go once every
// service has made a release with it.
import { hash } from 'node:crypto';
import type { EventStatus } from '../domain/event/event.ts';
import { DIGEST_MARK, type Moment, revise, type Revision } from '../domain/ledger.ts';

/** What could be empty in a record then: an empty key that came later was in no digest. */
const EMPTY_THEN = new Set(
  `accessibility address admission admission_as_of admission_certainty age_restriction as_of
  capacity certainty changes close closed_on confirm_note confirmed coordinates dates days
  description end end_ms evidence except exceptions free habit hours image languages last_entry lat
  lng location_note max middle min months note notes open organizer phone position postal_code price
  registration_url rules search_words short since social source source_checked source_published
  source_url sources start status tags ticket_url until venue visitors website weekdays zone zone_lat
  zone_lng`.split(/\s+/),
);

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const isPosition = (key: string): boolean => /^\d*$/.test(key);

export function toOldDigest(value: unknown): string {
  const text = JSON.stringify(value, (key, said: unknown) =>
    isEmpty(said) && !EMPTY_THEN.has(key) && !isPosition(key) ? undefined : said,
  );
  return hash('sha256', text, 'base64url').slice(0, 22);
}

export const isOldDigest = (digest: string): boolean =>
  digest !== '' && !digest.startsWith(DIGEST_MARK);

/** As `revise`, of a ledger that may hold the digest that `toOld` makes of the same. */
export function reviseKnown(
  before: Revision | undefined,
  digest: string,
  toOld: () => string,
  moment: Moment,
  status?: EventStatus,
): Revision {
  const is_same = before && isOldDigest(before.digest) && before.digest === toOld();
  const known = is_same ? { ...before, digest, former_digest: before.digest } : before;
  return revise(known, digest, moment, status);
}
