// What an event and its dates are revised by: digests of what is said of them.
import type { Temporal } from 'temporal-polyfill';
import { formatTimestamp, startOfDayMs } from '../domain/cancun-time.ts';
import type { EventStatus, OccurrenceRecord, OccurrenceStatus } from '../domain/event/event.ts';
import type { Span } from '../domain/event/occurrences.ts';
import type { Certainty } from '../domain/knowledge/certainty.ts';
import type { LocalText } from '../domain/lang.ts';
import { type Ledger, type Moment, type Revision, toDigest } from '../domain/ledger.ts';
import type { EventFile } from './content-schema.ts';
import { reviseKnown, toOldDigest } from './old-digest.ts';

/** All that makes an event another than it was. */
export interface EventTerms {
  /** The record without its revision and without the days of its sources. */
  readonly draft: Readonly<Record<string, unknown>>;
  /** The rules of its file. */
  readonly when: readonly unknown[];
  readonly changes: EventFile['changes'];
  /** What is told with it of its venue, of its organizer (null where it has none), and why it is off. */
  readonly about: readonly unknown[];
}

/** An event whose dates are to be revised. */
export interface RevisedEvent {
  readonly id: string;
  readonly revision: Revision;
  /** What a calendar says of it, whatever its status. */
  readonly text: unknown;
  readonly text_digest: string;
}

/** The event after it is laid beside what the ledger knows of it. */
export function reviseEvent(
  id: string,
  status: EventStatus,
  { draft, when, changes, about }: EventTerms,
  { revisions }: Pick<Ledger, 'revisions'>,
  moment: Moment,
): RevisedEvent {
  const said = [draft, when, changes, ...about];
  const toOld = (): string => toOldDigest(said);
  const text = [{ ...draft, status: null }, about];
  return {
    id,
    revision: reviseKnown(revisions.get(id), toDigest(said), toOld, moment, status),
    text,
    text_digest: toDigest(text),
  };
}

/** A date before it has a status. */
export interface DateTerms {
  readonly id: string;
  readonly day: Temporal.PlainDate;
  readonly span: Span;
  readonly certainty: Certainty;
  /** What its rule says of each of its dates. */
  readonly note: LocalText | null;
  /** Why the whole event is off; null where nobody says. */
  readonly reason: LocalText | null;
}

export interface RevisedDate {
  readonly occurrence: OccurrenceRecord;
  readonly revision: Revision;
}

/** A date of an event, with what is said of that very day. */
export function reviseDate(
  { id, day, span, certainty, note, reason }: DateTerms,
  event: RevisedEvent,
  change: EventFile['changes'][number] | undefined,
  { revisions }: Pick<Ledger, 'revisions'>,
  moment: Moment,
): RevisedDate {
  const status = toStatus(change?.status, event.revision, span);
  const why = status === 'scheduled' || change ? null : reason;
  const notes = change?.note ?? why ?? note;
  const digest = toDigest([event.text_digest, span, certainty, status, notes]);
  const toOld = (): string =>
    toOldDigest([toOldDigest(event.text), span, certainty, status, notes]);
  const revision = reviseKnown(revisions.get(id), digest, toOld, moment);
  const { updated_at, sequence } = revision;
  const occurrence = {
    id,
    event: event.id,
    start: formatTimestamp(span.time_known ? span.start_ms : startOfDayMs(day)),
    end: formatTimestamp(span.end_ms),
    ...span,
    ...{ certainty, status, notes, updated_at, sequence },
  };
  return { occurrence, revision };
}

/**
 * A cancelled or postponed event takes its future with it; what had ended by then took place
 * (contract 5.3).
 */
function toStatus(
  changed: 'cancelled' | 'postponed' | undefined,
  event: Revision,
  span: Span,
): OccurrenceStatus {
  if (changed) return changed;
  return event.status !== 'published' && span.end_ms > event.status_since_ms
    ? event.status
    : 'scheduled';
}
