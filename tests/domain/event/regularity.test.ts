// Regularity: the rules that upcoming dates confirm, and their exceptions, as phrases.
import { expect, test } from 'vitest';
import type { OccurrenceRecord } from '../../../src/domain/event/event.ts';
import {
  computeSpan,
  expandDays,
  type Schedule,
  detectRecurrence,
} from '../../../src/domain/event/occurrences.ts';
import type { Lang } from '../../../src/domain/lang.ts';
import { detectRegularity } from '../../../src/domain/event/regularity.ts';
import { Temporal } from 'temporal-polyfill';
import { formatRegularity } from '../../../src/i18n/format-recurrence.ts';
import { CONCERT_DATE } from '../../fixtures/concert.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';

const HORIZON = Temporal.PlainDate.from('2028-05-20');
type Rule = Partial<Schedule> & { readonly last?: string; readonly cancelled?: string };

function buildOccurrences({ last, cancelled, ...part }: Rule): OccurrenceRecord[] {
  const schedule: Schedule = { since: '2026-01-01', days: 1, except: [], ...part };
  return expandDays(schedule, last === undefined ? HORIZON : Temporal.PlainDate.from(last)).map(
    (day) => ({
      ...{ ...CONCERT_DATE, id: `ev_x-${day}`, event: 'ev_x' },
      ...computeSpan(schedule, day),
      status: `${day}` === cancelled ? 'cancelled' : 'scheduled',
    }),
  );
}

/** Formats the regularity of an event with these rules, and with the dates of `actual` if they differ. */
function describeRules(
  rules: readonly Rule[],
  lang: Lang = 'es',
  actual = rules,
  rest_days: string[] = [],
): string | null {
  const habit = rules.flatMap(
    ({ last: _last, cancelled: _cancelled, ...rule }) =>
      detectRecurrence({ since: '2026-01-01', days: 1, except: [], ...rule }) ?? [],
  );
  const occurrences = actual.flatMap(buildOccurrences).sort((a, b) => a.start_ms - b.start_ms);
  const regularity = detectRegularity({ habit, rest_days }, occurrences, FRIDAY_NOON_MS);
  return regularity && formatRegularity(regularity, lang);
}

const MONDAYS = Array.from({ length: 80 }, (_, weeks) =>
  Temporal.PlainDate.from('2026-11-23').add({ weeks }).toString(),
);
const NIGHTLY = { rrule: 'FREQ=DAILY', start: '22:00', end: '03:00' };
const THURSDAYS = { rrule: 'FREQ=WEEKLY;BYDAY=TH', start: '19:00', end: '22:00' };
const NIGHTS = 'Todas las noches de 22:00 a 3:00';
const EVERY_THURSDAY = 'Los jueves de 19:00 a 22:00';
const SPRING = { since: '2027-02-01', until: '2027-04-30' };

const WEEKLY = 'FREQ=WEEKLY;BYDAY';
const FEASTS = ['2026-12-24', '2026-12-25', '2027-01-01'];
test.each<[Rule[], string]>([
  [[{ ...NIGHTLY, except: FEASTS }], `${NIGHTS}, menos el 24 y 25 de diciembre y el 1 de enero`],
  [[{ ...THURSDAYS, cancelled: '2026-12-03' }], `${EVERY_THURSDAY}, menos el 3 de diciembre`],
  [[{ ...THURSDAYS, ...SPRING }], `${EVERY_THURSDAY}, del 1 de febrero al 30 de abril de 2027`],
  [[{ ...NIGHTLY, last: '2026-12-10' }], `${NIGHTS}, con fechas hasta el 10 de diciembre de 2026`],
  [
    [{ ...NIGHTLY, last: '2026-12-20' }],
    'Anunciamos un mes por adelantado; suele ser todas las noches de 22:00 a 3:00',
  ],
  [
    [THURSDAYS, { rrule: `${WEEKLY}=SU`, start: '12:00' }],
    `${EVERY_THURSDAY} y los domingos a las 12:00`,
  ],
  [[THURSDAYS, { ...THURSDAYS, rrule: `${WEEKLY}=SA` }], 'Los jueves y sábados de 19:00 a 22:00'],
  [[{ ...NIGHTLY, except: MONDAYS }], 'De martes a domingo de 22:00 a 3:00'],
  [[NIGHTLY, { ...NIGHTLY, rrule: `${WEEKLY}=MO` }], NIGHTS],
  [
    [THURSDAYS, { dates: ['2026-12-05'], start: '19:00', end: '22:00' }],
    `${EVERY_THURSDAY} y otros días`,
  ],
])('%j is described as: %s', (rules, phrase) => {
  expect(describeRules(rules)).toBe(phrase);
});

// The files say nothing about the customary rest days.
test('days on which it is only assumed to rest are no exceptions', () => {
  const rules = [{ ...NIGHTLY, except: [...FEASTS, '2026-12-03'] }];
  expect(describeRules(rules, 'es', rules, FEASTS)).toBe(
    `${NIGHTS}, menos el 3 de diciembre. Pregunta por el 24 y 25 de diciembre y el 1 de enero`,
  );
  const short = [{ ...NIGHTLY, except: ['2026-12-12'], last: '2026-12-20' }];
  expect(describeRules(short, 'en', short, ['2026-12-12'])).toBe(
    'Listed a month ahead; usually every night from 10 p.m. to 3 a.m. Ask about December 12',
  );
});

const WEEK = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25'];
test.each<[string, Rule, actual?: Rule]>([
  ['a list of dates', { dates: ['2026-12-03', '2026-12-10'] }],
  ['a rule with one upcoming date', { ...THURSDAYS, last: '2026-11-26' }],
  ['a rule with most of its days missing', { ...NIGHTLY, last: '2026-11-27', except: WEEK }],
  ['an event of several days', { rrule: 'FREQ=WEEKLY;BYDAY=TH', days: 3 }],
  ['dates with other hours', THURSDAYS, { ...THURSDAYS, start: '20:00' }],
])('no regularity for %s', (_name, rule, actual = rule) => {
  expect(describeRules([rule], 'es', [actual])).toBeNull();
});
