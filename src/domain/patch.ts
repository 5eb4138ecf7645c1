// What the desk says over a source: fields of events, places, people and notices that are not as
// their file has them (contract 14.28–14.32).
import type { HistoryKind } from './history.ts';

/** One field of one thing. Undefined is a field that is not there. */
export interface Patch {
  readonly kind: HistoryKind;
  /** The id of a file: of a notice without the day that each of its notices has. */
  readonly thing: string;
  /** A field of the thing's file. */
  readonly field: string;
  readonly value: unknown;
  /** What the source said when it was made. */
  readonly source: unknown;
}

/** A thing as its file has it, before the desk's patches; the places it names by id. */
export interface SourceRecord {
  readonly id: string;
  readonly kind: HistoryKind;
  /** Path from the content folder, or `inbox/…` of what came through it. */
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The field by which a venue or an organizer is said to be another one, by its id. */
export const SAME_FIELD = 'same_as';

/** What a release tells the desk. */
export interface DeskBook {
  readonly sources: readonly SourceRecord[];
  /** What of the inbox could not be taken, and why. */
  readonly left_out: readonly string[];
  /** Patches that their source says by itself now: they end. */
  readonly ended: readonly Patch[];
  /** Timestamp. */
  readonly at: string;
}

/** As text, the same whatever the order of keys. */
const toComparable = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? '';

/** Whether two values of a field say the same. */
export const isSameValue = (a: unknown, b: unknown): boolean => toComparable(a) === toComparable(b);

/**
 * How a patch stands to what its source says now: over what it was made over, over the same as it
 * says itself, or over what somebody has changed meanwhile.
 */
export type PatchState = 'holds' | 'same' | 'conflict';

export function toPatchState({ value, source }: Patch, now: unknown): PatchState {
  if (isSameValue(value, now)) return 'same';
  return isSameValue(source, now) ? 'holds' : 'conflict';
}
