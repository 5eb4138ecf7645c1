// A status decision laid over an event as a snapshot holds it, without its file: the same record,
// dates, revisions and history that a whole build makes of both.
import * as v from 'valibot';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { EVENT_STATUSES } from '../domain/event/fields.ts';
import { fromDayNumber } from '../domain/cancun-time.ts';
import { type LocalText, LocalTextSchema } from '../domain/lang.ts';
import type { Standing } from '../domain/history.ts';
import type { Ledger, Moment, Revision } from '../domain/ledger.ts';
import { type EventBasis, EventBasisSchema, toBasisText } from './event-basis.ts';
import { keepOwnDays, layOverrides, type Override, type Overridden } from './inbox/override.ts';
import { reviseDate, reviseEvent } from './revise-event.ts';
import { toEventStanding } from './to-histories.ts';

/** An event of a snapshot, its records as JSON. */
export interface HeldEvent {
  readonly record: string;
  readonly basis: string;
  /** In their order. */
  readonly occurrences: readonly OccurrenceRecord[];
}

/** The same after the decisions. */
export interface AmendedEvent extends HeldEvent {
  readonly id: string;
  readonly status: (typeof EVENT_STATUSES)[number];
  readonly updated_at: string;
  readonly revisions: ReadonlyMap<string, Revision>;
  readonly standing: Standing;
}

/** What is read of a record; it holds more, in an order that its digest is made of. */
const RecordSchema = v.record(v.string(), v.unknown());
const KnownSchema = v.looseObject({
  id: v.string(),
  updated_at: v.string(),
  status: v.picklist(EVENT_STATUSES),
  category: v.nullable(v.string()),
  zone: v.nullable(v.string()),
  venue: v.nullable(v.string()),
  organizer: v.nullable(v.string()),
});

/**
 * The event with exactly these decisions over what its file states; null where it is withdrawn.
 * `around`: the digest of its category, zone, venue or organizer, empty for none.
 */
export function amendEvent(
  held: HeldEvent,
  overrides: readonly { readonly date: string; readonly override: Override }[],
  ledger: Pick<Ledger, 'revisions'>,
  moment: Moment,
  around: (key: string | null) => string,
): AmendedEvent | null {
  const before = v.parse(RecordSchema, JSON.parse(held.record));
  const basis = v.parse(EventBasisSchema, JSON.parse(held.basis));
  const value = toValue(held.occurrences, basis, overrides);
  if (value.withdrawn !== undefined) return null;
  const { updated_at: _, source_published: __, source_checked: ___, ...known } = before;
  const { when, about, image } = basis;
  const draft = { ...known, status: value.status, image };
  const told = value.status_note ? [value.status_note] : [];
  const terms = { draft, when, changes: value.changes, about: [...about, ...told] };
  const event = reviseEvent(String(before.id), value.status, terms, ledger, moment);
  const { updated_at } = event.revision;
  const record = { ...before, status: value.status, updated_at };
  if (!v.is(KnownSchema, record)) throw new Error(`The record of ${event.id} is none of an event`);
  const changes = new Map(value.changes.map((change) => [change.date, change]));
  const dates = held.occurrences.map((occurrence) => {
    const day = fromDayNumber(occurrence.first_day);
    const date = { ...toDate(occurrence, basis), day, reason: value.status_note ?? null };
    return reviseDate(date, event, changes.get(day.toString()), ledger, moment);
  });
  const revisions = new Map([
    [event.id, event.revision] as const,
    ...dates.map(({ occurrence, revision }) => [occurrence.id, revision] as const),
  ]);
  const ids = held.occurrences.map(({ id }) => id);
  return {
    ...{ id: event.id, status: value.status, updated_at, revisions },
    record: JSON.stringify(record),
    basis: toBasisText({ when, about, image, rules: basis.rules }, basis, value),
    occurrences: dates.map(({ occurrence }) => occurrence),
    standing: toEventStanding(record, revisions, ids, around),
  };
}

function toValue(
  occurrences: readonly OccurrenceRecord[],
  basis: EventBasis,
  overrides: readonly { readonly date: string; readonly override: Override }[],
): Overridden {
  const { status, status_note, changes } = basis;
  const stated: Overridden = { status, status_note, changes };
  const value = layOverrides(stated, overrides);
  if (value === stated) return stated;
  const days = occurrences.map(({ first_day }) => fromDayNumber(first_day).toString());
  return keepOwnDays(value, stated, new Set([...days, ...basis.decided]));
}

/** A date as its rule gave it; the order of a span's parts is that of domain/event/occurrences.ts. */
function toDate(occurrence: OccurrenceRecord, { when, rules }: EventBasis) {
  const { id, certainty, start_ms, end_ms, first_day, last_day } = occurrence;
  const { all_day, time_known, end_known } = occurrence;
  const span = { start_ms, end_ms, first_day, last_day, all_day, time_known, end_known };
  return { id, certainty, span, note: toNote(when[rules[id] ?? 0]?.note) };
}

const toNote = (note: unknown): LocalText | null =>
  note === undefined ? null : v.parse(LocalTextSchema, note);
