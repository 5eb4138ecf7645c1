// What a thing is revised by: the digest of what is said of it, laid beside the ledger.
import { hash } from 'node:crypto';
import type { Temporal } from 'temporal-polyfill';
import { formatTimestamp, toLocalDay } from '../domain/local-time.ts';
import type { RestDayCalendar } from '../domain/day/rest-days.ts';
import {
  DIGEST_PREFIX,
  digestRecord,
  EMPTY_LEDGER,
  type Ledger,
  type ReleaseMoment,
  nextRevision,
  type Revision,
} from '../domain/ledger.ts';
import type { EventStatus } from '../domain/event/event.ts';
import { computeHorizon } from '../domain/event/occurrences.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { ContentIssue } from '../yaml.ts';

/** What records are made with, whatever their file. */
export interface BuildContext extends RestDayCalendar {
  readonly ledger: Ledger;
  readonly moment: ReleaseMoment;
  readonly today: Temporal.PlainDate;
  /** The last day of which anything is said. */
  readonly horizon: Temporal.PlainDate;
  readonly zones: readonly TaxonRecord[];
  /** What is wrong is pushed; the records are then not to be used. */
  readonly issues: ContentIssue[];
}

export function createBuildContext(
  now_ms: number,
  given: Partial<BuildContext> = {},
): BuildContext {
  const today = toLocalDay(now_ms);
  return {
    ledger: EMPTY_LEDGER,
    moment: { now_ms, timestamp: formatTimestamp(now_ms) },
    today,
    horizon: computeHorizon(today),
    zones: [],
    holidays: [],
    terms: [],
    issues: [],
    ...given,
  };
}

/** The revision of what is said; `toOld`: the digest of the same as older releases made it. */
export function computeRevision(
  id: string,
  said: unknown,
  toOld: () => string,
  { ledger, moment }: BuildContext,
  status?: EventStatus,
): Revision {
  const before = ledger.revisions.get(id);
  const digest = digestRecord(said);
  const is_same = before && isLegacyDigest(before.digest) && before.digest === toOld();
  const known = is_same ? { ...before, digest, former_digest: before.digest } : before;
  return nextRevision(known, digest, moment, status);
}

/** A record with its `updated_at`. `told`: what is said with it of other things. */
export function withRevision<R extends { readonly id: string }>(
  record: R,
  making: BuildContext,
  told: unknown = null,
): { record: R & { updated_at: string }; revision: Revision } {
  const revision = computeRevision(record.id, [record, told], () => legacyDigest(record), making);
  return { record: { ...record, updated_at: revision.updated_at }, revision };
}

// Digests as releases wrote them up to November 2026: of all keys in their order. One that is still
// right gives way to today's, and nothing is revised. What follows and `former_digest` can go once every
// service has made a release with it.

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

export function legacyDigest(value: unknown): string {
  const text = JSON.stringify(value, (key, said: unknown) =>
    isEmpty(said) && !EMPTY_THEN.has(key) && !/^\d*$/.test(key) ? undefined : said,
  );
  return hash('sha256', text, 'base64url').slice(0, 22);
}

export const isLegacyDigest = (digest: string): boolean =>
  digest !== '' && !digest.startsWith(DIGEST_PREFIX);
