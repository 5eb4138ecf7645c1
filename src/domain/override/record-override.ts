// Record override: an editor's version of a record, which replaces the source's version as a whole
// until an editor reverts it (contract 14.28–14.32).
import type { RecordKind } from '../record-history.ts';

/** Fields of a record of any kind. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** A record as in its source: a content file or an approved submission. Related records by id. */
export interface SourceRecord {
  readonly id: string;
  readonly kind: RecordKind;
  /** Path from the content folder, or `inbox/…` for records from the inbox. */
  readonly file: string;
  readonly record: RecordFields;
}

/** A stored override. */
export interface RecordOverride {
  readonly kind: RecordKind;
  /** `thing`: the record id; for a notice, without the day suffix of its single notices. */
  readonly thing: string;
  /** The editor's values of all editable fields. */
  readonly record: RecordFields;
  /**
   * `source`: the source's values of these fields when the override was stored, to detect later
   * changes.
   */
  readonly source: RecordFields;
}

/** Field that marks a venue or organizer as a duplicate of another one, by id. */
export const SAME_AS_FIELD = 'same_as';

/** Serializes a value independently of key order. */
const stringifySorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? '';

/** Compares two JSON values, independently of key order. */
export const isDeepEqual = (a: unknown, b: unknown): boolean =>
  stringifySorted(a) === stringifySorted(b);

/** Lists the fields in which two records differ. */
export const listChangedFieldNames = (
  before: RecordFields,
  after: RecordFields,
): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isDeepEqual(before[field], after[field]),
  );
