// Rules in words, read aloud in both languages.
import { describe, expect, test } from 'vitest';
import { type Schedule, toRecurrence } from '../../src/domain/event/occurrences.ts';
import { toRecurrenceWords } from '../../src/i18n/recurrence.ts';

const say = (rrule: string, start: string | null, end: string | null) => {
  const schedule: Schedule = {
    rrule,
    easter: null,
    dates: null,
    since: '2026-01-01',
    until: null,
    start,
    end,
    days: 1,
    except: [],
  };
  const recurrence = toRecurrence(schedule);
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
    ['FREQ=WEEKLY;BYDAY=FR,SA', null, null, 'los viernes y sábados', 'Fridays and Saturdays'],
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
