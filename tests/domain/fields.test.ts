// Field tables: stored and public schemas, serialized records, and basic field types.
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  CountSchema,
  DaySchema,
  internalField,
  localTextField,
  nullableLocalTextField,
  sameField,
  serializedField,
  serializeRecord,
  storedEntries,
  TimestampSchema,
  wireEntries,
} from '../../src/domain/fields.ts';

const FIELDS = {
  id: sameField(v.string()),
  title: localTextField(v.string()),
  note: nullableLocalTextField(),
  start_ms: internalField(v.number()),
  starts_at: serializedField(null, v.string()),
} as const;

test('internal fields are only stored, and computed ones only public', () => {
  expect(Object.keys(storedEntries(FIELDS))).toEqual(['id', 'title', 'note', 'start_ms']);
  expect(Object.keys(wireEntries(FIELDS))).toEqual(['id', 'title', 'note', 'starts_at']);
});

test('a record is serialized in one language and in table order', () => {
  const title = { es: 'Feria', en: 'Fair' };
  const record = { id: 'a', title, note: null, start_ms: 0 };
  const wire = serializeRecord(FIELDS, record, 'en', { starts_at: 'now' });
  expect(Object.entries(wire)).toEqual([
    ['id', 'a'],
    ['title', 'Fair'],
    ['note', null],
    ['starts_at', 'now'],
  ]);
});

test.each([
  [TimestampSchema, '2026-11-21T20:00:00-05:00', true],
  [TimestampSchema, '2026-11-21T20:00:00+09:00', false],
  [TimestampSchema, '2026-11-21T20:00:00Z', false],
  [TimestampSchema, '2026-11-21T20:00:00.5-05:00', false],
  [DaySchema, '2026-11-21', true],
  [DaySchema, '2026-13-21', false],
  [CountSchema, 0, true],
  [CountSchema, -1, false],
  [CountSchema, 0.5, false],
])('case %# is valid or not', (schema, value, expected) => {
  expect(v.is(schema, value)).toBe(expected);
});
