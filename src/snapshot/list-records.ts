// Record lists: list all records of a kind, event statuses, facts due for review, omitted records,
// events for emails and for API examples.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ApiExamples } from '../domain/docs-pages.ts';
import { floorToMinute } from '../domain/local-time.ts';
import { unfilteredEventFilter } from '../domain/query/event-query.ts';
import { isConfirmationDay, listDatesToConfirm } from '../domain/event/confirmation-schedule.ts';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import {
  DUE_LOOKAHEAD_DAYS,
  FactDueSchema,
  type FactsDue,
  groupFactsDue,
} from '../domain/fact-freshness.ts';
import { DEFAULT_LANG, type LocalText } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { findEvents } from './find-events.ts';
import { loadRecords, type Snapshot, type StoredCard } from './open-snapshot.ts';

/** Lists the events with an occurrence that has not ended, in order of id. */
export const listUpcomingEvents = (
  { index: { cards, dates } }: Snapshot,
  now_ms: number,
): readonly EventRecord[] =>
  cards
    .filter((_, position) => dates[position]?.some(({ end_ms }) => end_ms > now_ms))
    .map(({ event }) => event);

export const listVenues = ({ venues }: Snapshot): readonly VenueRecord[] => [...venues.values()];

export const listOrganizers = ({ organizers }: Snapshot): readonly OrganizerRecord[] => [
  ...organizers.values(),
];

/** Lists all events, also past ones, by id, with the starts of their first and last date. */
export const listEvents = ({ index: { cards, dates } }: Snapshot) =>
  cards.map((card, position) => ({
    card,
    first_start: dates[position]?.at(0)?.start ?? null,
    last_start: dates[position]?.at(-1)?.start ?? null,
  }));

const EventStatusRowSchema = v.object({
  id: v.string(),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  updated_at: v.string(),
  /** End of its last date, in epoch ms; 0 without dates. */
  last_end_ms: v.number(),
  /** 1 if its sources are too old for further dates. */
  is_outdated: v.number(),
});

export type EventStatusRow = v.InferOutput<typeof EventStatusRowSchema>;

/** Lists the status of every event by its id. */
export function listEventStatuses({
  db,
}: Pick<Snapshot, 'db'>): ReadonlyMap<string, EventStatusRow> {
  const rows = v.parse(
    v.array(EventStatusRowSchema),
    db
      .prepare(
        `select id, status, updated_at, record ->> '$.certainty' = 'last_known' as is_outdated,
          coalesce((select max(end_ms) from occurrences where event = events.position), 0) as last_end_ms
        from events`,
      )
      .all(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Lists one line, with the reason, for each inbox record that the build had to omit. */
export const listOmittedRecords = ({ db }: Pick<Snapshot, 'db'>): readonly string[] =>
  v.parse(
    v.array(v.string()),
    db.prepare('select distinct line from left_out order by line').pluck().all(),
  );

/** Lists the facts that editors must review: their source is, or soon will be, too old. */
export function listFactsDue({ db }: Snapshot, today: Temporal.PlainDate): FactsDue {
  const last_day = today.add({ days: DUE_LOOKAHEAD_DAYS }).toString();
  const sql = 'select record from due where day <= ?';
  return groupFactsDue(loadRecords(db, FactDueSchema, sql, last_day), today);
}

/** Number of upcoming events among which findApiExamples searches. */
const MAX_EXAMPLE_CANDIDATES = 50;

/**
 * Finds real examples for the API documentation: the first upcoming event, preferably with a venue
 * and an organizer, the slugs of all three, and the id of a notice.
 */
export function findApiExamples(snapshot: Snapshot, now_ms: number): ApiExamples {
  const filter = unfilteredEventFilter(floorToMinute(now_ms), MAX_EXAMPLE_CANDIDATES);
  const { cards, total } = findEvents(snapshot, filter, DEFAULT_LANG);
  const with_venue = cards.filter(({ venue }) => venue);
  const card = with_venue.find(({ organizer }) => organizer) ?? with_venue[0] ?? cards[0] ?? null;
  return {
    event: card?.event.slug[DEFAULT_LANG],
    venue: card?.venue?.slug[DEFAULT_LANG],
    organizer: card?.organizer?.slug[DEFAULT_LANG],
    notice: snapshot.notices.keys().next().value,
    ...{ card, total, generated_at: snapshot.generated_at },
  };
}

/** Lists the digests of the event pictures that are stored. */
export const listStoredPictures = ({ index }: Snapshot): readonly string[] =>
  index.cards.flatMap(({ event: { image } }) => image?.held?.digest ?? []);

/** Lists the URLs of event pictures that are not stored yet. */
export const listMissingPictures = ({ index }: Snapshot): readonly string[] =>
  index.cards.flatMap(({ event: { image } }) => (image && !image.held ? image.url : []));

/** Queries of the live release that emails need. */
export interface ReleasedEvents {
  readonly generated_ms: number;
  /** Finds the slugs of an event by its id. */
  readonly findSlug: (id: string) => LocalText | null;
  /** Lists the events to confirm on a day, with the dates to ask the organizer about. */
  readonly listEventsToConfirm: (day: Temporal.PlainDate) => readonly EventToConfirm[];
}
export interface EventToConfirm {
  readonly card: StoredCard;
  readonly dates: readonly OccurrenceRecord[];
}

export const createReleasedEvents = ({
  generated_ms,
  index: { cards, positions, dates },
}: Snapshot): ReleasedEvents => ({
  generated_ms,
  findSlug: (id) => cards[positions.get(id) ?? -1]?.event.slug ?? null,
  listEventsToConfirm: (day) =>
    cards.flatMap((card, position) => {
      const event_dates = dates[position] ?? [];
      return isConfirmationDay(event_dates, day)
        ? { card, dates: listDatesToConfirm(event_dates, day) }
        : [];
    }),
});
