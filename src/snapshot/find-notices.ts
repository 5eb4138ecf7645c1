// The notices that touch a range of days (contract 8.8, 8.9).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { startOfDayMs } from '../domain/cancun-time.ts';
import { compareNotices, type NoticeRecord } from '../domain/notice.ts';
import type { Snapshot } from './open.ts';
import { NoticeRecordSchema } from './get-thing.ts';

/** The notice with this id, in force or not; null where there is none. */
export function getNotice(snapshot: Snapshot, id: string): NoticeRecord | null {
  const record: unknown = snapshot.db
    .prepare('select record from notices where id = ?')
    .pluck()
    .get(id);
  return record === undefined
    ? null
    : v.parse(NoticeRecordSchema, JSON.parse(v.parse(v.string(), record)));
}

/** Alert, warning, info, then newest. `to` is inclusive and `from` itself where it is left out. */
export function findNotices(
  snapshot: Snapshot,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate = from,
): readonly NoticeRecord[] {
  const until_ms = startOfDayMs(to.add({ days: 1 }));
  return snapshot.db
    .prepare('select record from notices where start_ms < ? and (end_ms is null or end_ms > ?)')
    .pluck()
    .all(until_ms, startOfDayMs(from))
    .map((record) => v.parse(NoticeRecordSchema, JSON.parse(v.parse(v.string(), record))))
    .sort(compareNotices);
}
