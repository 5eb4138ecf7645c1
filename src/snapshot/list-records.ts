// All things of a kind: what has a page, how every event stands, what is due to be looked at again, which of
// them letters tell of, and which serve as examples.
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

/** Every event, past ones too, in order of id, with when the first and the last of its dates start. */
export const listEvents = ({ index: { cards, dates } }: Snapshot) =>
  cards.map((card, position) => ({
    card,
    first_start: dates[position]?.at(0)?.start ?? null,
    last_start: dates[position]?.at(-1)?.start ?? null,
  }));

const StandingSchema = v.object({
  id: v.string(),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  updated_at: v.string(),
});

export type EventStatusRow = v.InferOutput<typeof StandingSchema>;

export function listEventStatuses({
  db,
}: Pick<Snapshot, 'db'>): ReadonlyMap<string, EventStatusRow> {
  const rows = v.parse(
    v.array(StandingSchema),
    db.prepare('select id, status, updated_at from events').all(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export const listOmittedRecords = ({ db }: Pick<Snapshot, 'db'>): readonly string[] =>
  v.parse(
    v.array(v.string()),
    db.prepare('select distinct line from left_out order by line').pluck().all(),
  );

export function listFactsDue({ db }: Snapshot, today: Temporal.PlainDate): FactsDue {
  const last = today.add({ days: DUE_LOOKAHEAD_DAYS }).toString();
  const sql = 'select record from due where day <= ?';
  return groupFactsDue(loadRecords(db, FactDueSchema, sql, last), today);
}

/** How many upcoming events are looked through for one with a venue and an organizer. */
const LOOKED_THROUGH = 50;

/** The first upcoming event that has everything, with the slugs of it. */
export function findApiExamples(snapshot: Snapshot, now_ms: number): ApiExamples {
  const filter = unfilteredEventFilter(floorToMinute(now_ms), LOOKED_THROUGH);
  const { cards, total } = findEvents(snapshot, filter, DEFAULT_LANG);
  const at_venue = cards.filter(({ venue }) => venue);
  const card = at_venue.find(({ organizer }) => organizer) ?? at_venue[0] ?? cards[0] ?? null;
  return {
    event: card?.event.slug[DEFAULT_LANG],
    venue: card?.venue?.slug[DEFAULT_LANG],
    organizer: card?.organizer?.slug[DEFAULT_LANG],
    ...{ card, total, generated_at: snapshot.generated_at },
  };
}

export const listStoredPictures = ({ index }: Snapshot): readonly string[] =>
  index.cards.flatMap(({ event: { image } }) => image?.held?.digest ?? []);

export const listMissingPictures = ({ index }: Snapshot): readonly string[] =>
  index.cards.flatMap(({ event: { image } }) => (image && !image.held ? image.url : []));

/** What letters ask of the agenda that serves. */
export interface ReleasedEvents {
  readonly generated_ms: number;
  readonly findSlug: (id: string) => LocalText | null;
  /** Those whose organizers are asked on a day, with the dates that they are asked about. */
  readonly listAsked: (day: Temporal.PlainDate) => readonly EventToConfirm[];
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
  listAsked: (day) =>
    cards.flatMap((card, position) => {
      const all = dates[position] ?? [];
      return isConfirmationDay(all, day) ? { card, dates: listDatesToConfirm(all, day) } : [];
    }),
});
