// The rule that the dates ahead bear out, and what is left out of it, in words of both languages.
import { expect, test } from 'vitest';
import type { OccurrenceRecord } from '../../../src/domain/event/event.ts';
import {
  expandDays,
  type Schedule,
  detectRecurrence,
} from '../../../src/domain/event/occurrences.ts';
import { computeSpan } from '../../../src/domain/event/occurrences.ts';
import type { Lang } from '../../../src/domain/lang.ts';
import { detectRegularity } from '../../../src/domain/event/regularity.ts';
import { Temporal } from 'temporal-polyfill';
import { formatRegularity } from '../../../src/i18n/format-recurrence.ts';
import { CONCERT_DATE } from '../../fixtures/concert.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';

const HORIZON = Temporal.PlainDate.from('2028-05-20');
type Part = Partial<Schedule> & { readonly last?: string; readonly off?: string };

function toOccurrences({ last, off, ...part }: Part): OccurrenceRecord[] {
  const schedule: Schedule = { since: '2026-01-01', days: 1, except: [], ...part };
  return expandDays(schedule, last === undefined ? HORIZON : Temporal.PlainDate.from(last)).map(
    (day) => ({
      ...{ ...CONCERT_DATE, id: `ev_x-${day}`, event: 'ev_x' },
      ...computeSpan(schedule, day),
      status: `${day}` === off ? 'cancelled' : 'scheduled',
    }),
  );
}

/** What is said of an event with these rules; with the dates of `taken` where they are others. */
function say(parts: readonly Part[], lang: Lang = 'es', taken = parts): string | null {
  const habit = parts.flatMap(
    ({ last: _last, off: _off, ...part }) =>
      detectRecurrence({ since: '2026-01-01', days: 1, except: [], ...part }) ?? [],
  );
  const occurrences = taken.flatMap(toOccurrences).sort((a, b) => a.start_ms - b.start_ms);
  const found = detectRegularity(habit, occurrences, FRIDAY_NOON_MS);
  return found && formatRegularity(found, lang);
}

const MONDAYS = Array.from({ length: 80 }, (_, weeks) =>
  Temporal.PlainDate.from('2026-11-23').add({ weeks }).toString(),
);
const NIGHTLY = { rrule: 'FREQ=DAILY', start: '22:00', end: '03:00' };
const THURSDAYS = { rrule: 'FREQ=WEEKLY;BYDAY=TH', start: '19:00', end: '22:00' };
const NIGHTS = 'Todas las noches de 22:00 a 3:00';
const SAID = 'Los jueves de 19:00 a 22:00';
const SPRING = { since: '2027-02-01', until: '2027-04-30' };

const WEEKLY = 'FREQ=WEEKLY;BYDAY';
const FEASTS = ['2026-12-24', '2026-12-25', '2027-01-01'];
test.each<[Part[], string]>([
  [[{ ...NIGHTLY, except: FEASTS }], `${NIGHTS}, menos el 24 y 25 de diciembre y el 1 de enero`],
  [[{ ...THURSDAYS, off: '2026-12-03' }], `${SAID}, menos el 3 de diciembre`],
  [[{ ...THURSDAYS, ...SPRING }], `${SAID}, del 1 de febrero al 30 de abril de 2027`],
  [[{ ...NIGHTLY, last: '2026-12-20' }], `${NIGHTS}, con fechas hasta el 20 de diciembre de 2026`],
  [[THURSDAYS, { rrule: `${WEEKLY}=SU`, start: '12:00' }], `${SAID} y los domingos a las 12:00`],
  [[THURSDAYS, { ...THURSDAYS, rrule: `${WEEKLY}=SA` }], 'Los jueves y sábados de 19:00 a 22:00'],
  [[{ ...NIGHTLY, except: MONDAYS }], 'De martes a domingo de 22:00 a 3:00'],
  [[NIGHTLY, { ...NIGHTLY, rrule: `${WEEKLY}=MO` }], NIGHTS],
  [[THURSDAYS, { dates: ['2026-12-05'], start: '19:00', end: '22:00' }], `${SAID} y otros días`],
])('a rule is said of %j: %s', (parts, words) => {
  expect(say(parts)).toBe(words);
});

const WEEK = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25'];
test.each<[string, Part, taken?: Part]>([
  ['of a list of dates', { dates: ['2026-12-03', '2026-12-10'] }],
  ['of a rule with one date ahead', { ...THURSDAYS, last: '2026-11-26' }],
  ['where most days are left out', { ...NIGHTLY, last: '2026-11-27', except: WEEK }],
  ['of what lasts several days', { rrule: 'FREQ=WEEKLY;BYDAY=TH', days: 3 }],
  ['where the dates have other hours', THURSDAYS, { ...THURSDAYS, start: '20:00' }],
])('nothing is said: %s', (_name, part, taken = part) => {
  expect(say([part], 'es', [taken])).toBeNull();
});
