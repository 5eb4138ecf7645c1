// What the desk says over an event, wherever it came from: its status, or that of one of its days
// (contract 5.2, 5.3).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { parseDay } from '../../domain/cancun-time.ts';
import type { RestingTown } from '../../domain/day/resting-rules.ts';
import { MAX_REASON } from '../../domain/decision.ts';
import { ChangeSchema, type EventFile } from '../content-schema.ts';
import type { ContentFile } from '../read-content.ts';
import { toEventDays } from '../rule-days.ts';
import { line, local, MAX } from '../schema-fields.ts';
import type { OpeningHours } from '../../domain/opening-hours.ts';

const day = v.pipe(
  v.string(),
  v.check((text) => parseDay(text) !== null, 'must be a day that exists'),
);

/**
 * For the whole event a status, or its withdrawal; for a day what content's `changes` say, or that
 * it takes place after all.
 */
export const OverrideSchema = v.union([
  v.strictObject({
    status: v.picklist(['published', 'cancelled', 'postponed']),
    /** Said to readers. */
    note: v.optional(local(line(MAX.summary))),
  }),
  v.strictObject({
    status: v.literal('withdrawn'),
    date: day,
    reason: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_REASON.log)),
  }),
  v.strictObject({ change: v.nullable(ChangeSchema) }),
]);
export type Override = v.InferOutput<typeof OverrideSchema>;

/**
 * An event file with what the desk says over it. A day on which it does not take place any more is
 * passed over; `hours` are those of its venue, null where they are not known.
 */
export function applyOverrides(
  source: ContentFile<EventFile>,
  overrides: readonly { readonly date: string; readonly override: Override }[],
  hours: OpeningHours | null,
  town: RestingTown,
  horizon: Temporal.PlainDate,
): ContentFile<EventFile> {
  const value = layOverrides(source.value, overrides);
  if (value === source.value) return source;
  const days = new Set(toEventDays(source, hours, town, horizon, []).flat().map(String));
  return { ...source, value: keepOwnDays(value, source.value, days) };
}

/** What of a file the desk can say otherwise. */
export type Overridden = Pick<EventFile, 'status' | 'status_note' | 'changes' | 'withdrawn'>;

/** The same with what the desk says, for the whole and for days; itself where it says nothing. */
export function layOverrides<T extends Overridden>(
  stated: T,
  overrides: readonly { readonly date: string; readonly override: Override }[],
): T {
  let value = stated;
  for (const { date, override } of overrides) {
    if ('change' in override) value = applyChange(value, date, override.change);
    else if (override.status === 'withdrawn')
      value = { ...value, withdrawn: { date: override.date, reason: override.reason } };
    else value = { ...value, status: override.status, status_note: override.note };
  }
  return value;
}

/** A file with the changes of days on which it takes place, and of `stated` ones. */
export function keepChanges(
  source: ContentFile<EventFile>,
  stated: ReadonlySet<string>,
  hours: OpeningHours | null,
  town: RestingTown,
  horizon: Temporal.PlainDate,
): ContentFile<EventFile> {
  const { value } = source;
  const days = new Set(toEventDays(source, hours, town, horizon, []).flat().map(String));
  const changes = value.changes.filter(({ date }) => days.has(date) || stated.has(date));
  return { ...source, value: { ...value, changes } };
}

/** Without changes of days that are neither its own nor stated. */
export function keepOwnDays<T extends Pick<Overridden, 'changes'>>(
  value: T,
  stated: Pick<Overridden, 'changes'>,
  days: ReadonlySet<string>,
): T {
  const known = new Set(stated.changes.map((change) => change.date));
  const changes = value.changes.filter(({ date }) => days.has(date) || known.has(date));
  return { ...value, changes };
}

function applyChange<T extends Pick<Overridden, 'changes'>>(
  value: T,
  date: string,
  change: EventFile['changes'][number] | null,
): T {
  const others = value.changes.filter((other) => other.date !== date);
  return { ...value, changes: change === null ? others : [...others, change] };
}

/** An override of the inbox; null where it is none that this version knows. */
export function parseOverride(record: unknown): Override | null {
  const result = v.safeParse(OverrideSchema, record);
  return result.success ? result.output : null;
}
