// The rule that the dates ahead bear out, and what is left out of it, in words of both languages.
import { describe, expect, test } from 'vitest';
import type { OccurrenceRecord } from '../../../src/domain/event/event.ts';
import {
  expandDays,
  type Schedule,
  toRecurrence,
  toSpan,
} from '../../../src/domain/event/occurrences.ts';
import { findRegularity } from '../../../src/domain/event/regularity.ts';
import { Temporal } from 'temporal-polyfill';
import { toRegularityWords } from '../../../src/i18n/recurrence.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';

const HORIZON = Temporal.PlainDate.from('2028-05-20');
type Part = Partial<Schedule> & { readonly last?: string; readonly off?: string };

function toOccurrences({ last, off, ...part }: Part): OccurrenceRecord[] {
  const schedule: Schedule = { since: '2026-01-01', days: 1, except: [], ...part };
  return expandDays(schedule, last === undefined ? HORIZON : Temporal.PlainDate.from(last)).map(
    (day) => ({
      id: `ev_x-${day.toString()}`,
      event: 'ev_x',
      start: '',
      end: '',
      ...toSpan(schedule, day),
      certainty: 'usual',
      status: day.toString() === off ? 'cancelled' : 'scheduled',
      notes: null,
      updated_at: '',
      sequence: 0,
    }),
  );
}

/** What is said of an event with these rules; the first `toldOf` of them are known as rules. */
function say(...parts: Part[]): readonly (string | null)[] {
  const habit = parts.flatMap(
    ({ last: _last, off: _off, ...part }) =>
      toRecurrence({ since: '2026-01-01', days: 1, except: [], ...part }) ?? [],
  );
  const found = findRegularity(
    habit,
    parts.flatMap(toOccurrences).sort((a, b) => a.start_ms - b.start_ms),
    FRIDAY_NOON_MS,
  );
  return [found && toRegularityWords(found, 'es'), found && toRegularityWords(found, 'en')];
}

const listMondays = (): string[] =>
  Array.from({ length: 80 }, (_, week) =>
    Temporal.PlainDate.from('2026-11-23').add({ weeks: week }).toString(),
  );

const NIGHTLY = { rrule: 'FREQ=DAILY', start: '22:00', end: '03:00' };
const THURSDAYS = { rrule: 'FREQ=WEEKLY;BYDAY=TH', start: '19:00', end: '22:00' };

describe('a rule is said with', () => {
  test.each<[string, Part[], string, string]>([
    [
      'its hours and its exceptions',
      [{ ...NIGHTLY, except: ['2026-12-24', '2026-12-25', '2027-01-01'] }],
      'Todas las noches de 22:00 a 3:00, menos el 24 y 25 de diciembre y el 1 de enero',
      'Every night from 10 p.m. to 3 a.m., except December 24 and 25 and January 1',
    ],
    [
      'a date that was called off',
      [{ ...THURSDAYS, off: '2026-12-03' }],
      'Los jueves de 19:00 a 22:00, menos el 3 de diciembre',
      'Thursdays from 7 p.m. to 10 p.m., except December 3',
    ],
    [
      'its months',
      [{ rrule: 'FREQ=WEEKLY;BYDAY=TH;BYMONTH=11,12,1,2,3,4' }],
      'Los jueves, de noviembre a abril',
      'Thursdays, from November to April',
    ],
    [
      'its last day',
      [{ ...THURSDAYS, until: '2027-04-30' }],
      'Los jueves de 19:00 a 22:00, hasta el 30 de abril de 2027',
      'Thursdays from 7 p.m. to 10 p.m., until April 30, 2027',
    ],
    [
      'a season ahead',
      [{ ...THURSDAYS, since: '2027-02-01', until: '2027-04-30' }],
      'Los jueves de 19:00 a 22:00, del 1 de febrero al 30 de abril de 2027',
      'Thursdays from 7 p.m. to 10 p.m., February 1 to April 30, 2027',
    ],
    [
      'a season of one month',
      [{ ...THURSDAYS, since: '2027-02-01', until: '2027-02-28' }],
      'Los jueves de 19:00 a 22:00, del 1 al 28 de febrero de 2027',
      'Thursdays from 7 p.m. to 10 p.m., February 1–28, 2027',
    ],
    [
      'how far its dates are known',
      [{ ...NIGHTLY, last: '2026-12-20' }],
      'Todas las noches de 22:00 a 3:00, con fechas hasta el 20 de diciembre de 2026',
      'Every night from 10 p.m. to 3 a.m., dates known through December 20, 2026',
    ],
    [
      'a second rule',
      [THURSDAYS, { rrule: 'FREQ=WEEKLY;BYDAY=SU', start: '12:00' }],
      'Los jueves de 19:00 a 22:00 y los domingos a las 12:00',
      'Thursdays from 7 p.m. to 10 p.m. and Sundays at 12 p.m.',
    ],
    [
      'one phrase where two rules share their hours',
      [THURSDAYS, { ...THURSDAYS, rrule: 'FREQ=WEEKLY;BYDAY=SA' }],
      'Los jueves y sábados de 19:00 a 22:00',
      'Thursdays and Saturdays from 7 p.m. to 10 p.m.',
    ],
    [
      'the weekdays that are left of every day',
      [{ ...NIGHTLY, except: listMondays() }],
      'De martes a domingo de 22:00 a 3:00',
      'Tuesday to Sunday from 10 p.m. to 3 a.m.',
    ],
    [
      'nothing twice where one rule is in another',
      [NIGHTLY, { ...NIGHTLY, rrule: 'FREQ=WEEKLY;BYDAY=MO' }],
      'Todas las noches de 22:00 a 3:00',
      'Every night from 10 p.m. to 3 a.m.',
    ],
    [
      'dates beside it',
      [THURSDAYS, { dates: ['2026-12-05'], start: '19:00', end: '22:00' }],
      'Los jueves de 19:00 a 22:00, y en otras fechas',
      'Thursdays from 7 p.m. to 10 p.m., plus other dates',
    ],
  ])('%s', (_name, parts, es, en) => {
    expect(say(...parts)).toEqual([es, en]);
  });
});

describe('nothing is said', () => {
  test.each<[string, Part[]]>([
    ['of a list of dates', [{ dates: ['2026-12-03', '2026-12-10'] }]],
    ['of a rule with one date ahead', [{ ...THURSDAYS, last: '2026-11-26' }]],
    ['of a rule that is over', [{ ...THURSDAYS, last: '2026-11-19' }]],
    [
      'where most days of the rule are left out',
      [
        {
          ...NIGHTLY,
          last: '2026-11-27',
          except: ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25'],
        },
      ],
    ],
    ['of what lasts several days', [{ rrule: 'FREQ=WEEKLY;BYDAY=TH', days: 3 }]],
  ])('%s', (_name, parts) => {
    expect(say(...parts)).toEqual([null, null]);
  });

  test('where the dates have other hours than the rule', () => {
    const [rule] = [toRecurrence({ since: '2026-01-01', days: 1, except: [], ...THURSDAYS })];
    const occurrences = toOccurrences({ ...THURSDAYS, start: '20:00' });
    expect(findRegularity(rule ? [rule] : [], occurrences, FRIDAY_NOON_MS)).toBeNull();
  });
});
