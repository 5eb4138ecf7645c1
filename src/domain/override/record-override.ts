// An editor's version of a thing: it stands in place of what its source says, as a whole, until it is
// given back (contract 14.28–14.32).
import type { RecordKind } from '../record-history.ts';

/** The fields of a thing, whatever its kind. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** A thing as its source has it: a file of content, or what the desk let in. The places it names by id. */
export interface SourceRecord {
  readonly id: string;
  readonly kind: RecordKind;
  /** Path from the content folder, or `inbox/…` of what came through it. */
  readonly file: string;
  readonly record: RecordFields;
}

export interface RecordOverride {
  readonly kind: RecordKind;
  /** The id of a source: of a notice without the day that each of its notices has. */
  readonly thing: string;
  /** All fields that can be edited. */
  readonly record: RecordFields;
  /** What they said at the source when it was made. */
  readonly source: RecordFields;
}

/** The field by which a venue or an organizer is said to be another one, by its id. */
export const SAME_AS_FIELD = 'same_as';

/** As text, the same whatever the order of keys. */
const toComparable = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? '';

export const isDeepEqual = (a: unknown, b: unknown): boolean => toComparable(a) === toComparable(b);

/** The fields in which two records differ. */
export const listChangedFieldNames = (
  before: RecordFields,
  after: RecordFields,
): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isDeepEqual(before[field], after[field]),
  );
