// The fields of a thing's form, and whether one of them was touched.
import type { FieldShape, GroupShape } from '../domain/edit/field-shape.ts';
import { readValue, toFields } from '../domain/edit/form.ts';
import type { HistoryKind } from '../domain/history.ts';
import { toDigest } from '../domain/digest.ts';
import { toThingShape } from '../sources/inbox/field-shape.ts';

/** What a field says, as the form can say it: to tell whether it was touched. */
export const toSeen = (shape: FieldShape, value: unknown, name: string): string =>
  toDigest(readValue(shape, toFields(shape, value, name), name) ?? null);

/** Every field of a kind of thing that the desk can change, in the order of the form. */
export const listFields = (kind: HistoryKind): GroupShape['fields'] => toThingShape(kind).fields;
