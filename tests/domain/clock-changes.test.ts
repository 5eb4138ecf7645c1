// Clock changes: days of 23 and 25 hours, skipped and repeated hours, and recurrences across the change, in
// Europe and the United States, in all outputs (contract 2.1, 2.3).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { eventYaml } from '../fixtures/content-folder.ts';
import { useOtherTown } from '../fixtures/other-town.ts';

const toEvent = (name: string, when: string): string =>
  eventYaml({
    ...{ title: `{ es: ${name}, en: ${name} }`, zone: 'downtown', when: `[${when}]` },
    sources: '[{ checked: 2026-01-01 }]',
  });
const HOUR_MS = 3_600_000;

describe.each([
  {
    ...{ time_zone: 'Europe/Madrid', spring: '2026-03-29', autumn: '2026-10-25' },
    ...{ winter: '+01:00', summer: '+02:00', twice: '02:30' },
  },
  {
    ...{ time_zone: 'America/Los_Angeles', spring: '2026-03-08', autumn: '2026-11-01' },
    ...{ winter: '-08:00', summer: '-07:00', twice: '01:30' },
  },
])('in $time_zone', async ({ time_zone, spring, autumn, winter, summer, twice }) => {
  const day = (text: string, days = 0) => Temporal.PlainDate.from(text).add({ days });
  const [eve, week_before] = [day(spring, -1), day(spring, -7)];
  const folder = useOtherTown(
    { time_zone, country: 'ES' },
    {
      noches: toEvent(
        'Noches',
        `{ rrule: "FREQ=WEEKLY;BYDAY=FR,SA,SU", since: 2026-01-01, until: 2026-12-31, start: "22:00", end: "04:00" }`,
      ),
      semanal: toEvent(
        'Semanal',
        `{ rrule: FREQ=WEEKLY, since: ${week_before}, until: ${day(spring, 14)}, start: "20:00" }`,
      ),
      madrugada: toEvent(
        'Madrugada',
        `{ dates: [${spring}], start: "02:30", end: "03:15" }, { dates: ["${autumn}"], start: "${twice}", end: "04:00" }`,
      ),
      'todo-el-dia': toEvent('Todo el día', `{ dates: [${spring}, ${autumn}] }`),
    },
  );
  const { getToday, formatTimestamp, toDayNumber, secondsToMidnight, formatUtcOffset } =
    await import('../../src/domain/local-time.ts');
  const { openTestSnapshot, useFixture } = await import('../fixtures/fixture.ts');
  const { loadDataset } = await import('../../src/sources/build-dataset.ts');
  const { updateHistories } = await import('../../src/sources/update-histories.ts');
  const { EMPTY_LEDGER } = await import('../../src/domain/ledger.ts');
  const { requestApi } = await import('../fixtures/ask.ts');
  const { resolveHourKeyword } = await import('../../src/domain/query/date-range.ts');
  const { serializeCalendar } = await import('../../src/serializers/icalendar.ts');
  const { SITE } = await import('../fixtures/site.ts');
  const { formatCurrentTimeLine } = await import('../../src/i18n/format-dates.ts');
  const { localDateTimeSchema } = await import('../../src/domain/submission/field-rules.ts');
  const { TimestampSchema } = await import('../../src/domain/fields.ts');
  const { groupRangeByDay } = await import('../../src/domain/agenda.ts');
  const { loadAgenda } = await import('../../src/snapshot/load-agenda.ts');
  const { parseCalendar } = await import('../../src/sources/external/parse-ics.ts');
  const at = (moment: string): number => Date.parse(moment);
  const now_ms = at(`${eve}T20:00:00${winter}`);
  const town = updateHistories(loadDataset(folder, EMPTY_LEDGER, now_ms), now_ms);
  const { snapshot } = useFixture(town, now_ms);
  const dates = snapshot.index.occurrences;
  const listOf = (name: string) =>
    dates.filter(({ event }) =>
      snapshot.index.cards.some((one) => one.event.id === event && one.event.title.es === name),
    );

  /** Day of each change, its hours, and the offsets before and after. */
  const changes = [
    [spring, 23, winter, summer],
    [autumn, 25, summer, winter],
  ] as const;

  test('a day has 23 or 25 hours, and a night ends by the changed clock, also for tonight', () => {
    for (const [on, hours, was, is] of changes) {
      const before = day(on, -1);
      const { start_ms, end_ms } = getToday(at(`${on}T12:00:00${is}`));
      expect((end_ms - start_ms) / HOUR_MS).toBe(hours);
      expect(secondsToMidnight(start_ms)).toBe(hours * 3600);
      const whole = listOf('Todo el día').find(({ start }) => start.startsWith(on));
      expect(whole).toMatchObject({ start_ms, end_ms, end: `${day(on, 1)}T00:00:00${is}` });
      const night = listOf('Noches').find(({ start }) => start.startsWith(`${before}`));
      expect(night).toMatchObject({ end: `${on}T04:00:00${is}`, last_day: night?.first_day });
      const [from_ms, until_ms] = [at(`${before}T18:00:00${was}`), at(`${on}T06:00:00${is}`)];
      for (const now of [`${before}T20:00:00${was}`, `${on}T00:30:00${was}`, `${on}T05:59:00${is}`])
        expect(resolveHourKeyword('tonight', at(now))).toMatchObject({ from_ms, until_ms });
    }
  });

  test('a recurrence keeps its local hour, and a skipped hour moves forward', () => {
    const weekly = [-7, 0, 7, 14].map((days) => {
      const on = `${day(spring, days)}T`;
      return [`${on}20:00:00`, `${on}23:00:00`].map((one) => one + (days < 0 ? winter : summer));
    });
    expect(listOf('Semanal').map(({ start, end }) => [start, end])).toEqual(weekly);
    const { from, to } = { from: day(spring, -3), to: day(spring, 3) };
    const agenda = loadAgenda(snapshot, { from, to }, now_ms, 'en');
    const nights = snapshot.index.occurrences.filter(
      ({ first_day }) => first_day >= toDayNumber(from) && first_day <= toDayNumber(to),
    );
    const { repeating } = groupRangeByDay(agenda, nights, null);
    const labels = repeating.map(({ card, days }) => `${card.event.title.es} ${days.length}`);
    expect(labels).toEqual(['Noches 3']);
    expect(listOf('Madrugada').map(({ start, end }) => [start, end])).toEqual([
      [`${spring}T03:30:00${summer}`, `${spring}T04:15:00${summer}`],
      [`${autumn}T${twice}:00${summer}`, `${autumn}T04:00:00${winter}`],
    ]);
  });

  test('a parsed calendar file has the same instants as the JSON, all year', () => {
    const { cards, event_positions } = snapshot.index;
    // For a repeated hour, the file means the first (RFC 5545, 3.3.5), but this parser takes the second.
    const items = dates.flatMap((occurrence, position) => {
      const card = cards[event_positions[position] ?? 0];
      const is_twice = occurrence.start.startsWith(`${autumn}T${twice}`);
      return card && !is_twice ? [{ occurrence, card }] : [];
    });
    const named = { name: 'a', description: 'a', page_url: SITE.url, feed_url: SITE.url };
    const text = serializeCalendar(items, { ...named, lang: 'en', site: SITE });
    expect(text).toContain(`BEGIN:DAYLIGHT\r\nDTSTART:${spring.replaceAll('-', '')}T020000\r\n`);
    const calendar = new ICAL.Component(ICAL.parse(text));
    const zone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone') ?? undefined);
    const read = calendar.getAllSubcomponents('vevent').map((one) =>
      ['dtstart', 'dtend'].map((name) => {
        const time = one.getFirstPropertyValue(name);
        if (!(time instanceof ICAL.Time) || time.isDate) return `${time}`;
        time.zone = zone;
        return formatTimestamp(time.toUnixTime() * 1000);
      }),
    );
    const said = items.map(({ occurrence: { start, end, all_day } }) =>
      [start, end].map((one) => (all_day ? one.slice(0, 10) : one)),
    );
    expect(read).toEqual(said);
  });

  test('JSON, current time line, submitted times and imported calendars use the offset of their day', () => {
    const { body } = requestApi(snapshot, `/api/v1/events?date=${spring}`, { now_ms });
    const found = String(body).matchAll(/"next":{.*?"start":"([^"]+)"/g);
    const starts = Array.from(found, ([, one]) => one);
    expect(starts).toEqual([
      `${spring}T00:00:00${winter}`,
      ...['03:30', '20:00', '22:00'].map((hour) => `${spring}T${hour}:00${summer}`),
    ]);
    for (const start of starts) expect(v.is(TimestampSchema, start)).toBe(true);
    for (const [offset, on] of Object.entries({ [winter]: eve, [summer]: spring }))
      expect(formatCurrentTimeLine(at(`${on}T20:00:00${offset}`), 'en')).toContain(
        `(${formatUtcOffset(offset)})`,
      );
    // A client that always uses the winter offset means that instant.
    expect(v.parse(localDateTimeSchema, `2026-07-01T20:00:00${winter}`)).toBe('2026-07-01T21:00');
    expect(v.parse(localDateTimeSchema, `2026-07-01T20:00:00${summer}`)).toBe('2026-07-01T20:00');
    const night = [`${eve}T22:00:00${winter}`, `${spring}T04:00:00${summer}`].map((one) =>
      new Date(one).toISOString().replace(/[-:]|\.000/g, ''),
    );
    const lines = `SUMMARY:Una\r\nUID:a\r\nDTSTART:${night[0]}\r\nDTEND:${night[1]}`;
    const event = `BEGIN:VEVENT\r\n${lines}\r\nEND:VEVENT`;
    const file = Buffer.from(`BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR`);
    const read = parseCalendar(file, now_ms);
    expect('reading' in read && read.reading.events[0]).toMatchObject({
      ...{ start: `${eve}T22:00`, end: `${spring}T04:00` },
    });
  });

  test('a change in the second of two repeated hours is listed for since in the first', () => {
    const toMs = (rest: string): number => at(`${autumn}T${twice.slice(0, 3)}${rest}`);
    const [came_ms, asked_ms] = [toMs(`05:00${summer}`), toMs(`50:00${summer}`)];
    const changed_ms = toMs(`20:00${winter}`);
    const come = updateHistories(loadDataset(folder, EMPTY_LEDGER, came_ms), came_ms);
    const other = toEvent('Otra', `{ dates: ["${day(autumn, 9)}"] }`);
    writeFileSync(join(folder, 'events/semanal.yml'), other);
    const changed = updateHistories(loadDataset(folder, come.ledger, changed_ms), changed_ms);
    const after = openTestSnapshot(changed, changed_ms);
    const query = `since=${encodeURIComponent(formatTimestamp(asked_ms))}`;
    const later = { now_ms: changed_ms + HOUR_MS };
    const { body } = requestApi(after, `/api/v1/changes?${query}`, later);
    const told = [...String(body).matchAll(/"change":"(\w+)","changed_at":"([^"]+)"/g)].map(
      ([, ...one]) => one,
    );
    expect(told).toEqual([['changed', formatTimestamp(changed_ms)]]);
  });
});
