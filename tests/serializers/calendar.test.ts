// Calendars by their bytes, by a golden file, and read back by an independent parser (RFC 5545;
// contract 12).
import type { DayRange } from '../../src/domain/cancun-time.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { foldLine, toCalendar, toQuoted, toTextValue } from '../../src/serializers/calendar.ts';
import { toLine } from '../../src/serializers/plain-text.ts';
import { findOccurrences } from '../../src/snapshot/find-events.ts';
import type { Snapshot } from '../../src/snapshot/open.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { startTown } from '../fixtures/released-town.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const RANGE = {
  from: Temporal.PlainDate.from('2026-11-01'),
  to: Temporal.PlainDate.from('2026-12-31'),
};
const unfold = (text: string): string => text.replaceAll('\r\n ', '');

const TEN_DAYS = {
  from: Temporal.PlainDate.from('2026-11-19'),
  to: Temporal.PlainDate.from('2026-11-28'),
};

function write(snapshot: Snapshot, lang: Lang, range: DayRange = RANGE): string {
  const { items } = findOccurrences(snapshot, { ...toOpenFilter(FRIDAY_NOON_MS, 1000), range });
  return toCalendar(items, {
    name: 'Prueba; a, b',
    description: 'Dos\nlíneas',
    page_url: `${SITE.url}/hoy`,
    feed_url: `${SITE.url}/a.ics?x=1`,
    lang,
    site: SITE,
  });
}

describe('folding', () => {
  test.each([
    ['74 octets', 'a'.repeat(74), 1],
    ['75 octets', 'a'.repeat(75), 1],
    ['76 octets', 'a'.repeat(76), 2],
    ['149 octets, the second line full with its space', 'a'.repeat(149), 2],
    ['150 octets', 'a'.repeat(150), 3],
    ['two octets a letter, the 75th inside one', `a${'ñ'.repeat(37)}`, 1],
    ['two octets a letter, cut before 75', 'ñ'.repeat(38), 2],
    ['three octets a letter', '祭'.repeat(26), 2],
    ['four octets a letter', '🎺'.repeat(19), 2],
  ])('of %s', (_name, line, lines) => {
    const folded = foldLine(line);
    expect(folded.split('\r\n').slice(0, -1)).toHaveLength(lines);
    expect(unfold(folded)).toBe(`${line}\r\n`);
    for (const part of folded.split('\r\n')) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
      expect(part.isWellFormed()).toBe(true);
    }
  });
});

describe('text values', () => {
  test.each([
    ['a;b,c\\d', 'a\\;b\\,c\\\\d'],
    ['uno\r\ndos\rtres\u2028cuatro', 'uno\\ndos\\ntres\\ncuatro'],
    ['uno\n\n\n\ndos', 'uno\\n\\ndos'],
    ['\u0000a\u0007b\u202ec\u200bd\u{e0041}', 'abcd'],
    ['👩‍👩‍👧 "comillas": bien', '👩‍👩‍👧 "comillas": bien'],
    ['\\n', '\\\\n'],
  ])('%j', (text, value) => {
    expect(toTextValue(text)).toBe(value);
  });

  test('in quotes follow RFC 6868', () => {
    expect(toQuoted('a "b" ^ c\nd')).toBe('"a ^\'b^\' ^^ c^nd"');
  });
});

describe('a calendar of the small town', () => {
  const { snapshot, close } = openFixture();
  afterAll(close);

  test.each(['es', 'en'] as const)('reads as written (%s)', async (lang) => {
    await expect(write(snapshot, lang, TEN_DAYS)).toMatchFileSnapshot(`golden/feed.${lang}.ics`);
  });
});

test('a date at another hour of its day is the same one in calendars, once more revised', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-hour-'));
  const town = startTown(join(folder, 'content'));
  const tell = (now_ms: number) => {
    const calendar = ICAL.Component.fromString(write(town.release(now_ms).snapshot, 'es'));
    const event = calendar
      .getAllSubcomponents('vevent')
      .find((one) => String(one.getFirstPropertyValue('summary')).startsWith('Concierto'));
    return ['uid', 'sequence', 'dtstart', 'last-modified'].map((name) =>
      String(event?.getFirstPropertyValue(name)),
    );
  };
  const [uid, ...before] = tell(FRIDAY_NOON_MS);
  town.edit('events/concierto-unico', /19:00/, '19:30');
  expect(before).toEqual(['0', '2026-11-20T19:00:00', '2026-11-20T17:00:00Z']);
  expect(tell(FRIDAY_NOON_MS + 60_000)).toEqual([
    ...[uid, '1', '2026-11-20T19:30:00', '2026-11-20T17:01:00Z'],
  ]);
  town.stop();
  rmSync(folder, { recursive: true });
});

describe('a calendar of hostile words', () => {
  let snapshot: Snapshot;
  let close: () => void;
  beforeAll(() => {
    ({ snapshot, close } = openMadeUpTown(210));
  });
  afterAll(() => close());

  test('has CRLF everywhere, no line over 75 octets, no control character', () => {
    const text = write(snapshot, 'es');
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    for (const line of text.slice(0, -2).split('\r\n')) {
      expect(line).not.toMatch(/[\p{Cc}]/u);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line.isWellFormed()).toBe(true);
    }
  });

  test('comes back from an independent parser as it went in', () => {
    const { items } = findOccurrences(snapshot, {
      ...toOpenFilter(FRIDAY_NOON_MS, 1000),
      range: RANGE,
    });
    const calendar = ICAL.Component.fromString(write(snapshot, 'es'));
    const events = calendar.getAllSubcomponents('vevent');
    expect(events).toHaveLength(items.length);
    const prefix = { scheduled: '', cancelled: 'CANCELADO: ', postponed: 'POSPUESTO: ' } as const;
    items.forEach(({ card, occurrence }, at) => {
      const event = new ICAL.Event(events[at]);
      expect(event.uid).toBe(`${occurrence.id}@hoycancun`);
      expect(event.summary).toBe(`${prefix[occurrence.status]}${toLine(card.event.title.es)}`);
      expect(event.startDate.toString().slice(0, 10)).toBe(occurrence.start.slice(0, 10));
      expect(event.endDate.toString().slice(0, 10)).toBe(occurrence.end.slice(0, 10));
      expect(event.startDate.isDate).toBe(occurrence.all_day);
      if (!occurrence.all_day)
        expect(event.startDate.toString()).toBe(occurrence.start.slice(0, 19));
      expect(events[at]?.getFirstPropertyValue('url')).toBe(
        `${SITE.url}/eventos/${card.event.slug.es}`,
      );
      expect(events[at]?.getAllSubcomponents()).toEqual([]);
    });
    expect(new Set(events.map((event) => event.getFirstPropertyValue('uid'))).size).toBe(
      events.length,
    );
  });

  test('says its zone so that every hour is five behind UTC', () => {
    const calendar = ICAL.Component.fromString(write(snapshot, 'es', TEN_DAYS));
    const zone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone') ?? undefined);
    for (const local of ['2015-02-01T03:00:00', '2026-01-15T12:00:00', '2026-07-15T12:00:00']) {
      const time = ICAL.Time.fromDateTimeString(local);
      expect(zone.utcOffset(time)).toBe(-5 * 3600);
    }
  });
});
