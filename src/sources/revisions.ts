// Revisions: compares the digest of a record with the ledger (the revisions that earlier releases
// published), and gives it a new `updated_at` and `sequence` if it changed.
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

/** Inputs shared by all record builders. */
export interface BuildContext extends RestDayCalendar {
  readonly ledger: Ledger;
  /** The instant of the build, as epoch ms and as timestamp. */
  readonly moment: ReleaseMoment;
  readonly today: Temporal.PlainDate;
  /** The last day with occurrences. */
  readonly horizon: Temporal.PlainDate;
  readonly zones: readonly TaxonRecord[];
  /** Collects issues; if there are any, the records must not be used. */
  readonly issues: ContentIssue[];
}

/** Creates a context, empty except for the time and the given fields. */
export function createBuildContext(
  now_ms: number,
  overrides: Partial<BuildContext> = {},
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
    ...overrides,
  };
}

/**
 * Computes the revision of a record: a new one if the digest of its inputs is not the digest in the
 * ledger.
 * @param computeLegacyDigest computes the digest of the same inputs as older releases did.
 */
export function computeRevision(
  id: string,
  inputs: unknown,
  computeLegacyDigest: () => string,
  { ledger, moment }: BuildContext,
  status?: EventStatus,
): Revision {
  const published = ledger.revisions.get(id);
  const digest = digestRecord(inputs);
  const has_same_legacy_digest =
    published && isLegacyDigest(published.digest) && published.digest === computeLegacyDigest();
  const previous = has_same_legacy_digest
    ? { ...published, digest, former_digest: published.digest }
    : published;
  return nextRevision(previous, digest, moment, status);
}

/**
 * Adds `updated_at` to a record, and returns its revision.
 * @param related Facts of other records that are published with this one.
 */
export function withRevision<R extends { readonly id: string }>(
  record: R,
  context: BuildContext,
  related: unknown = null,
): { record: R & { updated_at: string }; revision: Revision } {
  const computeLegacyDigest = (): string => legacyDigest(record);
  const revision = computeRevision(record.id, [record, related], computeLegacyDigest, context);
  return { record: { ...record, updated_at: revision.updated_at }, revision };
}

// Legacy digests: releases up to November 2026 hashed all keys in their order. A legacy digest that
// still matches is replaced by a current one without a new revision. Everything below and
// `former_digest` can be removed once every service has built a release with this code.

/** Keys that a legacy digest includes even if empty; other empty keys were added later. */
const LEGACY_EMPTY_KEYS = new Set(
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

/** Computes the digest of a value as releases up to November 2026 did. */
export function legacyDigest(value: unknown): string {
  const text = JSON.stringify(value, (key, part: unknown) =>
    isEmpty(part) && !LEGACY_EMPTY_KEYS.has(key) && !/^\d*$/.test(key) ? undefined : part,
  );
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Returns true for a digest of releases up to November 2026; current ones have a prefix. */
export const isLegacyDigest = (digest: string): boolean =>
  digest !== '' && !digest.startsWith(DIGEST_PREFIX);
