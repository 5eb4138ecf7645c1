// Source import: reads a source from a server with every fault, without loss, false publication or duplicates;
// approves as far as the source is trusted, undoably (contract 14.36).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { undoDecision } from '../../src/desk/decisions.ts';
import { createReferenceData } from '../../src/desk/reference-data.ts';
import { approveSubmissions, mergeControlValues, applyVerdict } from '../../src/desk/review.ts';
import type { SubmissionChange } from '../../src/domain/change.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { getImportById, listImportedSubmissions } from '../../src/inbox/calendar-imports.ts';
import { listQueueRows } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { getSourceState } from '../../src/inbox/followed-sources.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { formatConfirmAdvice } from '../../src/i18n/format-facts.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { loadDatasetWithInbox } from '../fixtures/approved.ts';
import type { FollowedSource } from '../../src/sources/followed-sources.ts';
import { icsCalendar, icsEvent as toNewEvent } from '../fixtures/calendars.ts';
import { FRIDAY_NOON_MS as NOW_MS, openTestSnapshot, useFixture } from '../fixtures/fixture.ts';
import { ANA, inbox, queryColumn, useInbox } from '../fixtures/inbox.ts';
import { EDITORS, mailer, receivedSubjects, useMailer } from '../fixtures/mailer.ts';
import { SERVER_FAULTS, startSourceServer } from '../fixtures/source-server.ts';

const HOUR_MS = 3_600_000;
const PLACE = 'Malecón Inventado';
const town = useFixture();
const server = await startSourceServer();
afterAll(server.stop);
let now_ms = NOW_MS;
useInbox();
useMailer();
beforeEach(() => {
  now_ms = NOW_MS;
  server.forbid('');
});

/** Builds an event at a venue of the agenda. */
const toEvent = (name: string, day: number, more = ''): string =>
  toNewEvent(name, day, more).replace('Foro Nuevo', PLACE);
const serve = (...events: readonly string[]): void => server.serve(icsCalendar(...events));
/** Reads the source again, six hours later each time. */
async function pull(changed: Partial<FollowedSource> = {}, with_gone = false) {
  now_ms += 6 * HOUR_MS;
  const desk = { inbox, snapshot: town.snapshot, now_ms };
  return server.pull(desk, server.source(changed), with_gone);
}
const PUBLISH = { trust: 'publish' } as const;
async function listAll(): Promise<readonly SubmissionChange[]> {
  const { batch = null } = (await getSourceState(inbox, 'foro')) ?? {};
  const stored = batch === null ? null : await getImportById(inbox, batch);
  return stored === null
    ? []
    : (await listImportedSubmissions(inbox, stored)).map((one) => one.stored);
}
/** Lists `title asks state`, with an asterisk if the event is published. */
const list = async (): Promise<readonly string[]> =>
  (await listAll())
    .map((one) => `${one.title}${one.is_published ? '*' : ''} ${one.asks} ${one.state}`)
    .sort();
const find = async (title: string): Promise<SubmissionChange> =>
  (await listAll()).find((one) => one.title === title) ?? expect.unreachable(title);
const listOverrides = async () =>
  (await loadAppliedChanges(inbox)).overrides.map(({ date, record }) =>
    `${date} ${record.status}`.trim(),
  );
async function readEvent(name: string) {
  const { events } = await loadDatasetWithInbox(inbox, EMPTY_LEDGER, now_ms);
  return events.find(({ title }) => title.es === name) ?? expect.unreachable(name);
}
/** Lists the advice to confirm an event, in each language. */
const listConfirmAdvice = async (name: string) => {
  const event = await readEvent(name);
  return LANGS.flatMap((lang) => formatConfirmAdvice({ event, next: null }, lang) ?? []);
};
/** Lists the items of the review queue. */
const listQueue = async () => (await listQueueRows(inbox)).map((one) => `${one.kind} ${one.title}`);
const THREE = [toEvent('Ana', 1), toEvent('Bea', 2), toEvent('Caro', 3)];

