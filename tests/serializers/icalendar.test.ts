// iCalendar serialization: golden files, and calendars parsed by an independent parser (RFC 5545; contract 12).
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { EventDetail } from '../../src/domain/agenda.ts';
import type { DayRange } from '../../src/domain/local-time.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import {
  foldIcsLine,
  serializeCalendar,
  googleEventUrl,
  quoteIcsParameter,
  escapeIcsText,
} from '../../src/serializers/icalendar.ts';
import { cleanLineText } from '../../src/serializers/sanitize-text.ts';
import { findOccurrences } from '../../src/snapshot/find-events.ts';
import { getEvent } from '../../src/snapshot/get-record.ts';
import type { Snapshot } from '../../src/snapshot/open-snapshot.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { SITE } from '../fixtures/site.ts';
import { STATUS } from '../fixtures/event-surfaces.ts';
import { FRIDAY_NOON_MS, openTestSnapshot, useFixture } from '../fixtures/fixture.ts';

const { snapshot: town } = useFixture();

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const TWO_MONTHS = { from: day('2026-11-01'), to: day('2026-12-31') };
const listOccurrences = (snapshot: Snapshot, range: DayRange) =>
  findOccurrences(snapshot, { ...unfilteredEventFilter(FRIDAY_NOON_MS, 1000), range }).items;

const write = (snapshot: Snapshot, lang: Lang, range = TWO_MONTHS): string =>
  serializeCalendar(listOccurrences(snapshot, range), {
    name: 'Prueba; a, b',
    description: 'Dos\nlíneas',
    page_url: `${SITE.url}/hoy`,
    feed_url: `${SITE.url}/a.ics?x=1`,
    lang,
    site: SITE,
  });

test.each([
  ['75 octets', 'a'.repeat(75), 1],
  ['150 octets', 'a'.repeat(150), 3],
  ['four octets a letter', '🎺'.repeat(19), 2],
  ['escapes', `${'a'.repeat(74)}\\n${'b'.repeat(72)}\\\\\\,`, 3],
])('folds a line of %s', (_name, line, lines) => {
  const folded = foldIcsLine(line);
  expect(folded.split('\r\n').slice(0, -1)).toHaveLength(lines);
  expect(folded.replaceAll('\r\n ', '')).toBe(`${line}\r\n`);
  for (const part of folded.split('\r\n')) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
    expect(part.isWellFormed()).toBe(true);
    expect(part.replaceAll(/\\./g, '')).not.toContain('\\');
  }
});

test.each([
  ['a;b,c\\d', 'a\\;b\\,c\\\\d'],
  ['uno\r\ndos\rtres\u2028cuatro', 'uno\\ndos\\ntres\\ncuatro'],
  ['\u0000a\u0007b\u202ec\u200bd\u{e0041}', 'abcd'],
])('escapes the text %j as %j', (text, value) => {
  expect(escapeIcsText(text)).toBe(value);
});

test('a quoted parameter follows RFC 6868', () => {
  expect(quoteIcsParameter('a "b" ^ c\nd')).toBe('"a ^\'b^\' ^^ c^nd"');
});

test('a calendar stays below 1 MB without past dates, then those farthest ahead, and says so', () => {
  const [first] = listOccurrences(town, TWO_MONTHS);
  if (first === undefined) throw new Error('no dates');
  const { card, occurrence } = first;
  const long = { es: 'á'.repeat(4_000), en: 'a' };
  const items = Array.from({ length: 200 }, (_, day) => ({
    card,
    occurrence: {
      ...occurrence,
      ...{ id: `a-${day}`, notes: long, start_ms: day * 10, end_ms: day * 10 + 5 },
    },
  }));
  const urls = { page_url: SITE.url, feed_url: SITE.url };
  const texts = { name: 'a', description: 'b', lang: 'es' } as const;
  const text = serializeCalendar(items, { ...texts, ...urls, site: SITE, today_ms: 1_000 });
  const days = Array.from(text.matchAll(/^UID:a-(\d+)@/gm), ([, day]) => Number(day));
  expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
  expect([days.includes(100), days.includes(0)]).toEqual([true, false]);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
  expect(text.replaceAll('\r\n ', '')).toContain(`Faltan ${200 - days.length} fechas`);
});

