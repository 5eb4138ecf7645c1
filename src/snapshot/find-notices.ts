// The notices that touch a range of days (contract 8.8, 8.9).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { startOfDayMs } from '../domain/cancun-time.ts';
import { compareNotices, type NoticeRecord } from '../domain/notice.ts';
import type { Snapshot } from './open.ts';
import { readNotice } from './get-thing.ts';

/** Alert, warning, info, then newest. `to` is inclusive and `from` itself where it is left out. */
export function findNotices(
  snapshot: Snapshot,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate = from,
): readonly NoticeRecord[] {
  const until_ms = startOfDayMs(to.add({ days: 1 }));
  const ids = snapshot.db
    .prepare('select id from notices where start_ms < ? and (end_ms is null or end_ms > ?)')
    .pluck()
    .all(until_ms, startOfDayMs(from));
  return v
    .parse(v.array(v.string()), ids)
    .flatMap((id) => readNotice(snapshot, id) ?? [])
    .sort(compareNotices);
}