const FAULTY = Object.entries(SERVER_FAULTS);
test.each(FAULTY)('keeps all events and retries within a day if %s', async (name, spoil) => {
  serve(...THREE);
  await pull(PUBLISH);
  const before = ['Ana', 'Bea', 'Caro'].map((one) => `${one}* publish applied`);
  expect(await list()).toEqual(before);
  server.answer(spoil(icsCalendar(...THREE).toString()));
  for (let times = 0; times < 3; times += 1) {
    expect((await pull(PUBLISH)).problem).not.toBeNull();
    expect(await list()).toEqual(before);
  }
  const { next_ms = 0, read_ms, bytes } = (await getSourceState(inbox, 'foro')) ?? {};
  expect([read_ms, bytes?.equals(icsCalendar(...THREE))]).toEqual([NOW_MS + 6 * HOUR_MS, true]);
  const least_ms = name.includes('often') ? 2 * HOUR_MS : HOUR_MS;
  expect([next_ms - now_ms >= least_ms, next_ms - now_ms <= 24 * HOUR_MS]).toEqual([true, true]);
  serve(...THREE);
  await pull(PUBLISH);
  expect(await list()).toEqual(before);
});

describe('fetching', () => {
  test('sends its user agent and validators; an unchanged response counts as read', async () => {
    server.serve(icsCalendar(...THREE), '"a"');
    await pull();
    expect(await pull()).toMatchObject({ problem: null, brought: { events: 3, new: 0 } });
    const [first, second] = server.requests.slice(-2).map(({ headers }) => headers);
    expect(first?.['user-agent']).toBe('HoyCancun/1.0 (+https://hoy.example)');
    expect([first?.['if-none-match'], second?.['if-none-match']]).toEqual([undefined, '"a"']);
  });

  test.each([
    ['for all', '*', '/*.ics$', true],
    ['for us', 'HoyCancun/1.0', '/', true],
    ['except for a longer rule', '*', '/\nAllow: /foro', false],
    ['for others', 'other', '/', false],
  ])(
    'obeys the robots.txt of each host in a redirect: forbidden %s',
    async (_, agent, paths, is_forbidden) => {
      const other = await startSourceServer();
      onTestFinished(other.stop);
      other.forbid(`User-agent: ${agent}\nDisallow: ${paths}\n`);
      other.serve(icsCalendar(...THREE));
      const { url } = other.source();
      server.answer((response) => response.writeHead(302, { location: url }).end());
      const desk = { inbox, snapshot: town.snapshot, now_ms };
      const { problem } = await server.pull(desk, server.source(), false, other.host);
      expect([problem, other.requests.length]).toEqual(
        is_forbidden ? ['not_allowed', 0] : [null, 1],
      );
    },
  );

  test('notifies editors once after two days of failure, and again only after a success', async () => {
    server.answer((response) => response.writeHead(503).end());
    for (let times = 0; times < 12; times += 1) await pull();
    mailer.now_ms = now_ms;
    await mailer.round();
    const notices = EDITORS.map(() => 'Hoy Cancún: una fuente no se puede leer (foro)');
    expect(receivedSubjects()).toEqual(notices);
    serve(...THREE);
    await pull();
    server.answer((response) => response.writeHead(503).end());
    for (let times = 0; times < 12; times += 1) await pull();
    mailer.now_ms = now_ms;
    await mailer.round();
    const source_emails = receivedSubjects().filter((one) => one.includes('fuente'));
    expect(source_emails).toEqual([...notices, ...notices]);
  });
});