test('the calendar of the small town matches its golden file', async () => {
  const days = { from: day('2026-11-21'), to: day('2026-11-21') };
  await expect(write(town, 'es', days)).toMatchFileSnapshot('golden/feed.es.ics');
});

test('an independent parser returns hostile text unchanged', () => {
  const snapshot = openTestSnapshot(loadGeneratedTown(210));
  const text = write(snapshot, 'es');
  const events = ICAL.Component.fromString(text).getAllSubcomponents('vevent');
  expect(events.flatMap((event) => event.getAllSubcomponents())).toEqual([]);
  const read = events.map((component) => {
    const { uid, summary, startDate, endDate } = new ICAL.Event(component);
    const readValue = (name: string) => component.getFirstPropertyValue(name);
    const others = ['url', 'status', 'contact'].map(readValue);
    return [uid, summary, startDate.toString(), endDate.toString(), ...others];
  });
  const written = listOccurrences(snapshot, TWO_MONTHS).map(({ card, occurrence }) => {
    const { event, organizer } = card;
    const { id, start, end, all_day, status } = occurrence;
    const { prefix, calendar } = STATUS[status];
    const hours = [start, end].map((moment) => moment.slice(0, all_day ? 10 : 19));
    const url = `${SITE.url}/eventos/${event.slug.es}`;
    const contact = organizer ? cleanLineText(organizer.name) : null;
    const summary = `${prefix.es}${cleanLineText(event.title.es)}`;
    return [`${id}@hoycancun`, summary, ...hours, url, calendar, contact];
  });
  expect(read).toEqual(written);
});

test('the Google Calendar link has local times with their zone, the location, and the event’s page last', () => {
  const fill = (detail: EventDetail) => {
    if (detail.next === null) throw new Error('no date');
    return new URL(googleEventUrl(detail, detail.next, 'en', SITE)).searchParams;
  };
  const read = (slug: string): EventDetail => {
    const detail = getEvent(town, slug, FRIDAY_NOON_MS);
    if (detail === null || detail === 'gone') throw new Error(slug);
    return detail;
  };
  const fair = read('feria-diaria');
  expect(Object.fromEntries(fill(fair))).toMatchObject({
    text: 'Everyday Fair',
    ctz: 'America/Cancun',
    dates: '20261120T100000/20261120T140000',
    location: 'Malecón Inventado, Av. de Mentiras 1, Cancún, Quintana Roo',
    details: expect.stringMatching(/\n\nhttps:\/\/agenda\.example\/en\/events\/everyday-fair$/),
  });
  // Whole days, with the exclusive end.
  expect(fill(read('exposicion-larga')).get('dates')).toBe('20261101/20261231');
  // The URL stays short enough for browsers, however long the event's texts are.
  const long = { es: 'x', en: 'Música & baile = "todo" '.repeat(300) };
  const filled = fill({ ...fair, event: { ...fair.event, summary: long } }).get('details') ?? '';
  expect(filled.length).toBeLessThanOrEqual(1_200);
  expect(filled).toMatch(/ …\n\nhttps:/);
});

test('each date in a calendar has the advice of its own certainty', () => {
  const detail = getEvent(town, 'fiesta-de-viernes', FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error('no event');
  const [date] = detail.occurrences;
  if (!date) throw new Error('no date');
  const event = { ...detail.event, certainty: 'confirmed' } as const;
  const readDetails = (certainty: 'confirmed' | 'usual'): string =>
    new URL(
      googleEventUrl({ ...detail, event }, { ...date, certainty }, 'en', SITE),
    ).searchParams.get('details') ?? '';
  expect(readDetails('usual')).toContain('Not confirmed for this date; check before you go.');
  expect(readDetails('confirmed')).not.toContain('Not confirmed');
});
