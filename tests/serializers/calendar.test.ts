// Calendars by their bytes, by golden files, and read back by an independent parser (RFC 5545; contract 12); the
// address that opens Google's form with one date filled in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import type { EventDetail } from '../../src/domain/agenda.ts';
import type { DayRange } from '../../src/domain/cancun-time.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import {
  foldLine,
  toCalendar,
  toGoogleTemplateUrl,
  toQuoted,
  toTextValue,
} from '../../src/serializers/calendar.ts';
import { toLine } from '../../src/serializers/plain-text.ts';
import { findOccurrences } from '../../src/snapshot/find-events.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';
import type { Snapshot } from '../../src/snapshot/open.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { startTown } from '../fixtures/released-town.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot: town, close } = openFixture();
afterAll(close);

const toDays = (from: string, to: string): DayRange => ({
  from: Temporal.PlainDate.from(from),
  to: Temporal.PlainDate.from(to),
});
const TWO_MONTHS = toDays('2026-11-01', '2026-12-31');
const listOccurrences = (snapshot: Snapshot, range: DayRange) =>
  findOccurrences(snapshot, { ...toOpenFilter(FRIDAY_NOON_MS, 1000), range }).items;

const write = (snapshot: Snapshot, lang: Lang, range = TWO_MONTHS): string =>
  toCalendar(listOccurrences(snapshot, range), {
    name: 'Prueba; a, b',
    description: 'Dos\nlíneas',
    page_url: `${SITE.url}/hoy`,
    feed_url: `${SITE.url}/a.ics?x=1`,
    lang,
    site: SITE,
  });

test.each([
  ['75 octets', 'a'.repeat(75), 1],
  ['76 octets', 'a'.repeat(76), 2],
  ['149 octets, the second line full with its space', 'a'.repeat(149), 2],
  ['150 octets', 'a'.repeat(150), 3],
  ['two octets a letter, cut before 75', 'ñ'.repeat(38), 2],
  ['four octets a letter', '🎺'.repeat(19), 2],
])('a line of %s is folded', (_name, line, lines) => {
  const folded = foldLine(line);
  expect(folded.split('\r\n').slice(0, -1)).toHaveLength(lines);
  expect(folded.replaceAll('\r\n ', '')).toBe(`${line}\r\n`);
  for (const part of folded.split('\r\n')) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
    expect(part.isWellFormed()).toBe(true);
  }
});

test.each([
  ['a;b,c\\d', 'a\\;b\\,c\\\\d'],
  ['uno\r\ndos\rtres\u2028cuatro', 'uno\\ndos\\ntres\\ncuatro'],
  ['uno\n\n\n\ndos', 'uno\\n\\ndos'],
  ['\u0000a\u0007b\u202ec\u200bd\u{e0041}', 'abcd'],
  ['👩‍👩‍👧 "comillas": bien', '👩‍👩‍👧 "comillas": bien'],
  ['\\n', '\\\\n'],
])('the text %j is written %j', (text, value) => {
  expect(toTextValue(text)).toBe(value);
});

test('a parameter in quotes follows RFC 6868', () => {
  expect(toQuoted('a "b" ^ c\nd')).toBe('"a ^\'b^\' ^^ c^nd"');
});

test('a calendar of the small town reads as written', async () => {
  const days = toDays('2026-11-21', '2026-11-21');
  await expect(write(town, 'es', days)).toMatchFileSnapshot('golden/feed.es.ics');
});

test('a date at another hour of its day is the same one in calendars, once more revised', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-hour-'));
  const released = startTown(join(folder, 'content'));
  const tell = (now_ms: number) => {
    const calendar = ICAL.Component.fromString(write(released.release(now_ms).snapshot, 'es'));
    const event = calendar
      .getAllSubcomponents('vevent')
      .find((one) => String(one.getFirstPropertyValue('summary')).startsWith('Concierto'));
    return ['uid', 'sequence', 'dtstart', 'last-modified'].map((name) =>
      String(event?.getFirstPropertyValue(name)),
    );
  };
  const [uid, ...before] = tell(FRIDAY_NOON_MS);
  released.edit('events/concierto-unico', /19:00/, '19:30');
  expect(before).toEqual(['0', '2026-11-20T19:00:00', '2026-11-20T17:00:00Z']);
  expect(tell(FRIDAY_NOON_MS + 60_000)).toEqual([
    ...[uid, '1', '2026-11-20T19:30:00', '2026-11-20T17:01:00Z'],
  ]);
  released.stop();
  rmSync(folder, { recursive: true });
});

