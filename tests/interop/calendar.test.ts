// Our calendars as other programs have them (contract 12): read by vobject, shown by khal in any zone, and kept by
// vdirsyncer through an edit, a cancellation and a postponement.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toFeedRange } from '../../src/domain/query/days.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { LIMITS } from '../../src/domain/query/parameters.ts';
import { findOccurrences, type FoundOccurrence } from '../../src/snapshot/find-events.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { ask } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { listenHere, makeFolder } from '../fixtures/folder.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { startTown } from '../fixtures/released-town.ts';
import { createSubscriber, readWithVobject, type Shown } from './calendar/clients.ts';

const CONTENT = resolve(import.meta.dirname, '../../content');
const HOUR_MS = 3_600_000;
const folder = makeFolder();

const MARKS = { scheduled: '', cancelled: 'CANCELADO: ', postponed: 'POSPUESTO: ' } as const;
const STATUSES = {
  scheduled: 'CONFIRMED',
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE',
} as const;

/** What every reader must find of an occurrence. */
const toExpected = ({ card, occurrence: o }: FoundOccurrence) => ({
  uid: `${o.id}@hoycancun`,
  sequence: o.sequence,
  summary: `${MARKS[o.status]}${card.event.title.es}`,
  status: STATUSES[o.status],
  start: { value: o.all_day ? o.start.slice(0, 10) : o.start, all_day: o.all_day },
  end: { value: o.all_day ? o.end.slice(0, 10) : o.end, all_day: o.all_day },
  contact: card.organizer?.name ?? null,
  url: `https://agenda.example/eventos/${card.event.slug.es}`,
  categories: [card.category?.name.es, ...card.event.tags].filter((name) => name !== undefined),
});

describe.each([
  [
    'the real town',
    'Asia/Tokyo',
    14,
    () => openFixture(readDataset(CONTENT, EMPTY_LEDGER, FRIDAY_NOON_MS), FRIDAY_NOON_MS),
  ],
  ['a town of hostile titles', 'America/Los_Angeles', -3, () => openMadeUpTown(120)],
] as const)('%s', (_, zone, hours_later, open) => {
  let opened: ReturnType<typeof open>;
  let feed: string;
  let found: readonly FoundOccurrence[];
  beforeAll(() => {
    opened = open();
    feed = String(ask(opened.snapshot, '/api/v1/events.ics').body);
    const filter = toOpenFilter(FRIDAY_NOON_MS, LIMITS.feed.max);
    const range = toFeedRange(FRIDAY_NOON_MS);
    found = findOccurrences(opened.snapshot, { ...filter, range }).items;
    expect(found.length).toBeGreaterThan(100);
  });
  afterAll(() => opened.close());

  test('is understood by vobject, word for word and to the minute', async () => {
    const { name, events } = await readWithVobject(feed);
    expect(name).toBe('Hoy Cancún');
    expect(events.map(({ description: _words, location: _place, ...event }) => event)).toEqual(
      found.map(toExpected),
    );
    for (const [at, { description, location }] of events.entries()) {
      const card = found[at]?.card;
      expect(description?.startsWith(card?.event.summary.es ?? '?'), card?.event.id).toBe(true);
      expect(location ?? '').toContain(card?.venue?.name ?? '');
    }
  });

  test(`khal shows it at the right hour in ${zone}`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const khal = await createSubscriber(home, zone, '');
    writeFileSync(join(home, 'feed.ics'), feed);
    await khal.importFile(join(home, 'feed.ics'));
    const shown = await khal.show('2026-11-01', '2027-03-31');
    const toLocal = (timestamp: string): string =>
      new Date(Date.parse(`${timestamp.slice(0, 19)}Z`) + hours_later * HOUR_MS)
        .toISOString()
        .slice(0, 16);
    const toLines = (lines: readonly (readonly string[])[]) =>
      lines.map((line) => line.join(' ')).sort();
    const [timed, days] = [false, true].map((all_day) =>
      found.filter(({ occurrence }) => occurrence.all_day === all_day).map(toExpected),
    );
    expect(
      toLines(
        shown
          .filter(({ start }) => start.includes('T'))
          .map(({ uid, start, end, status }) => [uid, start, end, status]),
      ),
    ).toEqual(
      toLines(
        (timed ?? []).map(({ uid, start, end, status }) => [
          ...[uid, toLocal(start.value), toLocal(end.value), status],
        ]),
      ),
    );
    // An all-day one is on its days in every zone; khal names its last day, iCalendar the day after.
    expect(
      new Set(shown.filter(({ start }) => !start.includes('T')).map(({ uid }) => uid)),
    ).toEqual(new Set(days?.map(({ uid }) => uid)));
  });
});

const find = (all: readonly Shown[], word: string): readonly string[] =>
  all
    .filter(({ title }) => title.includes(word))
    .map(({ start, title, status }) => `${start} ${title} ${status}`);
