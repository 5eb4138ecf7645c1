// Revisions: compares the digest of a record with the ledger (the revisions that earlier releases
// published), and gives it a new `updated_at` and `sequence` if it changed.
import type { Temporal } from 'temporal-polyfill';
import { formatTimestamp, toLocalDay } from '../domain/local-time.ts';
import type { RestDayCalendar } from '../domain/day/rest-days.ts';
import {
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
 */
export const computeRevision = (
  id: string,
  inputs: unknown,
  { ledger, moment }: BuildContext,
  status?: EventStatus,
): Revision => nextRevision(ledger.revisions.get(id), digestRecord(inputs), moment, status);

/**
 * Adds `updated_at` to a record, and returns its revision.
 * @param related Facts of other records that are published with this one.
 */
export function withRevision<R extends { readonly id: string }>(
  record: R,
  context: BuildContext,
  related: unknown = null,
): { record: R & { updated_at: string }; revision: Revision } {
  const revision = computeRevision(record.id, [record, related], context);
  return { record: { ...record, updated_at: revision.updated_at }, revision };
}