describe('new and changed events', () => {
  const CHANGED = [toEvent('Ana', 8), toEvent('Bea', 2), toEvent('Caro', 3), toEvent('Dora', 4)];
  test.each([
    ['ask', 'Ana publish waiting', ' publish waiting'],
    ['changes', 'Ana* edit applied', ' publish waiting'],
    ['publish', 'Ana* edit applied', '* publish applied'],
  ] as const)('are approved as far as the source is trusted: %s', async (trust, ana, others) => {
    serve(...THREE);
    await pull({ trust });
    if (trust === 'changes') {
      const one = await find('Ana');
      const edits = mergeControlValues(one, { summary: 'Una noche con Ana.' });
      await approveSubmissions(inbox, createReferenceData(town.snapshot), ANA, one.reference, [
        { ...one, edits },
      ]);
    }
    serve(...CHANGED);
    await pull({ trust });
    expect(await list()).toEqual([ana, ...['Bea', 'Caro', 'Dora'].map((one) => one + others)]);
    expect((await find('Ana')).text.start).toBe('2026-12-08T20:00');
    const doors = await queryColumn(inbox, 'select distinct door from changes');
    expect(doors).toEqual(['source']);
    if (trust === 'ask') return;
    const [last] = await listDecisions(inbox, 1);
    expect(last).toMatchObject({ editor: 'source:foro', action: 'approve' });
  });

  test('are approved undoably, and an undone approval is not repeated', async () => {
    serve(...THREE);
    await pull(PUBLISH);
    const [last] = await listDecisions(inbox, 1);
    await undoDecision(inbox, last?.id ?? 0, ANA);
    serve(...THREE.map((event) => event.replace('T200000', 'T210000')));
    await pull(PUBLISH);
    expect(await list()).toEqual(['Ana', 'Bea', 'Caro'].map((name) => `${name} publish waiting`));
  });

  test('are pending if an editor changed the event', async () => {
    serve(...THREE);
    await pull({ trust: 'changes' });
    const one = await find('Ana');
    const edits = mergeControlValues(one, { summary: 'Una noche.', start_time: '19:00' });
    await approveSubmissions(inbox, createReferenceData(town.snapshot), ANA, one.reference, [
      { ...one, edits },
    ]);
    serve(...CHANGED);
    await pull(PUBLISH);
    expect(await list()).toContain('Ana* edit waiting');
  });

  test('are pending if time or venue is in doubt; times are in the source’s zone', async () => {
    const zoned = toEvent('Ana', 1).replace('DTSTART:', 'DTSTART;TZID=Nowhere/Town:');
    const nowhere = toEvent('Dora', 4).replace(/^LOCATION.*\n/m, '');
    serve(zoned, toNewEvent('Bea', 2), toEvent('Caro', 3), nowhere);
    await pull({ ...PUBLISH, time_zone: 'America/Mexico_City', name: PLACE });
    expect(await list()).toEqual([
      'Ana publish waiting',
      'Bea publish waiting',
      'Caro* publish applied',
      'Dora publish waiting',
    ]);
    expect((await find('Caro')).text.start).toBe('2026-12-03T21:00');
  });

  test('are not duplicated if their UIDs change with each download', async () => {
    const series = toEvent('Dora', 4, 'RRULE:FREQ=WEEKLY\n');
    const toNamed = (name: string) => (event: string) => event.replace('UID:', `UID:${name}-`);
    for (let times = 0; times < 8; times += 1) {
      serve(...[...THREE, series].map(toNamed(`${times}`)));
      expect((await pull(PUBLISH)).brought).toMatchObject({ gone: 0, changed: 0 });
      now_ms += 72 * HOUR_MS;
    }
    expect((await list()).length).toBe(4);
    // With another UID and time it is the same event if it is the only one of its title that day.
    const later = THREE.map((event) => event.replace('T200000', 'T203000'));
    serve(...[...later, series].map(toNamed('x')));
    expect((await pull(PUBLISH)).brought).toMatchObject({ new: 0, gone: 0 });
    // An event that was matched by content is matched by its new UID from then on.
    serve(...[...THREE, series.replace('T200000', 'T210000')].map(toNamed('7')));
    await pull(PUBLISH);
    const { start } = (await find('Dora')).text;
    expect([(await list()).length, start.slice(10)]).toEqual([4, 'T21:00']);
  });
});

