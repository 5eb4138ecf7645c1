// What the desk says over what is published, among the content: overrides of events and days, and
// notices of its own.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ledger.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { closeNotice, listNotices, readNotice, writeNotice } from '../../src/desk/notices.ts';
import { changeStatus, withdrawEvent } from '../fixtures/changes.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import { readDatasetWith } from '../fixtures/approved.ts';
import { openFixtureInbox, undoNewest } from '../fixtures/inbox.ts';
import { at, FRIDAY_NOON_MS as NOW_MS, readFixture } from '../fixtures/fixture.ts';

let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
beforeEach(async () => {
  opened = await openFixtureInbox();
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const read = (ledger?: Ledger, now_ms?: number): Promise<Dataset> =>
  readDatasetWith(opened.inbox, ledger, now_ms);
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

  test('cancels what is ahead and leaves the past; restoring brings it back', async () => {
    await changeStatus(opened.inbox, ANA, id, 'cancel', 'Llueve');
    const town = await read();
    expect(getEvent(town, id)?.status).toBe('cancelled');
    const own = town.occurrences.filter((o) => o.event === id);
    expect(own.every((o) => (o.status === 'cancelled') === o.end_ms > NOW_MS)).toBe(true);
    await changeStatus(opened.inbox, ANA, id, 'restore', '');
    expect(getEvent(await read(), id)?.status).toBe('published');
  });
  test('tells readers why, on every time that is off and on no other', async () => {
    const note = { es: 'Viene el huracán', en: 'A hurricane is coming' };
    await changeStatus(opened.inbox, ANA, id, 'cancel', 'Habló el promotor', note);
    const of_event = (town: Dataset) => town.occurrences.filter((o) => o.event === id);
    const off = of_event(await read());
    expect(off.every((o) => (o.notes?.en === note.en) === (o.status === 'cancelled'))).toBe(true);
    expect(off.some((o) => o.status === 'cancelled')).toBe(true);
    await changeStatus(opened.inbox, ANA, id, 'restore', '', note);
    expect(of_event(await read()).map((o) => o.notes)).toEqual(
      occurrences.filter((o) => o.event === id).map((o) => o.notes),
    );
  });
  test('changes one day, with a note', async () => {
    const note = { es: 'Por lluvia', en: 'Rain' };
    await changeStatus(opened.inbox, ANA, id, 'postpone', 'Llueve', note, day);
    const listPostponed = async () =>
      (await read()).occurrences
        .filter((o) => o.event === id && o.status === 'postponed')
        .map((o) => [o.start.slice(0, 10), o.notes?.es]);
    expect(await listPostponed()).toEqual([[day, 'Por lluvia']]);
    await changeStatus(opened.inbox, ANA, id, 'restore', '', {}, day);
    expect(await listPostponed()).toEqual([]);
  });
  test('withdraws it: 410 by every name, nothing of it left', async () => {
    await withdrawEvent(opened.inbox, ANA, id, 'Por ley');
    const town = await read(readFixture().ledger);
    expect([
      getEvent(town, id),
      town.withdrawn.some((slug) => slug.slug === id),
      town.withdrawn.some((slug) => slug.slug === event?.slug.es),
    ]).toEqual([undefined, true, true]);
  });
  test('is refused or cut so that no release leaves it out', async () => {
    const tooLong = 'Por ley. '.repeat(80);
    await expect(withdrawEvent(opened.inbox, ANA, id, tooLong)).rejects.toMatchObject({
      reason: 'reason_too_long',
    });
    await expect(withdrawEvent(opened.inbox, ANA, id, '\u200b \n')).rejects.toMatchObject({
      reason: 'no_reason',
    });
    expect(await readInboxRecords(opened.inbox)).toMatchObject({ overrides: [], left_out: [] });
    const note = { es: 'Llueve. '.repeat(60), en: '\u200b' };
    await changeStatus(opened.inbox, ANA, id, 'cancel', 'x'.repeat(600), note);
    expect(await readInboxRecords(opened.inbox)).toMatchObject({
      overrides: [{ record: { status: 'cancelled' } }],
      left_out: [],
    });
    await withdrawEvent(opened.inbox, ANA, id, 'x'.repeat(600));
    expect(getEvent(await read(readFixture().ledger), id)).toBeUndefined();
  });
  test('is passed over for an event or a day that is not there', async () => {
    await changeStatus(opened.inbox, ANA, 'ev_nothing', 'cancel', 'Llueve');
    await changeStatus(opened.inbox, ANA, id, 'cancel', 'Llueve', {}, '2031-01-01');
    expect((await read()).events).toEqual(readFixture().events);
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
  const show = async (now_ms: number) =>
    (await read(undefined, now_ms)).notices.find((notice) => notice.title.es === 'Bandera negra');
  test('begins now, stays open, and ends when it is closed', async () => {
    const write = () => writeNotice(opened.inbox, ANA, FIELDS);
    expect(await write()).toEqual([]);
    expect(await show(NOW_MS)).toMatchObject({ start_ms: NOW_MS, end_ms: null, severity: 'alert' });
    const close = async (now_ms: number) => {
      const [{ id } = { id: '' }] = await listNotices(opened.inbox);
      await closeNotice(opened.inbox, { ...ANA, now_ms }, id);
    };
    for (const end of ['2026-11-20T12:01:00', '2026-11-21T09:00:00', '2026-11-22T15:00:00']) {
      await close(at(end));
      // Pressed again, it does not last longer.
      await expect(close(at(end) + 60_000)).rejects.toMatchObject({ reason: 'no_such_notice' });
      expect((await show(NOW_MS))?.end_ms).toBe(at(end));
      await undoNewest(opened.inbox, ANA);
    }
    await close(NOW_MS);
    expect(await listNotices(opened.inbox)).toEqual([]);
    await expect(close(NOW_MS)).rejects.toMatchObject({ reason: 'no_such_notice' });
  });
  test('is confirmed by being written, whenever it begins', async () => {
    await writeNotice(opened.inbox, ANA, { ...FIELDS, start_date: '2027-03-01' });
    expect(await show(NOW_MS)).toMatchObject({ severity: 'alert', inferred: false, season: false });
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
    expect(readNotice({ ...FIELDS, ...changed }, NOW_MS).wrong).toContain(field);
  });
});
