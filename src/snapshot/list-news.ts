// What changed last: events that are still ahead, and notices of these weeks.
import * as v from 'valibot';
import type { EventCard } from '../domain/agenda.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import { NoticeRecordSchema, readUpcomingCard } from './get-thing.ts';
import type { Snapshot } from './open.ts';

const DAY_MS = 86_400_000;
/** A notice is told a month before it begins and a week after its end. */
const NOTICE_DAYS = { ahead: 30, behind: 7 } as const;

/** The last changed first, then what comes soonest; at most `limit`. */
export function listNewEvents(
  snapshot: Snapshot,
  now_ms: number,
  limit: number,
): readonly EventCard[] {
  const positions = v.parse(
    v.array(v.number()),
    snapshot.db
      .prepare(
        `select e.position from events e join occurrences o on o.event = e.position and o.end_ms > ?
         group by e.position order by e.updated_at desc, min(o.start_ms), e.position limit ?`,
      )
      .pluck()
      .all(now_ms, limit),
  );
  return positions.map((position) => readUpcomingCard(snapshot, position, now_ms));
}

/** The last changed first, then what began last; at most `limit`. */
export function listNewNotices(
  snapshot: Snapshot,
  now_ms: number,
  limit: number,
): readonly NoticeRecord[] {
  return snapshot.db
    .prepare('select record from notices where start_ms < ? and (end_ms is null or end_ms > ?)')
    .pluck()
    .all(now_ms + NOTICE_DAYS.ahead * DAY_MS, now_ms - NOTICE_DAYS.behind * DAY_MS)
    .map((record) => v.parse(NoticeRecordSchema, JSON.parse(v.parse(v.string(), record))))
    .sort((a, b) =>
      a.updated_at === b.updated_at
        ? b.start_ms - a.start_ms || (a.id < b.id ? -1 : 1)
        : a.updated_at < b.updated_at
          ? 1
          : -1,
    )
    .slice(0, limit);
}