describe('cancelled events', () => {
  test('are cancelled for any trust, once, and undoably', async () => {
    serve(...THREE);
    await pull(PUBLISH);
    serve(toEvent('Ana', 1, 'STATUS:CANCELLED\n'), ...THREE.slice(1));
    await pull();
    expect(await list()).toContain('Ana* cancel applied');
    expect(await listOverrides()).toEqual(['cancelled']);
    const [last] = await listDecisions(inbox, 1);
    await undoDecision(inbox, last?.id ?? 0, ANA);
    await pull();
    await pull();
    expect(await list()).toContain('Ana* cancel waiting');
    expect(await listOverrides()).toEqual([]);
  });

  test('include single days of a series; a moved day is not a cancellation', async () => {
    const series = toEvent('Ana', 1, 'RRULE:FREQ=WEEKLY;COUNT=5\n');
    serve(series);
    await pull(PUBLISH);
    const instead = (day: string, how: string) =>
      `BEGIN:VEVENT\nUID:Ana\nSUMMARY:Ana\nRECURRENCE-ID:${day}T200000\nLOCATION:${PLACE}\n${how}END:VEVENT\n`;
    const off = instead('20261208', 'DTSTART:20261208T200000\nSTATUS:CANCELLED\n');
    const moved = instead('20261215', 'DTSTART:20261216T190000\n');
    serve(series, off, moved);
    await pull(PUBLISH);
    await pull(PUBLISH);
    expect(await listOverrides()).toEqual(['2026-12-08 cancelled']);
    const all = await listAll();
    expect(all.map(({ text }) => [text.start, ...text.dates])).toEqual([
      ['2026-12-01T20:00', '2026-12-08', '2026-12-22', '2026-12-29'],
      ['2026-12-16T19:00'],
    ]);
  });

  test('include postponed events of a page with JSON-LD', async () => {
    const toPage = (status: string): string => {
      const toOne = (name: string, startDate: string) => ({
        ...{ '@context': 'https://schema.org', '@type': 'MusicEvent', name, startDate },
        url: `https://foro.example/${name}`,
        location: { '@type': 'Place', name: PLACE },
        eventStatus: `https://schema.org/${status}`,
      });
      const two = [toOne('Ana', '2026-12-01T20:00'), toOne('Bea', '2026-12-02T02:00:00Z')];
      const graph = { '@graph': [...two, { '@type': 'Event', name: 'Sin día' }] };
      return `<html><script type="application/ld+json">${JSON.stringify(graph)}</script></html>`;
    };
    const source = { kind: 'json-ld', trust: 'publish' } as const;
    server.serve(toPage('EventScheduled'));
    expect((await pull(source)).brought).toMatchObject({ events: 2, unread: 1 });
    expect((await find('Bea')).text.start).toBe('2026-12-01T21:00');
    server.serve(toPage('EventPostponed'));
    await pull({ ...source, trust: 'ask' });
    await pull({ ...source, trust: 'ask' });
    expect(await list()).toEqual(['Ana* postpone applied', 'Bea* postpone applied']);
    server.serve(`${toPage('EventScheduled')}\n<!-- kept --> <!-- a minute ago -->\n`);
    expect((await pull(source)).problem).toBeNull();
    server.serve(toPage('EventScheduled') + '<!--'.repeat(200_000));
    expect((await pull(source)).problem).toBe('cut_off');
    server.serve(toPage('EventScheduled').slice(0, -20));
    expect((await pull(source)).problem).toBe('cut_off');
  });
});

