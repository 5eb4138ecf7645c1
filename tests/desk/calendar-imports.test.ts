// Calendar imports: comparison, submission, repeated import, decision and undo (contract 14.34, 14.35).
import { describe, expect, test } from 'vitest';
import { createImportDraft } from '../../src/desk/calendar-imports.ts';
import { undoDecision } from '../../src/desk/decisions.ts';
import { createReferenceData } from '../../src/desk/reference-data.ts';
import { listPendingOfImport } from '../../src/desk/review.ts';
import { IMPORT_DRAFT_LIMITS, type ImportRow } from '../../src/domain/calendar-import.ts';
import { getImportByToken, listImportedSubmissions } from '../../src/inbox/calendar-imports.ts';
import { countPending, listQueueRows as listQueue } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { formMeta } from '../../src/site/forms/form-errors.ts';
import {
  buildImportSelectionPage,
  parseImportRows,
  selectReusableAnswers,
  suggestImportAnswers,
} from '../../src/site/forms/import-selection.ts';
import {
  CHOICES,
  importCalendar as bringIn,
  FORTY_EVENTS,
  getImport,
  submitCalendar as sendIt,
} from '../fixtures/calendars.ts';
import { icsCalendar, icsEvent } from '../fixtures/calendars.ts';
import { approveImport } from '../fixtures/changes.ts';
import { FRIDAY_NOON_MS as NOW_MS, useFixture } from '../fixtures/fixture.ts';
import {
  REVIEWER_FIELDS,
  ANA,
  inbox,
  queryValue,
  submitTestEvent,
  useInbox,
} from '../fixtures/inbox.ts';
import { SITE } from '../fixtures/site.ts';

const CANCELLED = 'STATUS:CANCELLED\n';
const town = useFixture();
useInbox();

const here = () => ({ inbox, snapshot: town.snapshot });
const bring = (events: readonly string[], token?: string, sender?: string): Promise<string> =>
  bringIn(here(), icsCalendar(...events), sender, token);
const send = (token: string, also?: (row: ImportRow) => boolean): Promise<string> =>
  sendIt(here(), token, undefined, also);
const get = (token: string) => getImport(inbox, token);
async function sendNew(...events: readonly string[]): Promise<string> {
  const token = await bring(events);
  await send(token);
  return token;
}
const listStored = async (token: string) =>
  (await listImportedSubmissions(inbox, await get(token))).map(({ stored }) => stored);
const listStates = async (token: string) => (await listStored(token)).map(({ state }) => state);
const countPublished = async (token: string): Promise<number> =>
  (await listStored(token)).filter(({ is_published }) => is_published).length;
const standingsOf = async (token: string): Promise<Record<string, string>> =>
  Object.fromEntries((await get(token)).draft?.rows.map((r) => [r.event.title, r.standing]) ?? []);
const choose = async (token: string, only: (title: string) => boolean = () => true) =>
  (await listPendingOfImport(inbox, await get(token)))
    .filter(({ text }) => only(text.title))
    .map(({ reference, revision }) => ({ reference, revision, edits: REVIEWER_FIELDS }));
const approve = async (token: string, chosen?: Awaited<ReturnType<typeof choose>>) => {
  const texts = chosen ?? (await choose(token));
  return approveImport(inbox, createReferenceData(town.snapshot), ANA, await get(token), texts);
};

/** Opens the page on which a sender selects events. `open` takes further answers. */
async function openPage(token: string) {
  const context = { snapshot: town.snapshot, now_ms: NOW_MS, site: SITE };
  const calendar_import = await get(token);
  const { draft } = calendar_import;
  if (draft === null) throw new Error('no draft');
  const parse = (changed = {}) => {
    const answers = { ...suggestImportAnswers(context, calendar_import, draft), ...changed };
    return { answers, rows: parseImportRows(context, calendar_import, draft, answers) };
  };
  const open = (changed = {}) => {
    const { answers, rows } = parse(changed);
    const meta = formMeta({ lang: 'es', site: SITE, paths: null, title: '', description: '' });
    const request = { context, calendar_import, meta, path: '/' };
    const page = buildImportSelectionPage(request, draft, answers, rows, null, false);
    const warnings = page.rows.flatMap((row) => row.warnings);
    return { are_holidays_on: page.are_holidays_on, warnings };
  };
  return { draft, open, parse };
}

