// Review queue: sorts by urgency, flagged items last, then by day or age; searches by words.
import { describe, expect, test } from 'vitest';
import {
  searchQueue,
  sortQueue,
  assignUrgency,
  type PendingItem,
} from '../../src/domain/review-queue.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const PENDING_ITEM: PendingItem = {
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
const createItem = (changes: Partial<PendingItem>) =>
  assignUrgency({ ...PENDING_ITEM, ...changes }, FRIDAY_NOON_MS);

describe('assignUrgency', () => {
  test.each<[Partial<PendingItem>, group: string]>([
    [{ kind: 'request', starts: [] }, 'urgent'],
    [{ starts: ['2026-11-22T11:59'] }, 'soon'],
    [{ starts: ['2026-11-22T12:01'] }, 'waiting'],
    [{ starts: ['2026-11-20'] }, 'soon'],
    [{ starts: ['2026-11-20T11:00'] }, 'waiting'],
    [{ starts: ['2026-11-20T11:00'], end: '2026-11-20T13:00' }, 'soon'],
    [{ starts: ['2026-11-13T20:00', '2026-11-21T20:00'] }, 'soon'],
  ])('puts an item with %j into group %s', (changes, group) => {
    expect(createItem(changes).group).toBe(group);
  });
  test('does not flag requests and changes of published events', () => {
    const kinds = ['request', 'change', 'new', 'batch', 'report'] as const;
    const doubtful = kinds.filter((kind) => createItem({ kind, is_doubtful: true }).is_doubtful);
    expect(doubtful).toEqual(['new', 'batch', 'report']);
  });
  test('sets the day to the next one, or else the last', () => {
    expect(createItem({ starts: ['2026-11-13', '2026-11-27', '2026-12-04'] }).day).toBe(
      '2026-11-27',
    );
    expect(createItem({ starts: ['2026-11-13', '2026-11-06'] }).day).toBe('2026-11-13');
  });
});

test.each([
  ['', 'CANCEL SOON HASTE OLD NEW LATE'],
  ['NANDU', 'CANCEL'],
  ['zocalo noche', 'SOON'],
])('the queue for the search %j is %s', (q, references) => {
  const queue = [
    createItem({ reference: 'OLD', received_at: '2026-11-01' }),
    createItem({ reference: 'NEW', place: 'Ábaco', starts: ['2026-12-01'] }),
    createItem({ reference: 'SOON', starts: ['2026-11-21T20:00'], place: 'Zócalo' }),
    createItem({ reference: 'CANCEL', kind: 'request', title: 'Feria del Ñandú' }),
    createItem({ reference: 'LATE', is_doubtful: true, received_at: '2026-10-01' }),
    createItem({ reference: 'HASTE', is_doubtful: true, starts: ['2026-11-21T19:00'] }),
  ];
  const order = sortQueue(searchQueue(queue, q)).map(({ reference }) => reference);
  expect(order.join(' ')).toBe(references);
});
