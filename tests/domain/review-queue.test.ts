// The order of the queue: urgency, the doubtful after the clear, then day or age; narrowed by words.
import { describe, expect, test } from 'vitest';
import {
  searchQueue,
  sortQueue,
  assignUrgency,
  type PendingItem,
} from '../../src/domain/review-queue.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const WAITING: PendingItem = {
  reference: 'HC-222222',
  kind: 'new',
  title: 'Noche',
  words: [],
  venue: null,
  place: null,
  starts: ['2026-12-24T20:00'],
  end: null,
  channel: 'form',
  received_at: '2026-11-20T10:00:00-05:00',
  is_doubtful: false,
  batch: null,
};
const toItem = (changed: Partial<PendingItem>) =>
  assignUrgency({ ...WAITING, ...changed }, FRIDAY_NOON_MS);

describe('an item', () => {
  test.each<[Partial<PendingItem>, group: string]>([
    [{ kind: 'request', starts: [] }, 'urgent'],
    [{ starts: ['2026-11-22T11:59'] }, 'soon'],
    [{ starts: ['2026-11-22T12:01'] }, 'waiting'],
    [{ starts: ['2026-11-20'] }, 'soon'],
    [{ starts: ['2026-11-20T11:00'] }, 'waiting'],
    [{ starts: ['2026-11-20T11:00'], end: '2026-11-20T13:00' }, 'soon'],
    [{ starts: ['2026-11-13T20:00', '2026-11-21T20:00'] }, 'soon'],
  ])('of %j is %s', (changed, group) => {
    expect(toItem(changed).group).toBe(group);
  });
  test('is not doubtful where it bears the token of something published', () => {
    const kinds = ['request', 'change', 'new', 'batch', 'report'] as const;
    const doubtful = kinds.filter((kind) => toItem({ kind, is_doubtful: true }).is_doubtful);
    expect(doubtful).toEqual(['new', 'batch', 'report']);
  });
  test('has the next of its days, else the last', () => {
    expect(toItem({ starts: ['2026-11-13', '2026-11-27', '2026-12-04'] }).day).toBe('2026-11-27');
    expect(toItem({ starts: ['2026-11-13', '2026-11-06'] }).day).toBe('2026-11-13');
  });
});

test.each([
  ['', 'CANCEL SOON HASTE OLD NEW LATE'],
  ['NANDU', 'CANCEL'],
  ['zocalo noche', 'SOON'],
])('the queue for %j is %s', (q, references) => {
  const queue = [
    toItem({ reference: 'OLD', received_at: '2026-11-01' }),
    toItem({ reference: 'NEW', place: 'Ábaco', starts: ['2026-12-01'] }),
    toItem({ reference: 'SOON', starts: ['2026-11-21T20:00'], place: 'Zócalo' }),
    toItem({ reference: 'CANCEL', kind: 'request', title: 'Feria del Ñandú' }),
    toItem({ reference: 'LATE', is_doubtful: true, received_at: '2026-10-01' }),
    toItem({ reference: 'HASTE', is_doubtful: true, starts: ['2026-11-21T19:00'] }),
  ];
  const found = sortQueue(searchQueue(queue, q)).map(({ reference }) => reference);
  expect(found.join(' ')).toBe(references);
});