describe('importing a calendar', () => {
  test('offers the price in the text of an event, if there is none for all', async () => {
    const text = 'DESCRIPTION:Trova y boleros en el patio. Cover: $200 - preventa $150\n';
    const token = await bring([icsEvent('Con precio', 4, text), icsEvent('Sin precio', 5)]);
    const { open, parse } = await openPage(token);
    const listPrices = (price_kind: string) =>
      parse({ ...CHOICES, pick: '0,1', price_kind }).rows.ready.map(
        ({ submission }) => submission?.price,
      );
    expect(listPrices('unknown')).toMatchObject([{ min: 150, max: 200 }, { min: null }]);
    const said = expect.stringContaining('De $150 a $200 MXN');
    expect(open({ ...CHOICES, price_kind: 'unknown' }).warnings).toEqual([said]);
    // The page asks about a price for all that the text contradicts.
    expect(listPrices('free')).toMatchObject([{ is_free: true }]);
    expect(open(CHOICES).warnings).toEqual([]);
  });

  test('submits forty events under one reference and counts once, even if the form is sent twice', async () => {
    const token = await bring(FORTY_EVENTS);
    const [one, two] = await Promise.all([send(token), send(token)]);
    expect([one, (await get(token)).reference]).toEqual([two, one]);
    expect((await listStored(token)).length).toBe(40);
    const [item, ...others] = await listQueue(inbox);
    expect(item).toMatchObject({ kind: 'batch', title: 'Ciclo' });
    expect([item?.starts.length, others]).toEqual([40, []]);
    expect((await countPending(inbox)).waiting).toBe(1);
    expect(await queryValue(inbox, 'select count(*) from submission_senders')).toBe(1);
  });

  test('events in the agenda, in the review queue or in another calendar count as known', async () => {
    await submitTestEvent(inbox, { title: 'Noche de salsa', venue_name: 'Foro Nuevo' });
    await sendNew(icsEvent('Función 1', 3));
    const events = [icsEvent('Noche de salsa', 5), icsEvent('Función 1', 9), icsEvent('Otra', 5)];
    expect(await standingsOf(await bring(events, undefined, '203.0.113.9'))).toEqual({
      ...{ 'Noche de salsa': 'known', 'Función 1': 'known', Otra: 'new' },
    });
  });

  test('a repeated import tells unchanged, changed, cancelled, new and missing events apart', async () => {
    const token = await bring([...'ABCDF'].map((name, at) => icsEvent(`${name} x`, at + 1)));
    const reference = await send(token);
    // An event that cannot be parsed this time has not disappeared.
    const unreadable = 'BEGIN:VEVENT\nUID:F x\nSUMMARY:F x\nEND:VEVENT\n';
    const off = icsEvent('C x', 3, CANCELLED);
    await bring(
      [icsEvent('A x', 1), icsEvent('B x', 9), off, icsEvent('E x', 8), unreadable],
      token,
    );
    expect(await standingsOf(token)).toEqual({
      ...{ 'A x': 'same', 'B x': 'changed', 'C x': 'cancelled', 'D x': 'gone', 'E x': 'new' },
    });
    expect(await send(token)).toBe(reference);
    const stored = await listStored(token);
    expect(stored.map(({ text, revision }) => `${text.title} ${revision}`)).toEqual([
      ...['A x 1', 'B x 2', 'C x 1', 'D x 1', 'F x 1', 'E x 1'],
    ]);
    expect(stored[1]?.text.start).toBe('2026-12-09T20:00');
  });

  test.each([
    ['cancelled in it', [icsEvent('A a', 1, CANCELLED)]],
    ['missing from it', [icsEvent('B b', 2)]],
  ])(
    'withdraws pending events and requests cancellation of published ones: %s',
    async (_, again) => {
      const bringAgain = async (token: string) => {
        await bring(again, token);
        await send(token, ({ event }) => event.is_cancelled);
      };
      const waits = await sendNew(icsEvent('A a', 1));
      await bringAgain(waits);
      expect((await listStates(waits))[0]).toBe('taken_back');
      const token = await sendNew(icsEvent('A a', 1, 'SEQUENCE:2\n'), icsEvent('C c', 4));
      await approve(token);
      await bringAgain(token);
      expect((await listStored(token)).find(({ text }) => text.title === 'C c')).toMatchObject({
        ...{ state: 'waiting', asks: 'cancel', message: 'Cancelado en su calendario.' },
      });
      expect((await listQueue(inbox)).map(({ kind }) => kind)).toContain('request');
      await bring(again, token);
      expect(Object.values(await standingsOf(token))).not.toContain('gone');
    },
  );

  test('drafts expire after a day, and an address has only a few', async () => {
    const bytes = icsCalendar(icsEvent('A a', 1));
    const tokens = await Array.fromAsync(
      Array(IMPORT_DRAFT_LIMITS.drafts_of_sender + 1).keys(),
      () => bringIn(here(), bytes),
    );
    const last = tokens.at(-1) ?? '';
    expect(await getImportByToken(inbox, tokens[0] ?? '')).toBeNull();
    expect(await getImportByToken(inbox, last)).not.toBeNull();
    const now_ms = NOW_MS + IMPORT_DRAFT_LIMITS.draft_ms + 1;
    const calendar = { bytes, url: null, lang: 'es', sender: '203.0.113.1', now_ms } as const;
    await createImportDraft(inbox, town.snapshot, calendar);
    expect(await getImportByToken(inbox, last)).toBeNull();
  });
});

