// All things of a kind: what has a page, and how every event stands.
import * as v from 'valibot';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import { LocalTextSchema } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Snapshot } from './open.ts';
import {
  NoticeRecordSchema,
  OrganizerRecordSchema,
  readCard,
  readOccurrencesOf,
  VenueRecordSchema,
} from './get-thing.ts';

const readAll = <T extends v.GenericSchema>(
  snapshot: Snapshot,
  schema: T,
  sql: string,
): v.InferOutput<T>[] =>
  snapshot.db
    .prepare(sql)
    .pluck()
    .all()
    .map((record) => v.parse(schema, JSON.parse(v.parse(v.string(), record))));

const EventAddressRow = v.object({ id: v.string(), slug: v.string(), updated_at: v.string() });

/** What leads to an event, without reading all that it says. */
export type EventAddress = Pick<EventRecord, 'id' | 'slug' | 'updated_at'>;

/** Those of the events with an occurrence that ends after `now_ms`, in order of id. */
export const listUpcomingEvents = ({ db }: Snapshot, now_ms: number): readonly EventAddress[] =>
  v
    .parse(
      v.array(EventAddressRow),
      db
        .prepare(
          `select id, record -> '$.slug' as slug, updated_at from events
             where exists (select 1 from occurrences o where o.event = events.position and o.end_ms > ?) order by position`,
        )
        .all(now_ms),
    )
    .map(({ slug, ...row }) => ({ ...row, slug: v.parse(LocalTextSchema, JSON.parse(slug)) }));

export function listVenues(snapshot: Snapshot): readonly VenueRecord[] {
  return readAll(snapshot, VenueRecordSchema, 'select record from venues order by id');
}

export function listOrganizers(snapshot: Snapshot): readonly OrganizerRecord[] {
  return readAll(snapshot, OrganizerRecordSchema, 'select record from organizers order by id');
}

/** An event, with when the first and the last of its dates start; null where it has none. */
export interface ListedEvent {
  readonly card: ReturnType<typeof readCard>;
  readonly first_start: string | null;
  readonly last_start: string | null;
}

/** Every event, past ones too, in order of id. */
export function* listEvents(snapshot: Snapshot): Generator<ListedEvent> {
  const { index, occurrences_of } = snapshot;
  const { members, offsets } = occurrences_of;
  const toStart = (date: number | undefined) => (date === undefined ? null : index.start.at(date));
  for (let position = 0; position < snapshot.event_count; position += 1) {
    const dates = members.subarray(offsets[position], offsets[position + 1]);
    const [first_start, last_start] = [toStart(dates[0]), toStart(dates.at(-1))];
    yield { card: readCard(snapshot, position), first_start, last_start };
  }
}

/** Their dates, event by event, in order of time. */
export function* listOccurrences(snapshot: Snapshot): Generator<OccurrenceRecord> {
  for (let position = 0; position < snapshot.event_count; position += 1)
    yield* readOccurrencesOf(snapshot, position);
}

/** Every notice, in order of id. */
export const listNotices = (snapshot: Snapshot): readonly NoticeRecord[] =>
  readAll(snapshot, NoticeRecordSchema, 'select record from notices order by id');

/** First and last day on which anything takes place, as day numbers; null where there is nothing. */
export function readDaySpan(
  snapshot: Snapshot,
): { readonly first: number; readonly last: number } | null {
  const { first_day, last_day_so_far } = snapshot.index;
  const [first, last] = [first_day[0], last_day_so_far.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}

const StandingSchema = v.object({
  id: v.string(),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  updated_at: v.string(),
});

export type Standing = v.InferOutput<typeof StandingSchema>;

/** The ids of all events. */
export const listEventIds = ({ db }: Snapshot): readonly string[] =>
  v.parse(v.array(v.string()), db.prepare('select id from events').pluck().all());

/** Every event by id, past ones too. */
export function listStandings({ db }: Pick<Snapshot, 'db'>): ReadonlyMap<string, Standing> {
  const rows = v.parse(
    v.array(StandingSchema),
    db.prepare('select id, status, updated_at from events').all(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