const without = (all: readonly Shown[], ...words: readonly string[]): readonly Shown[] =>
  all.filter(({ title }) => !words.some((word) => title.includes(word)));

test('a subscription shows an edit, another hour, a cancellation and a postponement, nothing twice', {
  timeout: 120_000,
}, async () => {
  const town = startTown(join(folder, 'content'));
  let now_ms = FRIDAY_NOON_MS;
  let served = town.release(now_ms);
  const server = createServer((request, response) => {
    const { status, headers, body } = ask(served.snapshot, request.url ?? '', { now_ms });
    response.writeHead(status, { ...headers }).end(body);
  });
  const port = await listenHere(server);
  const feed_url = `http://127.0.0.1:${port}/api/v1/events.ics`;
  const home = mkdtempSync(join(folder, 'home-'));
  const subscriber = await createSubscriber(home, 'America/Cancun', feed_url);
  await subscriber.subscribe();

  /** What the client shows, none twice, by whatever name. */
  const readCalendar = async (): Promise<readonly Shown[]> => {
    await subscriber.sync();
    const shown = await subscriber.show('2026-11-20', '2026-12-13');
    const names = shown.map(({ start, location, title }) =>
      [start, location, title.replace(/^(CANCELADO|POSPUESTO): /, '')].join(' '),
    );
    for (const keys of [shown.map(({ uid }) => uid), names])
      expect(new Set(keys).size, 'nothing twice').toBe(shown.length);
    return shown;
  };
  /** The same after another release, an hour later. */
  const release = () => {
    now_ms += HOUR_MS;
    served = town.release(now_ms);
    return readCalendar();
  };
  /** The revision of each entry of the feed, by UID. */
  const readRevisions = async (): Promise<ReadonlyMap<string, number>> => {
    const entries = (await (await fetch(feed_url)).text()).matchAll(
      /^UID:(.*)\r\n[\s\S]*?^SEQUENCE:(\d+)\r$/gm,
    );
    return new Map(Array.from(entries, ([, uid = '', sequence]) => [uid, Number(sequence)]));
  };

  const first = await readCalendar();
  expect(find(first, 'Concierto')).toEqual(['2026-11-20T19:00 Concierto único; "a", b CONFIRMED']);
  expect(find(first, 'Obra')).toEqual(['2026-11-28T20:00 POSPUESTO: Obra pospuesta TENTATIVE']);
  expect(await release(), 'nothing has changed').toEqual(first);

  town.edit('events/concierto-unico', /Concierto único; \\"a\\", b/, 'Concierto, con otro nombre');
  town.edit('events/concierto-unico', /start: "19:00"/, 'start: "20:30"');
  const edited = await release();
  expect(find(edited, 'Concierto')).toEqual([
    '2026-11-20T20:30 Concierto, con otro nombre CONFIRMED',
  ]);
  expect(without(edited, 'Concierto')).toEqual(without(first, 'Concierto'));

  const revisions = await readRevisions();
  const CALLED_OFF = '  - { date: 2026-11-27, status: cancelled }\n';
  const changes = `changes:\n${CALLED_OFF}  - { date: 2026-12-04, status: postponed }\nsources:`;
  town.edit('events/fiesta-de-viernes', /sources:/, changes);
  town.edit('events/obra-pospuesta', /status: postponed/, 'status: published');
  const changed = await release();
  expect(find(changed, 'Fiesta')).toEqual([
    '2026-11-20T22:00 ¡Fiesta de viernes! CONFIRMED',
    '2026-11-27T22:00 CANCELADO: ¡Fiesta de viernes! CANCELLED',
    '2026-12-04T22:00 POSPUESTO: ¡Fiesta de viernes! TENTATIVE',
    '2026-12-11T22:00 ¡Fiesta de viernes! CONFIRMED',
  ]);
  expect(find(changed, 'Obra')).toEqual(['2026-11-28T20:00 Obra pospuesta CONFIRMED']);
  expect(without(changed, 'Fiesta', 'Obra')).toEqual(without(edited, 'Fiesta', 'Obra'));
  const revised = await readRevisions();
  expect([...revised.keys()], 'the same entries').toEqual([...revisions.keys()]);
  expect(
    [...revised]
      .filter(([uid, sequence]) => sequence !== revisions.get(uid))
      .map(([uid, sequence]) => [uid.slice(14, 22), sequence - (revisions.get(uid) ?? 0)]),
  ).toEqual([
    ['20261127', 1],
    ['20261128', 1],
    ['20261204', 1],
  ]);

  town.edit('events/fiesta-de-viernes', new RegExp(CALLED_OFF), '');
  expect(find(await release(), 'Fiesta')[1]).toBe('2026-11-27T22:00 ¡Fiesta de viernes! CONFIRMED');
  server.close();
  town.stop();
});