describe('a calendar of hostile words', () => {
  const { snapshot, close: closeTown } = openMadeUpTown(210);
  afterAll(closeTown);
  const text = write(snapshot, 'es');

  test('comes back from an independent parser as it went in', () => {
    const prefix = { scheduled: '', cancelled: 'CANCELADO: ', postponed: 'POSPUESTO: ' } as const;
    const events = ICAL.Component.fromString(text).getAllSubcomponents('vevent');
    expect(events.flatMap((event) => event.getAllSubcomponents())).toEqual([]);
    expect(
      events.map((component) => {
        const { uid, summary, startDate, endDate } = new ICAL.Event(component);
        const url = component.getFirstPropertyValue('url');
        return { uid, summary, start: startDate.toString(), end: endDate.toString(), url };
      }),
    ).toEqual(
      listOccurrences(snapshot, TWO_MONTHS).map(({ card: { event }, occurrence }) => {
        const { id, status, start, end, all_day } = occurrence;
        return {
          uid: `${id}@hoycancun`,
          summary: `${prefix[status]}${toLine(event.title.es)}`,
          start: start.slice(0, all_day ? 10 : 19),
          end: end.slice(0, all_day ? 10 : 19),
          url: `${SITE.url}/eventos/${event.slug.es}`,
        };
      }),
    );
  });

  test('says its zone so that every hour is five behind UTC', () => {
    const calendar = ICAL.Component.fromString(text);
    const zone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone') ?? undefined);
    for (const local of ['2015-02-01T03:00:00', '2026-01-15T12:00:00', '2026-07-15T12:00:00'])
      expect(zone.utcOffset(ICAL.Time.fromDateTimeString(local))).toBe(-5 * 3600);
  });
});

describe("Google's form", () => {
  const read = (slug: string): EventDetail => {
    const detail = getEvent(town, slug, FRIDAY_NOON_MS);
    if (detail === null || detail === 'gone') throw new Error(slug);
    return detail;
  };
  function fill(detail: EventDetail, lang: Lang = 'es'): Readonly<Record<string, string>> {
    if (detail.next === null) throw new Error('no date');
    const url = new URL(toGoogleTemplateUrl(detail, detail.next, lang, SITE));
    expect(`${url.origin}${url.pathname}`).toBe('https://calendar.google.com/calendar/render');
    return Object.fromEntries(url.searchParams);
  }

  test('has local hours with their zone, the place, and the event page at the end', () => {
    expect(fill(read('feria-diaria'), 'en')).toMatchObject({
      action: 'TEMPLATE',
      text: 'Everyday Fair',
      dates: '20261120T100000/20261120T140000',
      ctz: 'America/Cancun',
      location: 'Malecón Inventado, Av. de Mentiras 1, Cancún, Quintana Roo',
      details: expect.stringMatching(
        /Free[\s\S]*\n\nhttps:\/\/agenda\.example\/en\/events\/everyday-fair$/,
      ),
    });
    // Whole days, with the exclusive end.
    expect(fill(read('exposicion-larga')).dates).toBe('20261101/20261231');
  });

  test('stays an address that browsers take, whatever the event says', () => {
    const detail = read('feria-diaria');
    const long = { es: 'Música & baile = "todo" '.repeat(300), en: 'x' };
    const filled = fill({ ...detail, event: { ...detail.event, summary: long } });
    expect(filled.details?.length).toBeLessThanOrEqual(1_200);
    expect(filled.details).toMatch(/ …\n\nhttps:\/\/agenda\.example\/eventos\/feria-diaria$/);
  });
});
