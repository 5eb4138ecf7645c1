// Rules in words, read aloud in both languages.
import { expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { type Schedule, toRecurrence } from '../../src/domain/event/occurrences.ts';
import { toRecurrenceWords } from '../../src/i18n/recurrence.ts';

const say = (schedule: Partial<Schedule>) => {
  const recurrence = toRecurrence({ since: '2026-01-01', days: 1, except: [], ...schedule });
  return recurrence && LANGS.map((lang) => toRecurrenceWords(recurrence, lang));
};

test.each([
  ['WEEKLY;BYDAY=TH', '16:00', 'los jueves a las 16:00', 'Thursdays at 4 p.m.'],
  ['WEEKLY;BYDAY=TH', '01:30', 'los jueves a la 1:30', 'Thursdays at 1:30 a.m.'],
  [
    'DAILY',
    '22:00 03:00',
    'todas las noches de 22:00 a 3:00',
    'every night from 10 p.m. to 3 a.m.',
  ],
  ['DAILY', '09:00 18:00', 'todos los días de 9:00 a 18:00', 'every day from 9 a.m. to 6 p.m.'],
  ['WEEKLY;BYDAY=SA,FR', '', 'los viernes y sábados', 'Fridays and Saturdays'],
  ['WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', '', 'todos los días', 'every day'],
  [
    'MONTHLY;BYDAY=FR;BYSETPOS=2',
    '',
    'el segundo viernes de cada mes',
    'the second Friday of each month',
  ],
  ['MONTHLY;BYDAY=-1FR', '', 'el último viernes de cada mes', 'the last Friday of each month'],
  ['MONTHLY;BYMONTHDAY=15', '', 'el día 15 de cada mes', 'day 15 of each month'],
  ['YEARLY;BYMONTH=12;BYMONTHDAY=8', '', 'cada 8 de diciembre', 'every December 8'],
  ['YEARLY;BYMONTH=3;BYDAY=1SU', '', 'el primer domingo de marzo', 'the first Sunday of March'],
  [
    'WEEKLY;BYDAY=TH;BYMONTH=3,7',
    '',
    'los jueves, de marzo y julio',
    'Thursdays, in March and July',
  ],
])('%s %s is said', (rule, hours, es, en) => {
  const [start = null, end = null] = hours === '' ? [] : hours.split(' ');
  expect(say({ rrule: `FREQ=${rule}`, start, end })).toEqual([es, en]);
});

test.each<Partial<Schedule>>([
  { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA' },
  { rrule: 'FREQ=MONTHLY;BYDAY=1SA,3SA' },
  { rrule: 'FREQ=DAILY;COUNT=3' },
  { rrule: 'FREQ=WEEKLY' },
  { dates: ['2026-12-01'] },
])('%j is more than a sentence says', (schedule) => {
  expect(say(schedule)).toBeNull();
});

test('a feast counted from Easter is no sentence', () => {
  expect(say({ easter: -47 })).toEqual([null, null]);
});
