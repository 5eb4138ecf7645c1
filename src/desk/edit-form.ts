// The fields of a thing's form, and whether one of them was touched.
import type { FieldShape, GroupShape } from '../domain/edit/field-shape.ts';
import { type Fields, NO_WORD, readValue, toFields } from '../domain/edit/form.ts';
import type { HistoryKind } from '../domain/history.ts';
import { toDigest } from '../sources/identity.ts';
import { toThingShape } from '../sources/inbox/field-shape.ts';

/** What a field says, as the form can say it: to tell whether it was touched. */
export const toSeen = (shape: FieldShape, value: unknown, name: string): string =>
  toDigest(readValue(shape, toFields(shape, value, name), name) ?? null);

/** Every field of a kind of thing that the desk can change, in the order of the form. */
export const listFields = (kind: HistoryKind): GroupShape['fields'] => toThingShape(kind).fields;

/**
 * The fields that are changed where some of their controls say something else: `{ 'title.es': 'Feria' }`.
 * One that says more than a word is meant where a part of it is given.
 */
export function readChanges(
  kind: HistoryKind,
  record: Readonly<Record<string, unknown>>,
  given: Fields,
): Readonly<Record<string, unknown>> {
  const shapes = new Map(listFields(kind));
  const names = new Set(Object.keys(given).map((name) => name.split('.')[0] ?? ''));
  return Object.fromEntries(
    [...names].map((name) => {
      const shape = shapes.get(name);
      if (shape === undefined) return [name, given[name]];
      const is_part = shape.is === 'word' && given[name] === undefined;
      const before = toFields(shape, record[name], name);
      const fields = { ...before, ...(is_part ? { [name]: NO_WORD } : {}), ...given };
      return [name, readValue(shape, fields, name)];
    }),
  );
}