describe('holidays of a repetition', () => {
  const FRIDAYS = 'RRULE:FREQ=WEEKLY;UNTIL=20270115T235900\n';
  const OVERRIDE =
    'END:VEVENT\nBEGIN:VEVENT\nUID:A a\nSUMMARY:A a\nDTSTART:20261225T200000\nLOCATION:Foro Nuevo\nRECURRENCE-ID:20261225T200000\n';
  const HOLIDAYS = ['2026-12-25', '2027-01-01'];

  test.each([
    ['only a rule', FRIDAYS, HOLIDAYS],
    ['an RDATE', `${FRIDAYS}RDATE:20261225T200000\n`, ['2027-01-01']],
    ['an event of its own', `${FRIDAYS}${OVERRIDE}`, ['2027-01-01']],
    ['a COUNT', 'RRULE:FREQ=WEEKLY;COUNT=7\n', undefined],
    ['an EXDATE', `${FRIDAYS}EXDATE:20261225T200000\n`, ['2027-01-01']],
  ])('rest unless the calendar names them: %s', async (_, more, resting) => {
    const token = await bring([icsEvent('A a', 4, more)]);
    await send(token);
    const [stored] = await listStored(token);
    const days = [stored?.text.start.slice(0, 10), ...(stored?.text.dates ?? [])];
    expect(days).toEqual(expect.arrayContaining(['2026-12-18', '2027-01-08']));
    expect(days.filter((day) => resting?.includes(day ?? ''))).toEqual([]);
    expect(stored?.text.resting).toEqual(resting);
  });

  test('are on if the sender says so, also before the first other date', async () => {
    const after_24_ms = Date.parse('2026-12-24T18:00:00Z');
    const bytes = icsCalendar(icsEvent('A a', 4, FRIDAYS));
    const calendar = { bytes, url: null, lang: 'es', sender: '203.0.113.1' } as const;
    const draft = await createImportDraft(inbox, town.snapshot, {
      ...calendar,
      now_ms: after_24_ms,
    });
    const token = 'token' in draft ? draft.token : '';
    await sendIt(here(), token, { ...CHOICES, holidays: '1' });
    const [stored] = await listStored(token);
    expect(stored?.text).toMatchObject({
      start: '2026-12-25T20:00',
      dates: ['2027-01-01', '2027-01-08', '2027-01-15'],
    });
    expect(stored?.text).not.toHaveProperty('resting');
  });

  test('are the days of a yearly rule; a rule of nothing else is listed as unread', async () => {
    const token = await bring([
      icsEvent('Cena', 25, '')
        .replace('20261225', '20251225')
        .replace('END:', 'RRULE:FREQ=YEARLY\nEND:'),
      icsEvent('Taller', 18, 'RRULE:FREQ=WEEKLY;UNTIL=20261226T000000\nEXDATE:20261218T200000\n'),
    ]);
    const { draft } = await get(token);
    expect(draft?.rows[0]?.event.start).toBe('2026-12-25T20:00');
    expect(draft?.failures).toMatchObject([{ rule: 'only_rest_days', text: '2026-12-25' }]);
  });

  test('are named on the page with one question for the calendar, answered once', async () => {
    const token = await bring([icsEvent('A a', 4, FRIDAYS)]);
    const { draft, open } = await openPage(token);
    expect(open()).toEqual({
      are_holidays_on: false,
      warnings: [
        expect.stringContaining('descansa: el viernes 25 de diciembre y el viernes 1 de enero.'),
      ],
    });
    const on = { are_holidays_on: true, warnings: [] };
    expect(open({ holidays: '1' })).toEqual(on);
    await sendIt(here(), token, selectReusableAnswers(draft, { ...CHOICES, holidays: '1' }));
    const { choices } = await get(token);
    expect(open(choices)).toEqual(on);
  });
});

describe('deciding on an import', () => {
  test('approves all events by one decision, which can be undone', async () => {
    const token = await sendNew(...FORTY_EVENTS);
    expect(await approve(token)).toMatchObject({ unapproved: new Map() });
    expect(await countPublished(token)).toBe(40);
    const [last] = await listDecisions(inbox, 9);
    expect(last).toMatchObject({ action: 'approve', subject: (await get(token)).reference });
    await undoDecision(inbox, last?.id ?? 0, ANA);
    expect(await countPublished(token)).toBe(0);
    expect(await listStates(token)).toEqual(Array(40).fill('waiting'));
  });

  test('rejects the whole batch if one submission changed after review', async () => {
    const token = await sendNew(icsEvent('A a', 1), icsEvent('B b', 2));
    const reviewed = await choose(token);
    await bring([icsEvent('A a', 1), icsEvent('B b', 9)], token);
    await send(token);
    await expect(() => approve(token, reviewed)).rejects.toThrow('text changed');
    await expect(() => approve(token, [])).rejects.toThrow('at least one');
    expect(await countPublished(token)).toBe(0);
  });
});
