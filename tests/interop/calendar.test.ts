// Our calendars read back by three parsers that are not ours, and shown by khal: real town and
// hostile titles (contract 12).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { LIMITS } from '../../src/domain/query/parameters.ts';
import { toFeedRange } from '../../src/domain/query/days.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { findOccurrences, type FoundOccurrence } from '../../src/snapshot/find-events.ts';
import type { Snapshot } from '../../src/snapshot/open.ts';
import { ask } from '../fixtures/ask.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { createSubscriber, type ReadCalendar, readWith } from './calendar/clients.ts';

const CONTENT = resolve(import.meta.dirname, '../../content');
const folder = mkdtempSync(join(tmpdir(), 'hoy-calendar-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What every reader must find of an occurrence. */
interface Expected {
  readonly uid: string;
  readonly summary: string;
  readonly status: string;
  readonly all_day: boolean;
  readonly start: string;
  readonly end: string;
  readonly contact: string | null;
}
const MARKS = { scheduled: '', cancelled: 'CANCELADO: ', postponed: 'POSPUESTO: ' } as const;
const STATUSES = {
  scheduled: 'CONFIRMED',
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE',
} as const;

const toExpected = ({ card, occurrence: o }: FoundOccurrence): Expected => ({
  uid: `${o.id}@hoycancun`,
  summary: `${MARKS[o.status]}${card.event.title.es}`,
  status: STATUSES[o.status],
  all_day: o.all_day,
  start: o.all_day ? o.start.slice(0, 10) : o.start,
  end: o.all_day ? o.end.slice(0, 10) : o.end,
  contact: card.organizer?.name ?? null,
});
const expectedOf = (snapshot: Snapshot): readonly FoundOccurrence[] =>
  findOccurrences(snapshot, {
    ...toOpenFilter(FRIDAY_NOON_MS, LIMITS.feed.max),
    range: toFeedRange(FRIDAY_NOON_MS),
  }).items;

function readWithOracle(text: string): ReadCalendar {
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

/**
 * Words as a parser gives them back. icalendar 4 takes escapes in turns instead of from left to
 * right, so a backslash of the text itself joins what follows it; the other two read what RFC 5545
 * section 3.3.11 says.
 */
const AS_READ: Readonly<Record<'ical.js' | 'vobject' | 'icalendar', (text: string) => string>> = {
  'ical.js': (text) => text,
  vobject: (text) => text,
  icalendar: (text) => text.replaceAll('\\n', '\n').replace(/\\([,;])/g, '$1'),
};

const TOWNS = {
  'the real town': () =>
    openFixture(readDataset(CONTENT, EMPTY_LEDGER, FRIDAY_NOON_MS), FRIDAY_NOON_MS),
  'a town of hostile titles': () => openMadeUpTown(120),
} as const;

describe.each(Object.entries(TOWNS))('%s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let feed: string;
  let found: readonly FoundOccurrence[];
  beforeAll(() => {
    opened = open();
    feed = String(ask(opened.snapshot, '/api/v1/events.ics').body);
    found = expectedOf(opened.snapshot);
    expect(found.length).toBeGreaterThan(100);
  });
  afterAll(() => opened.close());

  test.each(['ical.js', 'vobject', 'icalendar'] as const)(
    'is understood by %s, word for word and to the minute',
    async (parser) => {
      const read = parser === 'ical.js' ? readWithOracle(feed) : await readWith(parser, feed);
      expect(read.name).toBe('Hoy Cancún');
      expect(
        read.events.map(({ uid, summary, status, start, end, contact }) => ({
          uid,
          summary,
          status,
          all_day: start.all_day,
          start: start.value,
          end: end.value,
          contact,
        })),
      ).toEqual(
        found.map(toExpected).map((one) => ({ ...one, summary: AS_READ[parser](one.summary) })),
      );
      read.events.forEach((event, i) => {
        const { card, occurrence } = found[i] ?? {};
        expect(event.description?.startsWith(card?.event.summary.es ?? '?'), event.uid).toBe(true);
        if (card?.venue) expect(event.location).toContain(card.venue.name);
        expect(event.categories).toEqual(
          [card?.category?.name.es, ...(card?.event.tags ?? [])].filter(
            (name) => name !== undefined,
          ),
        );
        expect(event.url).toBe(`https://agenda.example/eventos/${card?.event.slug.es}`);
        expect(event.sequence).toBe(occurrence?.sequence);
      });
    },
  );

  test('all three understand the same, in English too', async () => {
    const english = String(
      ask(opened.snapshot, '/api/v1/events.ics?lang=en&category=markets,party,family').body,
    );
    const oracle = readWithOracle(english);
    expect(oracle.events.length).toBeGreaterThan(5);
    for (const parser of ['vobject', 'icalendar'] as const) {
      const as_read = oracle.events.map((event) => ({
        ...event,
        summary: AS_READ[parser](event.summary),
      }));
      expect(await readWith(parser, english)).toEqual({ ...oracle, events: as_read });
    }
  });

  test.each(['vobject', 'icalendar'] as const)(
    'one date, and the dates to follow, are the entries of the feed to %s',
    async (parser) => {
      const [first] = found;
      if (first === undefined) throw new Error('no event');
      const { card, occurrence } = first;
      const read = async (address: string): Promise<ReadCalendar> =>
        readWith(parser, String(ask(opened.snapshot, address).body));
      const in_feed = (await readWith(parser, feed)).events.filter((one) =>
        one.uid.startsWith(`${card.event.id}-`),
      );
      const day = occurrence.start.slice(0, 10);
      const saved = await read(`/api/v1/events/${card.event.id}.ics?date=${day}`);
      expect(saved.events.length).toBeGreaterThan(0);
      for (const event of saved.events) expect(in_feed).toContainEqual(event);
      const followed = await read(`/events/${card.event.slug.es}.ics`);
      expect(followed.events.map(({ uid }) => uid)).toEqual(
        expect.arrayContaining(in_feed.slice(0, 50).map(({ uid }) => uid)),
      );
    },
  );

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
    const toLocal = (timestamp: string): string =>
      new Date(Date.parse(`${timestamp.slice(0, 19)}Z`) + hours_later * 3_600_000)
        .toISOString()
        .slice(0, 16);
    const toLines = (
      all: readonly { uid: string; start: string; end: string; status: string }[],
    ): string[] =>
      all.map(({ uid, start, end, status }) => `${uid} ${start} ${end} ${status}`).sort();
    const timed = found.filter(({ occurrence }) => !occurrence.all_day);
    const expected = timed.map((item) => ({
      ...toExpected(item),
      start: toLocal(item.occurrence.start),
      end: toLocal(item.occurrence.end),
    }));
    expect(toLines(shown.filter(({ start }) => start.includes('T')))).toEqual(toLines(expected));
    // An all-day one is on its days in every zone; khal names its last day, iCalendar the day
    // after.
    const days = found.filter(({ occurrence }) => occurrence.all_day).map(toExpected);
    expect(
      new Set(shown.filter(({ start }) => !start.includes('T')).map(({ uid }) => uid)),
    ).toEqual(new Set(days.map(({ uid }) => uid)));
  });
});
