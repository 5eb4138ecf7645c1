// A date keeps its id over a change of its hour on the same day (contract 5.6).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignIds, listDateIds } from '../../../src/domain/event/occurrences.ts';

const EVENT = 'ev_a';
const toId = (start: string): string => `${EVENT}-${start}`;
/** `21 21T2000`: days of a month, all day or with an hour. */
const toIds = (starts: string): string[] =>
  starts.split(' ').flatMap((start) => (start === '' ? [] : [toId(`202611${start}`)]));

test.each([
  ['a first release', '', '21T1830 22T1830', '21T1830 22T1830'],
  ['nothing', '21T1830', '21T1830', '21T1830'],
  ['another hour', '21T1830', '21T1900', '21T1830'],
  ['an hour that is known now', '21', '21T2000', '21'],
  ['an hour that is not known any more', '21T2000', '21', '21T2000'],
  ['another day', '21T1830', '22T1830', '22T1830'],
  ['a second date of the day, earlier', '21T1830', '21T1200 21T1830', '21T1200 21T1830'],
  ['a second date, and the first one later', '21T1830', '21T1900 21T2200', '21T1830 21T2200'],
  ['two dates, one of them later', '21T1200 21T1830', '21T1200 21T1900', '21T1200 21T1830'],
  ['two dates, both later', '21T1200 21T1830', '21T1230 21T1900', '21T1200 21T1830'],
  [
    'two dates, one at the hour of the other',
    '21T1800 21T2000',
    '21T2000 21T2200',
    '21T2000 21T1800',
  ],
  ['two dates, one fewer', '21T1200 21T1830', '21T1900', '21T1200'],
  ['two dates, one fewer, the other as it was', '21T1200 21T1830', '21T1830', '21T1830'],
  ['a third date', '21T1200 21T1830', '21T1200 21T1830 21T2300', '21T1200 21T1830 21T2300'],
  ['all day beside an hour', '21 21T1830', '21 21T1900', '21 21T1830'],
  ['another hour on one day of two', '21T1830 22T1830', '21T1830 22T1900', '21T1830 22T1830'],
])('after %s', (_, published, starts, expected) => {
  const ids = assignIds(toIds(starts), toIds(published));
  expect(toIds(starts).map((start) => ids.get(start))).toEqual(toIds(expected));
});

const starts = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom('20', '21', '22'),
      fc.constantFrom('', 'T09', 'T12', 'T18', 'T20', 'T23'),
    )
    .map(([day, hour]) => toId(`202611${day}${hour === '' ? '' : `${hour}30`}`)),
  { maxLength: 12 },
);

/** The same as people would do it: one day after the other, one date after the other. */
function assignByHand(first_ids: readonly string[], published: readonly string[]) {
  const ids = new Map<string, string>();
  for (const day of ['20', '21', '22']) {
    const isOfDay = (id: string): boolean => id.slice(0, 13) === toId(`202611${day}`);
    let left = published.filter(isOfDay).sort();
    const open: string[] = [];
    for (const id of first_ids.filter(isOfDay).sort())
      if (left.includes(id)) {
        ids.set(id, id);
        left = left.filter((other) => other !== id);
      } else open.push(id);
    for (const id of open) {
      const [next = id, ...rest] = left;
      ids.set(id, next);
      left = rest;
    }
  }
  return ids;
}

test('ids are those that a plain count gives, each once, on their day, and the same again', () => {
  fc.assert(
    fc.property(starts, starts, (first_ids, published) => {
      const ids = assignIds(first_ids, published);
      expect(new Map([...ids].sort())).toEqual(
        new Map([...assignByHand(first_ids, published)].sort()),
      );
      expect(new Set(ids.values()).size).toBe(first_ids.length);
      for (const [start, id] of ids) expect(id.slice(0, 13)).toBe(start.slice(0, 13));
      const next = [...new Set([...published, ...ids.values()])];
      expect(assignIds(first_ids.toReversed(), next.toReversed())).toEqual(ids);
    }),
    { numRuns: 2_000 },
  );
});

test('only the dates of the event itself are its own', () => {
  const ids = ['ev_a', 'ev_a-20261121', 'ev_ab-20261121', 'no_a-20261121', 've_a'];
  const ledger = new Map(ids.map((id) => [id, id]));
  expect(listDateIds(ledger, 'ev_a')).toEqual(['ev_a-20261121']);
  expect(listDateIds(ledger, 'ev_c')).toEqual([]);
});
