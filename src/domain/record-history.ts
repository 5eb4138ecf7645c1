// What became of a thing since it was first published: when it came, when what it says last changed,
// when it went; and what that is to somebody who asks for the changes since a moment (contract 8.31).
import * as v from 'valibot';
import type { EventCard } from './agenda.ts';
import { EVENT_STATUSES } from './event/event.ts';
import { isLater } from './local-time.ts';
import type { NoticeRecord } from './notice.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { VenueRecord } from './venue.ts';

export const RECORD_KINDS = ['event', 'venue', 'organizer', 'notice'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** All moments are timestamps with the local offset. */
export const HistorySchema = v.object({
  id: v.string(),
  kind: v.picklist(RECORD_KINDS),
  /** Of all that an answer says of it, its dates and places too. */
  digest: v.string(),
  /** Since when it is there; again where it went and came back. */
  added_at: v.string(),
  /** When what people read of it last changed: its own `updated_at`. */
  said_at: v.string(),
  /** Of an event; everything else is published. */
  status: v.picklist(EVENT_STATUSES),
  status_at: v.string(),
  /** When anything at all of an answer last changed; nothing above is later. */
  changed_at: v.string(),
  is_gone: v.boolean(),
});
export interface RecordHistory extends Readonly<v.InferOutput<typeof HistorySchema>> {}

export type HistoriesById = ReadonlyMap<string, RecordHistory>;

/** What a release says of a thing, before it is laid beside what was known of it. */
export interface ReleasedState
  extends Pick<RecordHistory, 'id' | 'kind' | 'digest' | 'said_at' | 'status' | 'status_at'> {}

/**
 * What has become of a thing. `refreshed`: nothing that people read has changed, but further dates of
 * its rule, or the day on which somebody looked at its sources.
 */
export const CHANGE_LOG_KINDS = [
  'added',
  'changed',
  'cancelled',
  'postponed',
  'restored',
  'withdrawn',
  'refreshed',
] as const;
export type ChangeLogKind = (typeof CHANGE_LOG_KINDS)[number];

/** Where a reader of changes has got to: after this thing of this moment. */
export interface ChangeLogCursor {
  readonly changed_at: string;
  readonly id: string;
}

/** Behind every id of a moment. */
export const LAST_ID_OF_TIMESTAMP = '~';

const latest = (...moments: readonly string[]): string =>
  moments.reduce((last, moment) => (isLater(moment, last) ? moment : last));

/** The history after a release stamped `now`, of a thing that is in it. */
export function updateHistory(
  before: RecordHistory | undefined,
  standing: ReleasedState,
  now: string,
): RecordHistory {
  if (before === undefined || before.is_gone)
    return { ...standing, added_at: now, changed_at: now, is_gone: false };
  if (before.digest === standing.digest) return before;
  return { ...standing, added_at: before.added_at, changed_at: now, is_gone: false };
}

/**
 * The history of a thing that was published before histories were kept: only its last change is
 * known, so it counts as there since then.
 */
export const createHistory = (standing: ReleasedState): RecordHistory => ({
  ...standing,
  added_at: standing.said_at,
  changed_at: standing.said_at,
  is_gone: false,
});

/** The same of a thing that is not in the release. */
export const closeHistory = (before: RecordHistory, now: string): RecordHistory =>
  before.is_gone ? before : { ...before, digest: '', said_at: now, changed_at: now, is_gone: true };

/** What happened to a thing since a moment, and when; null where nothing did. */
export function findChangeSince(
  history: RecordHistory,
  since: string,
): { readonly change: ChangeLogKind; readonly at: string } | null {
  const { added_at, said_at, status, status_at, changed_at, is_gone } = history;
  if (!isLater(changed_at, since)) return null;
  if (is_gone) return { change: 'withdrawn', at: changed_at };
  if (isLater(added_at, since)) return { change: 'added', at: added_at };
  if (isLater(status_at, since))
    return { change: status === 'published' ? 'restored' : status, at: status_at };
  if (isLater(said_at, since)) return { change: 'changed', at: said_at };
  return { change: 'refreshed', at: changed_at };
}

/** When people were last told something of it: anything but a refreshment. */
export const lastReportedAt = ({
  added_at,
  said_at,
  status_at,
  changed_at,
  is_gone,
}: RecordHistory): string => (is_gone ? changed_at : latest(added_at, said_at, status_at));

export type ChangedRecord =
  | { readonly kind: 'event'; readonly card: EventCard }
  | { readonly kind: 'venue'; readonly record: VenueRecord }
  | { readonly kind: 'organizer'; readonly record: OrganizerRecord }
  | { readonly kind: 'notice'; readonly record: NoticeRecord };

export interface ChangeLogEntry {
  readonly id: string;
  readonly kind: RecordKind;
  readonly change: ChangeLogKind;
  /** When that happened, timestamp with offset. */
  readonly at: string;
  /** When anything of it last changed: where a reader of changes has got to. */
  readonly changed_at: string;
  /** Null where it is withdrawn: nothing is said of it any more. */
  readonly thing: ChangedRecord | null;
}