describe('missing events', () => {
  test('are reported to an editor after two complete readings, until they are back', async () => {
    serve(...THREE);
    await pull(PUBLISH);
    const before = await list();
    serve(...THREE.slice(1));
    await pull(PUBLISH);
    server.answer((response) => response.writeHead(503).end());
    await pull(PUBLISH);
    expect(await listQueue()).toEqual([]);
    serve(...THREE.slice(1));
    await pull(PUBLISH);
    await pull(PUBLISH);
    expect(await listQueue()).toEqual(['report Ana']);
    expect([await list(), await listOverrides()]).toEqual([before, []]);
    expect(await queryColumn(inbox, 'select distinct kind from letters')).not.toContain('urgent');
    expect(await listConfirmAdvice('Ana')).toEqual([
      'Ya no aparece en el calendario de Foro Nuevo.',
      'No longer in Foro Nuevo’s calendar.',
    ]);
    serve(...THREE);
    await pull(PUBLISH);
    expect([await list(), await listQueue()]).toEqual([before, []]);
    expect(await listConfirmAdvice('Ana')).toEqual([]);
    // Missing again is reported again; a report that an editor decided on is not repeated.
    serve(...THREE.slice(1));
    for (let times = 0; times < 2; times += 1) await pull(PUBLISH);
    const [one] = await listQueueRows(inbox);
    const reviewed = { reference: one?.reference ?? '', revision: 1 };
    await applyVerdict(inbox, ANA, 'done', reviewed.reference, [reviewed]);
    await pull(PUBLISH);
    expect([await listQueue(), await listConfirmAdvice('Ana')]).toEqual([[], []]);
  });

  test('stop the source if there are more than five or a fifth, until an editor confirms', async () => {
    const thirty = Array.from({ length: 30 }, (_, n) => toEvent(`Noche${n}`, (n % 28) + 1));
    serve(...thirty);
    await pull(PUBLISH);
    serve(...thirty.slice(6));
    for (let times = 0; times < 3; times += 1) expect((await pull()).problem).toBe('stopped');
    expect(await listQueue()).toEqual([]);
    serve(...thirty.slice(5));
    await pull();
    expect((await listQueue()).length).toBe(5);
    serve(...thirty.slice(20));
    await pull({}, true);
    expect((await listQueue()).length).toBe(20);
  });
});

test('an event with the UID of another source’s event waits, unless they are the same', async () => {
  const uno = toEvent('Xilófono', 1);
  serve(uno);
  await pull(PUBLISH);
  const uid = /^UID:.*$/m.exec(uno)?.[0] ?? '';
  serve(toEvent('Marimba', 9).replace(/^UID:.*$/m, uid));
  const other = server.source({ ...PUBLISH, key: 'otro' });
  const { brought } = await server.pull({ inbox, snapshot: town.snapshot, now_ms }, other);
  expect(brought).toMatchObject({ events: 1, new: 1, known: 0, published: 0 });
});

test('an event of two sources is listed once, as in its venue’s own calendar', async () => {
  const venue_id = deriveId('venue', 'malecon-inventado');
  const own = server.source({ key: 'malecon', venue_id, trust: 'changes' });
  const uno = toEvent('Xilófono Ana', 1, 'URL:https://uno.example/ana\n');
  const pullOwn = (day: number, more = '') => {
    const event = toEvent('Xilófono Ana', day, `URL:https://malecon.example/ana\n${more}`);
    serve(event.replace('UID:', 'UID:other'));
    return server.pull({ inbox, snapshot: town.snapshot, now_ms }, own);
  };
  const listDays = async () => {
    const { occurrences } = await loadDatasetWithInbox(inbox, EMPTY_LEDGER, now_ms);
    const { id } = await readEvent('Xilófono Ana');
    const is_own = ({ event }: { event: string }) => event === id;
    return occurrences.filter(is_own).map(({ start, status }) => `${start.slice(0, 10)} ${status}`);
  };
  serve(uno);
  await pull(PUBLISH);
  // Before any release contains it; the other source keeps the old date.
  for (const day of [1, 1, 2]) await pullOwn(day);
  serve(uno, toEvent('Xilófono Bea', 1), toEvent('Xilófono Caro', 2));
  await pull(PUBLISH);
  expect([await listDays(), await list()]).toEqual([
    ['2026-12-02 scheduled'],
    // Similar to an existing event: an editor has not decided yet if it is the same.
    ['Xilófono Bea publish waiting', 'Xilófono Caro publish waiting'],
  ]);
  const released = openTestSnapshot(
    await loadDatasetWithInbox(inbox, EMPTY_LEDGER, now_ms),
    now_ms,
  );
  const desk = { inbox, snapshot: released, now_ms };
  const listAddresses = async () => {
    await server.pull(desk, server.source(PUBLISH));
    const { source_url, other_source_urls } = await readEvent('Xilófono Ana');
    return [source_url, ...other_source_urls];
  };
  const both = ['https://malecon.example/ana', 'https://uno.example/ana'];
  expect(await listAddresses()).toEqual(both);
  const [last] = await listDecisions(inbox, 1);
  await undoDecision(inbox, last?.id ?? 0, ANA);
  expect(await listAddresses()).toEqual(both.slice(0, 1));
  await pullOwn(2, 'STATUS:CANCELLED\n');
  serve(uno, toEvent('Xilófono Ana', 9).replace('UID:', 'UID:moved'));
  await pull(PUBLISH);
  const titles = await queryColumn(
    inbox,
    "select distinct title from changes where asks = 'publish'",
  );
  expect([await listDays(), titles.length]).toEqual([['2026-12-02 cancelled'], 3]);
  expect(await list()).toContain('Xilófono Ana publish waiting');
});

