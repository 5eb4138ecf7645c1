// What a status decision is laid over where the files are not at hand: of each event the status and
// the days that its file states, and what its digest is made of beside its record. It lies in the
// snapshot, so a release can be amended from itself.
import * as v from 'valibot';
import { EVENT_STATUSES } from '../domain/event/fields.ts';
import { LocalTextSchema } from '../domain/lang.ts';
import { ChangeSchema, type EventFile } from './content-schema.ts';

export const EventBasisSchema = v.object({
  /** As the file states them, before the desk. */
  status: v.picklist(EVENT_STATUSES),
  status_note: v.optional(LocalTextSchema),
  changes: v.array(ChangeSchema),
  /** Days of the desk's that were its own, though it has no date on them any more. */
  decided: v.array(v.string()),
  /** Its rules, and what is told with it of venue and organizer: only to be digested again. */
  when: v.array(v.record(v.string(), v.unknown())),
  about: v.pipe(v.tuple([v.unknown(), v.unknown()]), v.readonly()),
  /** The picture as the file has it, before it is fetched. */
  image: v.unknown(),
  /** By occurrence the position of the rule that gives it, where that is not the first. */
  rules: v.record(v.string(), v.number()),
});
export type EventBasis = v.InferOutput<typeof EventBasisSchema>;

/** The part that no decision touches. */
export type FileBasis = Omit<EventBasis, 'status' | 'status_note' | 'changes' | 'decided'>;

/** Status and days of an event before the desk said anything. */
export type StatedStatus = Pick<EventFile, 'status' | 'status_note' | 'changes'>;

const NOTHING_STATED: StatedStatus = { status: 'published', changes: [] };

/** As the snapshot holds it. `said`: the file with what the desk says over it. */
export function toBasisText(
  basis: FileBasis,
  stated: StatedStatus = NOTHING_STATED,
  said: Pick<EventFile, 'changes'> = stated,
): string {
  const { status, status_note, changes } = stated;
  const known = new Set(changes.map(({ date }) => date));
  const decided = said.changes.flatMap(({ date }) => (known.has(date) ? [] : [date]));
  return JSON.stringify({ status, status_note, changes, decided, ...basis } satisfies EventBasis);
}
