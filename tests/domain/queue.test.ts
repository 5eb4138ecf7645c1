// The order of the queue: urgency, the doubtful after the clear, then day or age; narrowed by words and
// filters.
import { describe, expect, test } from 'vitest';
import {
  isNarrowed,
  narrowQueue,
  readQueueQuestion,
  toQueueQuery,
  toQueueItem,
  type Waiting,
} from '../../src/domain/queue.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const WAITING: Waiting = {
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
};
const toItem = (changed: Partial<Waiting>) =>
  toQueueItem({ ...WAITING, ...changed }, FRIDAY_NOON_MS);
const groupOf = (changed: Partial<Waiting>) => toItem(changed).group;

describe('an item', () => {
  test('is urgent where it cancels or postpones', () => {
    expect(groupOf({ kind: 'request', starts: [] })).toBe('urgent');
  });
  test('is soon within 48 hours, on any of its days, or while it is on', () => {
    const SOON: readonly (readonly [Partial<Waiting>, string])[] = [
      [{ starts: ['2026-11-22T11:59'] }, 'soon'],
      [{ starts: ['2026-11-22T12:01'] }, 'waiting'],
      [{ starts: ['2026-11-20'] }, 'soon'],
      [{ starts: ['2026-11-20T11:00'] }, 'waiting'],
      [{ starts: ['2026-11-20T11:00'], end: '2026-11-20T13:00' }, 'soon'],
      [{ starts: ['2026-11-13T20:00', '2026-11-21T20:00'] }, 'soon'],
      [{ starts: [] }, 'waiting'],
    ];
    expect(SOON.map(([changed]) => groupOf(changed))).toEqual(SOON.map(([, group]) => group));
  });
  test('stays as urgent as it is where it is doubtful', () => {
    expect(groupOf({ is_doubtful: true, starts: ['2026-11-21T20:00'] })).toBe('soon');
    expect(groupOf({ is_doubtful: true })).toBe('waiting');
  });
  test('is not doubtful where it bears the token of something published', () => {
    const isDoubtful = (kind: Waiting['kind']) => toItem({ kind, is_doubtful: true }).is_doubtful;
    expect((['request', 'change', 'new', 'batch', 'report'] as const).map(isDoubtful)).toEqual([
      ...[false, false, true, true, true],
    ]);
  });
  test('has the next of its days, else the last', () => {
    expect(toItem({ starts: ['2026-11-13', '2026-11-27', '2026-12-04'] }).day).toBe('2026-11-27');
    expect(toItem({ starts: ['2026-11-13', '2026-11-06'] }).day).toBe('2026-11-13');
  });
});

const QUEUE = [
  toItem({ reference: 'OLD', received_at: '2026-11-01' }),
  toItem({ reference: 'NEW', place: 'Ábaco', starts: ['2026-12-01'] }),
  toItem({ reference: 'SOON', starts: ['2026-11-21T20:00'], place: 'Zócalo' }),
  toItem({ reference: 'CANCEL', kind: 'request', title: 'Feria del Ñandú' }),
  toItem({ reference: 'LATE', is_doubtful: true, received_at: '2026-10-01', channel: 'agent' }),
  toItem({ reference: 'HASTE', is_doubtful: true, starts: ['2026-11-21T19:00'] }),
];
const narrow = (query: string) =>
  narrowQueue(QUEUE, readQueueQuestion(Object.fromEntries(new URLSearchParams(query)))).map(
    ({ reference }) => reference,
  );

describe('the queue', () => {
  test('goes by urgency, in each part of it the doubtful after the clear', () => {
    expect(narrow('')).toEqual(['CANCEL', 'SOON', 'HASTE', 'OLD', 'NEW', 'LATE']);
  });
  test('goes by day, place or arrival where that is chosen', () => {
    expect(narrow('sort=day').slice(0, 3)).toEqual(['HASTE', 'SOON', 'NEW']);
    expect(narrow('sort=place').slice(0, 2)).toEqual(['NEW', 'SOON']);
    expect(narrow('sort=age')[0]).toBe('LATE');
  });
  test('is narrowed by words without accents, kind, channel and day', () => {
    expect(narrow('q=NANDU')).toEqual(['CANCEL']);
    expect(narrow('q=zocalo noche')).toEqual(['SOON']);
    expect(narrow('kind=request')).toEqual(['CANCEL']);
    expect(narrow('channel=agent')).toEqual(['LATE']);
    expect(narrow('day=2026-11-21')).toEqual(['SOON', 'HASTE']);
  });
});

test('a question is a query and back; what it says wrong is passed over', () => {
  const query = 'q=feria&group=soon&kind=new&channel=agent&day=2026-11-21&sort=place&page=3';
  const question = readQueueQuestion(Object.fromEntries(new URLSearchParams(query)));
  expect(toQueueQuery(question)).toBe(query);
  const wrong = readQueueQuestion({
    group: 'x',
    kind: 'y',
    day: '2026-13-01',
    sort: 'z',
    page: '-1',
  });
  expect([toQueueQuery(wrong), isNarrowed(wrong)]).toEqual(['', false]);
});