test('events that one source lists separately are never merged, however similar', async () => {
  const ana = toEvent('Xilófono Ana', 1);
  serve(ana);
  await pull(PUBLISH);
  const early = ana.replace('UID:', 'UID:b').replace('T200000', 'T180000');
  serve(ana, toEvent('Xilófono Bea', 1), early);
  await pull(PUBLISH);
  const names = ['Ana', 'Ana', 'Bea'];
  expect(await list()).toEqual(names.map((name) => `Xilófono ${name}* publish applied`));
  // With changing UIDs, the only event of its title is matched even on another day.
  for (const day of [10, 11]) {
    serve(toEvent('Zeta', day).replace('UID:', `UID:${day}`));
    await pull(PUBLISH, false);
  }
  expect((await find('Zeta')).text.start.slice(0, 10)).toBe('2026-12-11');
});

const FEEDS = join(import.meta.dirname, '../fixtures/feeds');
const FILES = readdirSync(FEEDS).filter((name) => name.endsWith('.ics'));
test.each(FILES)('rereading %s loses, duplicates and changes no event', async (name) => {
  const text = readFileSync(join(FEEDS, name), 'utf8');
  // At the median month of its events, so that some are upcoming.
  const starts = text.matchAll(/^DTSTART[^:]*:(20\d\d)(\d\d)/gm);
  const years = Array.from(starts, ([, year, month]) => `${year}-${month}`);
  now_ms = Date.parse(`${years.toSorted()[Math.floor(years.length / 2)]}-01T00:00:00-05:00`);
  server.serve(text.includes('END:VCALENDAR') ? text : `${text}END:VCALENDAR\n`);
  const at_own = { ...PUBLISH, venue_id: deriveId('venue', 'malecon-inventado') };
  const { brought, problem } = await pull(at_own);
  expect(problem).toBeNull();
  const { events = 0, new: fresh = 0, known = 0, cancelled = 0, incomplete = 0 } = brought;
  expect([fresh + known + cancelled, incomplete]).toEqual([events, 0]);
  const before = await list();
  expect(before.length).toBe(fresh);
  for (let times = 0; times < 2; times += 1)
    expect((await pull(at_own)).brought).toMatchObject({ changed: 0, gone: 0, published: 0 });
  expect(await list()).toEqual(before);
});

test('a trusted source publishes a repetition without its holidays, which the desk can see', async () => {
  serve(toEvent('Ana', 4, 'RRULE:FREQ=WEEKLY;UNTIL=20270115T235900\n'));
  await pull(PUBLISH);
  expect(await list()).toEqual(['Ana* publish applied']);
  const { text } = await find('Ana');
  expect(text.dates).toEqual(['2026-12-11', '2026-12-18', '2027-01-08', '2027-01-15']);
  expect(text.resting).toEqual(['2026-12-25', '2027-01-01']);
  await pull(PUBLISH);
  expect(await list()).toEqual(['Ana* publish applied']);
});
