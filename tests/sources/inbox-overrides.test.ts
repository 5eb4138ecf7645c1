// Status overrides and desk notices in releases: tests overrides of events and days, and the life of a notice.
import { describe, expect, test } from 'vitest';
import {
  closeNotice,
  listDeskNotices,
  parseNoticeForm,
  createNotice,
} from '../../src/desk/desk-notices.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { Ledger } from '../../src/domain/ledger.ts';
import { loadDatasetWithInbox } from '../fixtures/approved.ts';
import { changeStatus, withdrawEvent } from '../fixtures/changes.ts';
import { localMs, FRIDAY_NOON_MS as NOW_MS, loadFixture } from '../fixtures/fixture.ts';
import { ANA, inbox, undoNewestDecision, useInbox } from '../fixtures/inbox.ts';

useInbox();
const read = (ledger?: Ledger, now_ms?: number): Promise<Dataset> =>
  loadDatasetWithInbox(inbox, ledger, now_ms);
const getEvent = (town: Dataset, id: string) => town.events.find((event) => event.id === id);

describe('a status override', () => {
  const { events, occurrences } = loadFixture();
  const event =
    events.find((event) =>
      occurrences.some((o) => o.event === event.id && o.start_ms > NOW_MS + 30 * 86_400_000),
    ) ?? events[0];
  const id = event?.id ?? '';
  const day =
    occurrences.find((o) => o.event === id && o.start_ms > NOW_MS)?.start.slice(0, 10) ?? '';

  test('cancels upcoming dates with a public note but not past ones, and can be restored', async () => {
    const note = { es: 'Viene el huracán', en: 'A hurricane is coming' };
    const listDates = (town: Dataset) => town.occurrences.filter((o) => o.event === id);
    await changeStatus(inbox, ANA, id, 'cancel', 'Habló el promotor', note);
    const town = await read();
    expect(getEvent(town, id)?.status).toBe('cancelled');
    const dates = listDates(town);
    expect(dates.every((o) => (o.status === 'cancelled') === o.end_ms > NOW_MS)).toBe(true);
    expect(dates.every((o) => (o.notes?.en === note.en) === (o.status === 'cancelled'))).toBe(true);
    await changeStatus(inbox, ANA, id, 'restore', '', note);
    const restored = await read();
    expect(getEvent(restored, id)?.status).toBe('published');
    expect(listDates(restored)).toEqual(occurrences.filter((o) => o.event === id));
  });
  test('changes one day, with a note', async () => {
    const note = { es: 'Por lluvia', en: 'Rain' };
    await changeStatus(inbox, ANA, id, 'postpone', 'Llueve', note, day);
    const listPostponed = async () =>
      (await read()).occurrences
        .filter((o) => o.event === id && o.status === 'postponed')
        .map((o) => [o.start.slice(0, 10), o.notes?.es]);
    expect(await listPostponed()).toEqual([[day, 'Por lluvia']]);
    await changeStatus(inbox, ANA, id, 'restore', '', {}, day);
    expect(await listPostponed()).toEqual([]);
  });
  test('withdraws an event: its id and slugs answer 410', async () => {
    await withdrawEvent(inbox, ANA, id, 'Por ley');
    const town = await read(loadFixture().ledger);
    expect([
      getEvent(town, id),
      town.withdrawn.some((slug) => slug.slug === id),
      town.withdrawn.some((slug) => slug.slug === event?.slug.es),
    ]).toEqual([undefined, true, true]);
  });
  test('is ignored if the event or the day does not exist', async () => {
    await changeStatus(inbox, ANA, 'ev_nothing', 'cancel', 'Llueve');
    await changeStatus(inbox, ANA, id, 'cancel', 'Llueve', {}, '2031-01-01');
    expect((await read()).events).toEqual(loadFixture().events);
  });
});

describe('a notice of the desk', () => {
  const TITLES = { title_es: 'Bandera negra', title_en: 'Black flag' };
  const BODIES = { body_es: 'No nadar.', body_en: 'No swimming.' };
  const FIELDS = { type: 'weather', severity: 'alert', ...TITLES, ...BODIES };
  const findNotice = async (now_ms: number) =>
    (await read(undefined, now_ms)).notices.find((notice) => notice.title.es === 'Bandera negra');
  test('begins now, stays open, and ends when an editor closes it', async () => {
    expect(await createNotice(inbox, ANA, FIELDS)).toEqual([]);
    const open_notice = { start_ms: NOW_MS, end_ms: null, severity: 'alert', inferred: false };
    expect(await findNotice(NOW_MS)).toMatchObject(open_notice);
    const close = async (now_ms: number) => {
      const [{ id } = { id: '' }] = await listDeskNotices(inbox);
      await closeNotice(inbox, { ...ANA, now_ms }, id);
    };
    for (const end of ['2026-11-20T12:01:00', '2026-11-21T09:00:00', '2026-11-22T15:00:00']) {
      await close(localMs(end));
      // Closing it again does not extend it.
      await expect(close(localMs(end) + 60_000)).rejects.toMatchObject({
        reason: 'no_such_notice',
      });
      expect((await findNotice(NOW_MS))?.end_ms).toBe(localMs(end));
      await undoNewestDecision(inbox, ANA);
    }
    await close(NOW_MS);
    expect(await listDeskNotices(inbox)).toEqual([]);
    await expect(close(NOW_MS)).rejects.toMatchObject({ reason: 'no_such_notice' });
  });
  test.each([
    [{ title_en: '' }, 'title_en'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ end_date: '2026-11-19' }, 'end_date'],
    [{ source_url: 'javascript:alert(1)' }, 'source_url'],
  ])('%j is rejected with an issue at %s', (changed, field) => {
    expect(parseNoticeForm({ ...FIELDS, ...changed }, NOW_MS).invalid_controls).toContain(field);
  });
});
