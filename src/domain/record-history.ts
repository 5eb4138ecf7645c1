// Record history: tracks when a record was added, last changed or removed, and derives its change
// since a given time for the change log (contract 8.31).
import * as v from 'valibot';
import type { EventCard } from './agenda.ts';
import { EVENT_STATUSES, OCCURRENCE_STATUSES, type OccurrenceRecord } from './event/event.ts';
import { isLater } from './local-time.ts';
import type { NoticeRecord } from './notice.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { VenueRecord } from './venue.ts';

export const RECORD_KINDS = ['event', 'venue', 'organizer', 'notice'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** All moments are timestamps with the local offset. */
export const HistorySchema = v.object({
  /** Id and kind of the record. */
  id: v.string(),
  kind: v.picklist(RECORD_KINDS),
  /** Digest of its whole public form, including dates and related venues. */
  digest: v.string(),
  /** Time of publication; renewed if it was removed and came back. */
  added_at: v.string(),
  /** `said_at`: time of the last change of a visible text, the record's `updated_at`. */
  said_at: v.string(),
  /** Event status; always `published` for other records. */
  status: v.picklist(EVENT_STATUSES),
  /** Time of the last change of `status`. */
  status_at: v.string(),
  /** Time of the last change of any kind; never earlier than the times above. */
  changed_at: v.string(),
  /** True if the record is not in the current release. */
  is_gone: v.boolean(),
  /**
   * Dates of an event that were called off by themselves, each with its status and the time of its
   * last change; `scheduled` if it was restored. Absent in histories of older versions.
   */
  dates: v.optional(
    v.array(v.object({ id: v.string(), status: v.picklist(OCCURRENCE_STATUSES), at: v.string() })),
  ),
});
export interface RecordHistory extends Readonly<v.InferOutput<typeof HistorySchema>> {}

export type HistoriesById = ReadonlyMap<string, RecordHistory>;

/** State of a record in a release, before it is merged with its history. */
export interface ReleasedState
  extends Pick<RecordHistory, 'id' | 'kind' | 'digest' | 'said_at' | 'status' | 'status_at'> {
  /** All dates of an event; empty for other records. */
  readonly dates: readonly Pick<OccurrenceRecord, 'id' | 'status'>[];
}

/**
 * Kinds of change in the change log. `restored`: published again after a cancellation or
 * postponement; `withdrawn`: removed from the agenda; `refreshed`: no visible text has changed,
 * only further dates of its recurrence, or the day on which its sources were checked.
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

/** Position in the change log, which is sorted by time and id: after this record of this time. */
export interface ChangeLogCursor {
  readonly changed_at: string;
  readonly id: string;
}

/** Sorts after every id of the same time. */
export const LAST_ID_OF_TIMESTAMP = '~';

const latest = (...moments: readonly string[]): string =>
  moments.reduce((last, moment) => (isLater(moment, last) ? moment : last));

type DateHistory = NonNullable<RecordHistory['dates']>;

/**
 * Updates the status of the dates that are or were called off; `at` is the time of new changes. A
 * status of the whole event is not one of its dates.
 */
function updateDates(before: DateHistory, state: ReleasedState, at: string): DateHistory {
  if (state.status !== 'published') return before;
  const before_by_id = new Map(before.map((date) => [date.id, date]));
  return state.dates.flatMap(({ id, status }) => {
    const known = before_by_id.get(id);
    if (known?.status === status) return [known];
    return known || status !== 'scheduled' ? [{ id, status, at }] : [];
  });
}

/** Returns the history of a record that is part of the release stamped `now`. */
export function updateHistory(
  before: RecordHistory | undefined,
  state: ReleasedState,
  now: string,
): RecordHistory {
  if (before === undefined || before.is_gone)
    return {
      ...state,
      ...{ added_at: now, changed_at: now, is_gone: false },
      dates: updateDates([], state, now),
    };
  const { added_at, said_at, dates } = before;
  if (before.digest !== state.digest)
    return {
      ...state,
      ...{ added_at, changed_at: now, is_gone: false },
      dates: updateDates(dates ?? [], state, now),
    };
  // An older version did not record the dates: they changed at the latest with the last change.
  const first_dates = dates === undefined ? updateDates([], state, said_at) : [];
  return first_dates.length === 0 ? before : { ...before, dates: first_dates };
}

/**
 * Creates the history of a record published before histories existed: its last change is the only
 * known one and counts as the time of publication.
 */
export const createHistory = (state: ReleasedState): RecordHistory => ({
  ...state,
  added_at: state.said_at,
  changed_at: state.said_at,
  is_gone: false,
  dates: updateDates([], state, state.said_at),
});

/** Marks a history as gone, because the release stamped `now` does not have the record. */
export const closeHistory = (before: RecordHistory, now: string): RecordHistory =>
  before.is_gone ? before : { ...before, digest: '', said_at: now, changed_at: now, is_gone: true };

/** The most important change of a record. */
interface RecordChange {
  readonly change: ChangeLogKind;
  readonly at: string;
  /** Ids of the dates that it is about; empty if it is about the whole record. */
  readonly dates: readonly string[];
}

/**
 * Finds the most important change of a record since a time, and when it happened. Cancelled and
 * postponed come before added (contract 4.18).
 */
export function findChangeSince(history: RecordHistory, since: string): RecordChange | null {
  const { added_at, said_at, status, status_at, changed_at, is_gone, dates = [] } = history;
  if (!isLater(changed_at, since)) return null;
  if (is_gone) return { change: 'withdrawn', at: changed_at, dates: [] };
  const is_new = isLater(added_at, since);
  if (status !== 'published' && (is_new || isLater(status_at, since)))
    return { change: status, at: is_new ? latest(added_at, status_at) : status_at, dates: [] };
  const changed_dates = dates.filter(({ at }) => isLater(at, since));
  const called_off = changed_dates.filter((date) => date.status !== 'scheduled');
  if (called_off.length > 0 && status === 'published') {
    const is_cancelled = called_off.some((date) => date.status === 'cancelled');
    return describeDates(is_cancelled ? 'cancelled' : 'postponed', called_off);
  }
  if (isLater(status_at, is_new ? added_at : since))
    return { change: 'restored', at: status_at, dates: [] };
  if (changed_dates.length > 0) return describeDates('restored', changed_dates);
  if (is_new) return { change: 'added', at: added_at, dates: [] };
  if (isLater(said_at, since)) return { change: 'changed', at: said_at, dates: [] };
  return { change: 'refreshed', at: changed_at, dates: [] };
}

const describeDates = (change: ChangeLogKind, dates: DateHistory): RecordChange => ({
  change,
  at: latest(...dates.map(({ at }) => at)),
  dates: dates.map(({ id }) => id),
});

/** Returns the time of the last change that a visitor can notice, so any but `refreshed`. */
export const lastReportedAt = ({
  added_at,
  said_at,
  status_at,
  changed_at,
  is_gone,
  dates = [],
}: RecordHistory): string =>
  is_gone ? changed_at : latest(added_at, said_at, status_at, ...dates.map(({ at }) => at));

/**
 * The current record of a change log entry; an event as its card, since the public form needs it.
 */
export type ChangedRecord =
  | { readonly kind: 'event'; readonly card: EventCard }
  | { readonly kind: 'venue'; readonly record: VenueRecord }
  | { readonly kind: 'organizer'; readonly record: OrganizerRecord }
  | { readonly kind: 'notice'; readonly record: NoticeRecord };

/** One line of the change log: the most important change of a record since the requested time. */
export interface ChangeLogEntry {
  readonly id: string;
  readonly kind: RecordKind;
  readonly change: ChangeLogKind;
  /** Time of this change, timestamp with offset. */
  readonly at: string;
  /** Time of its last change of any kind: its position in the change log. */
  readonly changed_at: string;
  /** Dates of the event that it is about; empty if it is about the whole record. */
  readonly dates: readonly OccurrenceRecord[];
  /** Coming dates of an event that is called off as a whole; otherwise empty. */
  readonly coming: readonly OccurrenceRecord[];
  /** `thing`: the record itself; null if it is withdrawn. */
  readonly thing: ChangedRecord | null;
}
