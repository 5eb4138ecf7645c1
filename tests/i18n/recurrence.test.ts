// Rules in words, read aloud in both languages.
import { describe, expect, test } from 'vitest';
import { type Schedule, toRecurrence } from '../../src/domain/event/occurrences.ts';
import { toRecurrenceWords } from '../../src/i18n/recurrence.ts';

const say = (rrule: string, start: string | null, end: string | null) => {
  const recurrence = toRecurrence({ rrule, since: '2026-01-01', start, end, days: 1, except: [] });
  return recurrence && [toRecurrenceWords(recurrence, 'es'), toRecurrenceWords(recurrence, 'en')];
};

describe('a rule is said', () => {
  test.each([
    ['FREQ=WEEKLY;BYDAY=TH', '16:00', null, 'los jueves a las 16:00', 'Thursdays at 4 p.m.'],
    ['FREQ=WEEKLY;BYDAY=TH', '01:30', null, 'los jueves a la 1:30', 'Thursdays at 1:30 a.m.'],
    [
      'FREQ=DAILY',
      '22:00',
      '03:00',
      'todas las noches de 22:00 a 3:00',
      'every night from 10 p.m. to 3 a.m.',
    ],
    [
      'FREQ=DAILY',
      '09:00',
      '18:00',
      'todos los días de 9:00 a 18:00',
      'every day from 9 a.m. to 6 p.m.',
    ],
    ['FREQ=WEEKLY;BYDAY=SA,FR', null, null, 'los viernes y sábados', 'Fridays and Saturdays'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', null, null, 'todos los días', 'every day'],
    [
      'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=2',
      null,
      null,
      'el segundo viernes de cada mes',
      'the second Friday of each month',
    ],
    [
      'FREQ=MONTHLY;BYDAY=-1FR',
      null,
      null,
      'el último viernes de cada mes',
      'the last Friday of each month',
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=15', null, null, 'el día 15 de cada mes', 'day 15 of each month'],
    ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=8', null, null, 'cada 8 de diciembre', 'every December 8'],
    [
      'FREQ=YEARLY;BYMONTH=3;BYDAY=1SU',
      null,
      null,
      'el primer domingo de marzo',
      'the first Sunday of March',
    ],
    [
      'FREQ=WEEKLY;BYDAY=TH;BYMONTH=11,12,1,2,3,4',
      null,
      null,
      'los jueves, de noviembre a abril',
      'Thursdays, from November to April',
    ],
    [
      'FREQ=WEEKLY;BYDAY=TH;BYMONTH=3,7',
      null,
      null,
      'los jueves, de marzo y julio',
      'Thursdays, in March and July',
    ],
  ])('%s %s–%s', (rrule, start, end, es, en) => {
    expect(say(rrule, start, end)).toEqual([es, en]);
  });
});

test.each([
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA',
  'FREQ=MONTHLY;BYDAY=1SA,3SA',
  'FREQ=DAILY;COUNT=3',
  'FREQ=WEEKLY',
])('%s is more than a sentence says', (rrule) => {
  expect(say(rrule, null, null)).toBeNull();
});

test('a list of dates has no pattern, and a feast of Easter none that is said', () => {
  const dates: Schedule = { dates: ['2026-12-01'], days: 1, except: [] };
  expect(toRecurrence(dates)).toBeNull();
  const carnival = toRecurrence({ easter: -47, days: 1, except: [] });
  expect(carnival).toMatchObject({ kind: 'easter', position: -47 });
  expect(carnival && toRecurrenceWords(carnival, 'es')).toBeNull();
});
