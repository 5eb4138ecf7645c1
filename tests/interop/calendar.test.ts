// Our calendars read back by two parsers that are not ours, and shown by khal: real town and hostile titles
// (contract 12).
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toFeedRange } from '../../src/domain/query/days.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { LIMITS } from '../../src/domain/query/parameters.ts';
import { findOccurrences, type FoundOccurrence } from '../../src/snapshot/find-events.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { ask } from '../fixtures/ask.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { createSubscriber, type ReadCalendar, readWithVobject } from './calendar/clients.ts';
import { makeFolder } from '../fixtures/folder.ts';

const CONTENT = resolve(import.meta.dirname, '../../content');
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

function readWithIcal(text: string): ReadCalendar {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const toMoment = (time: ICAL.Time) => ({
    value: time.isDate ? time.toString() : `${time.toString()}-05:00`,
    all_day: time.isDate,
  });
  const first = (item: ICAL.Component, name: string): string | null => {
    const value = item.getFirstPropertyValue(name);
    return value === null ? null : String(value);
  };
  return {
    // ical.js takes what it does not know as it is written.
    name: String(first(calendar, 'x-wr-calname')).replace(/\\([,;\\])/g, '$1'),
    events: calendar.getAllSubcomponents('vevent').map((item) => {
      const { uid, startDate, endDate, sequence } = new ICAL.Event(item);
      return {
        uid,
        sequence: Number(sequence),
        start: toMoment(startDate),
        end: toMoment(endDate),
        summary: first(item, 'summary') ?? '',
        status: first(item, 'status') ?? '',
        description: first(item, 'description'),
        location: first(item, 'location'),
        url: first(item, 'url'),
        contact: first(item, 'contact'),
        categories: item.getFirstProperty('categories')?.getValues().map(String) ?? [],
      };
    }),
  };
}

describe.each([
  [
    'the real town',
    () => openFixture(readDataset(CONTENT, EMPTY_LEDGER, FRIDAY_NOON_MS), FRIDAY_NOON_MS),
  ],
  ['a town of hostile titles', () => openMadeUpTown(120)],
] as const)('%s', (_, open) => {
  let opened: ReturnType<typeof open>;
  let feed: string;
  let found: readonly FoundOccurrence[];
  const read = (address: string): string => String(ask(opened.snapshot, address).body);
  beforeAll(() => {
    opened = open();
    feed = read('/api/v1/events.ics');
    const filter = toOpenFilter(FRIDAY_NOON_MS, LIMITS.feed.max);
    const range = toFeedRange(FRIDAY_NOON_MS);
    found = findOccurrences(opened.snapshot, { ...filter, range }).items;
    expect(found.length).toBeGreaterThan(100);
  });
  afterAll(() => opened.close());

  test.each([
    ['ical.js', readWithIcal],
    ['vobject', readWithVobject],
  ] as const)('is understood by %s, word for word and to the minute', async (__, parse) => {
    const { name, events } = await parse(feed);
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

  test('both understand the same, in English too', async () => {
    const english = read('/api/v1/events.ics?lang=en&category=markets,party,family');
    const calendar = readWithIcal(english);
    expect(calendar.events.length).toBeGreaterThan(5);
    expect(await readWithVobject(english)).toEqual(calendar);
  });

  test('one date, and the dates to follow, are the entries of the feed', async () => {
    const [first] = found;
    if (first === undefined) throw new Error('no event');
    const { id, slug } = first.card.event;
    const in_feed = (await readWithVobject(feed)).events.filter(({ uid }) =>
      uid.startsWith(`${id}-`),
    );
    const day = first.occurrence.start.slice(0, 10);
    const saved = await readWithVobject(read(`/api/v1/events/${id}.ics?date=${day}`));
    expect(saved.events.length).toBeGreaterThan(0);
    for (const event of saved.events) expect(in_feed).toContainEqual(event);
    const followed = await readWithVobject(read(`/events/${slug.es}.ics`));
    expect(followed.events.map(({ uid }) => uid)).toEqual(
      expect.arrayContaining(in_feed.slice(0, 50).map(({ uid }) => uid)),
    );
  });

  test.each([
    ['America/Cancun', 0],
    ['Asia/Tokyo', 14],
    ['America/Los_Angeles', -3],
  ])('khal shows it at the right hour in %s', async (zone, hours_later) => {
    const home = mkdtempSync(join(folder, 'home-'));
    const khal = await createSubscriber(home, zone, '');
    writeFileSync(join(home, 'feed.ics'), feed);
    await khal.importFile(join(home, 'feed.ics'));
    const shown = await khal.show('2026-11-01', '2027-03-31');
    const isTimed = ({ start }: { readonly start: string }): boolean => start.includes('T');
    const toLocal = (timestamp: string): string =>
      new Date(Date.parse(`${timestamp.slice(0, 19)}Z`) + hours_later * 3_600_000)
        .toISOString()
        .slice(0, 16);
    const timed = found.filter(({ occurrence }) => !occurrence.all_day).map(toExpected);
    expect(
      shown
        .filter(isTimed)
        .map(({ uid, start, end, status }) => `${uid} ${start} ${end} ${status}`)
        .sort(),
    ).toEqual(
      timed
        .map(({ uid, start, end, status }) =>
          [uid, toLocal(start.value), toLocal(end.value), status].join(' '),
        )
        .sort(),
    );
    // An all-day one is on its days in every zone; khal names its last day, iCalendar the day after.
    const days = found.filter(({ occurrence }) => occurrence.all_day).map(toExpected);
    expect(new Set(shown.filter((one) => !isTimed(one)).map(({ uid }) => uid))).toEqual(
      new Set(days.map(({ uid }) => uid)),
    );
  });
});
