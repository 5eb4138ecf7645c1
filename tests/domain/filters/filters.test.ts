// The table of the filters: names that mean one thing, and no more flags than an event has bits.
import { expect, test } from 'vitest';
import {
  EVENT_FILTERS,
  EVENT_PARAMETERS,
  FILTERS,
  FLAG_FILTERS,
} from '../../../src/domain/filters/filters.ts';
import { findNearName } from '../../../src/domain/filters/near-names.ts';
import { fold } from '../../../src/domain/folding.ts';

test('no name, official or of habit, means two parameters', () => {
  const names = EVENT_PARAMETERS.flatMap(({ name, other_names }) => [name, ...other_names]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.map(fold)).toEqual(names);
});

test('every name of habit leads to its parameter', () => {
  const known = EVENT_PARAMETERS.map(({ name }) => name);
  for (const { name, other_names } of EVENT_PARAMETERS)
    for (const other of other_names) expect(findNearName(other, known), other).toBe(name);
});

test('every filter of events is part of a query, and leaves nothing out where it is off', () => {
  for (const filter of EVENT_FILTERS) expect(FILTERS).toContain(filter);
  expect(FLAG_FILTERS.length).toBeLessThanOrEqual(8);
});
