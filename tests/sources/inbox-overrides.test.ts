// What the desk says over what is published, among the content: overrides of events and days, and
// notices of its own.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { closeDeskNotice, recordNotice, toDeskNotice } from '../../src/desk/notices.ts';
import { changeStatus, withdrawEvent } from '../../src/desk/override.ts';
import { recordOverride } from '../fixtures/changes.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import { readDatasetWith } from '../fixtures/approved.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';
import { at, FRIDAY_NOON_MS as NOW_MS, readFixture } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const CANCEL = { editor: 'ana', action: 'cancel', reason: 'Llueve', now_ms: NOW_MS } as const;
const getEvent = (town: Dataset, id: string) => town.events.find((event) => event.id === id);

describe('what the desk says over an event', () => {
  const { events, occurrences } = readFixture();
  const event =
    events.find((one) =>
      occurrences.some((o) => o.event === one.id && o.start_ms > NOW_MS + 30 * 86_400_000),
    ) ?? events[0];
  const id = event?.id ?? '';
  const day =
    occurrences.find((o) => o.event === id && o.start_ms > NOW_MS)?.start.slice(0, 10) ?? '';

  test('cancels what is ahead and leaves the past; restoring brings it back', () => {
    recordOverride(opened.inbox, CANCEL, id, '', { status: 'cancelled' });
    const town = readDatasetWith(opened.inbox);
    expect(getEvent(town, id)?.status).toBe('cancelled');
    expect(
      town.occurrences
        .filter((o) => o.event === id)
        .every((o) => (o.status === 'cancelled') === o.end_ms > NOW_MS),
    ).toBe(true);
    recordOverride(opened.inbox, { ...CANCEL, action: 'restore' }, id, '', { status: 'published' });
    expect(getEvent(readDatasetWith(opened.inbox), id)?.status).toBe('published');
  });
  test('tells readers why, on every time that is off and on no other', () => {
    const note = { es: 'Viene el huracán', en: 'A hurricane is coming' };
    const actor = { editor: 'ana', now_ms: NOW_MS };
    changeStatus(opened.inbox, actor, id, 'cancel', 'Habló el promotor', note);
    const of_event = (town: Dataset) => town.occurrences.filter((o) => o.event === id);
    const off = of_event(readDatasetWith(opened.inbox));
    expect(off.every((o) => (o.notes?.en === note.en) === (o.status === 'cancelled'))).toBe(true);
    expect(off.some((o) => o.status === 'cancelled')).toBe(true);
    changeStatus(opened.inbox, actor, id, 'restore', '', note);
    expect(of_event(readDatasetWith(opened.inbox)).map((o) => o.notes)).toEqual(
      occurrences.filter((o) => o.event === id).map((o) => o.notes),
    );
  });
  test('changes one day, with a note', () => {
    recordOverride(opened.inbox, CANCEL, id, day, {
      change: { date: day, status: 'postponed', note: { es: 'Por lluvia', en: 'Rain' } },
    });
    const changed = readDatasetWith(opened.inbox).occurrences.filter(
      (o) => o.event === id && o.status === 'postponed',
    );
    expect(changed.map((o) => [o.start.slice(0, 10), o.notes?.es])).toEqual([[day, 'Por lluvia']]);
    recordOverride(opened.inbox, CANCEL, id, day, { change: null });
    expect(
      readDatasetWith(opened.inbox).occurrences.filter(
        (o) => o.event === id && o.status === 'postponed',
      ),
    ).toEqual([]);
  });
  test('withdraws it: 410 by every name, nothing of it left', () => {
    recordOverride(opened.inbox, CANCEL, id, '', {
      status: 'withdrawn',
      date: '2026-11-20',
      reason: 'Por ley',
    });
    const town = readDatasetWith(opened.inbox, readFixture().ledger);
    expect([
      getEvent(town, id),
      town.withdrawn.some((slug) => slug.slug === id),
      town.withdrawn.some((slug) => slug.slug === event?.slug.es),
    ]).toEqual([undefined, true, true]);
  });
  test('is refused where the next release would leave it out', () => {
    expect(() => withdrawEvent(opened.inbox, ANA, id, 'Por ley. '.repeat(60))).toThrow(
      /^reason: at most 400/,
    );
    expect(() => withdrawEvent(opened.inbox, ANA, id, '\u200b \n')).toThrow(/^reason: say why/);
    const note = { es: 'Llueve. '.repeat(60), en: 'Rain' };
    expect(() =>
      recordOverride(opened.inbox, CANCEL, id, day, {
        change: { date: day, status: 'cancelled', note },
      }),
    ).toThrow(/^override: /);
    expect(readInboxRecords(opened.inbox)).toMatchObject({ overrides: [], left_out: [] });
    withdrawEvent(opened.inbox, ANA, id, 'Por ley');
    expect(getEvent(readDatasetWith(opened.inbox, readFixture().ledger), id)).toBeUndefined();
  });
  test('is passed over for an event or a day that is not there', () => {
    recordOverride(opened.inbox, CANCEL, 'ev_nothing', '', { status: 'cancelled' });
    recordOverride(opened.inbox, CANCEL, id, '2026-11-19', {
      change: { date: '2031-01-01', status: 'cancelled' },
    });
    expect(readDatasetWith(opened.inbox).events).toEqual(readFixture().events);
  });
});

describe('a notice of the desk', () => {
  const FIELDS = {
    type: 'weather',
    severity: 'alert',
    title_es: 'Bandera negra',
    title_en: 'Black flag',
    body_es: 'No nadar.',
    body_en: 'No swimming.',
  };
  const show = (now_ms: number) =>
    readDatasetWith(opened.inbox, undefined, now_ms).notices.find(
      (notice) => notice.title.es === 'Bandera negra',
    );
  test('begins now, stays open, and ends when it is closed', () => {
    const { notice } = toDeskNotice(FIELDS, NOW_MS);
    if (notice === null) throw new Error('refused');
    recordNotice(opened.inbox, CANCEL, 'n1', notice);
    expect(show(NOW_MS)).toMatchObject({ start_ms: NOW_MS, end_ms: null, severity: 'alert' });
    for (const [later, expected] of [
      ['2026-11-20T12:01', '2026-11-20T12:01'],
      ['2026-11-21T09:00', '2026-11-21T09:00'],
      ['2026-11-22T15:00', '2026-11-22T15:00'],
    ] as const) {
      recordNotice(opened.inbox, CANCEL, 'n1', closeDeskNotice(notice, at(`${later}:00`)));
      expect(show(NOW_MS)?.end_ms).toBe(at(`${expected}:00`));
    }
    expect(closeDeskNotice(notice, NOW_MS)).toBeNull();
  });
  test('is confirmed by being written, whenever it begins', () => {
    const { notice } = toDeskNotice({ ...FIELDS, start_date: '2027-03-01' }, NOW_MS);
    recordNotice(opened.inbox, CANCEL, 'n1', notice);
    expect(show(NOW_MS)).toMatchObject({ severity: 'alert', inferred: false, season: false });
  });
  test.each([
    [{ title_en: '' }, 'title_en'],
    [{ body_es: ' ' }, 'body_es'],
    [{ type: 'war' }, 'type'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ end_date: '2026-11-19' }, 'end_date'],
    [{ start_time: '25:00' }, 'start_time'],
    [{ source_url: 'javascript:alert(1)' }, 'source_url'],
  ])('%j is refused at %s', (changed, field) => {
    expect(
      toDeskNotice({ ...FIELDS, ...changed }, NOW_MS).issues.map((issue) => issue.field),
    ).toContain(field);
  });
});
