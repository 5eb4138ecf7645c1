// Recurrence texts: rules as phrases.
import { expect, test } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { type Schedule, detectRecurrence } from '../../src/domain/event/occurrences.ts';
import { formatRecurrence } from '../../src/i18n/format-recurrence.ts';

const format = (schedule: Partial<Schedule>, lang: Lang) => {
  const recurrence = detectRecurrence({ since: '2026-01-01', days: 1, except: [], ...schedule });
  return recurrence && formatRecurrence(recurrence, lang);
};

test.each([
  ['WEEKLY;BYDAY=TH', '16:00 16:00', 'los jueves a las 16:00'],
  ['WEEKLY;BYDAY=TH', '01:30', 'los jueves a la 1:30'],
  ['DAILY', '22:00 03:00', 'todas las noches de 22:00 a 3:00'],
  ['DAILY', '09:00 18:00', 'todos los días de 9:00 a 18:00'],
  ['WEEKLY;BYDAY=SA,FR', '', 'los viernes y sábados'],
  ['WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', '', 'todos los días'],
  ['MONTHLY;BYDAY=FR;BYSETPOS=2', '', 'el segundo viernes de cada mes'],
  ['MONTHLY;BYDAY=-1FR', '', 'el último viernes de cada mes'],
  ['YEARLY;BYMONTH=12;BYMONTHDAY=8', '', 'el 8 de diciembre'],
  ['YEARLY;BYMONTH=3;BYDAY=1SU', '', 'el primer domingo de marzo'],
  ['WEEKLY;BYDAY=TH;BYMONTH=3,7', '', 'los jueves, de marzo y julio'],
])('%s %s is formatted as: %s', (rule, hours, expected) => {
  const [start = null, end = null] = hours === '' ? [] : hours.split(' ');
  expect(format({ rrule: `FREQ=${rule}`, start, end }, 'es')).toBe(expected);
});

test('English has its own plurals and clock', () => {
  const thursdays = { rrule: 'FREQ=WEEKLY;BYDAY=TH', start: '16:00', end: '01:30' };
  expect(format(thursdays, 'en')).toBe('Thursdays from 4 p.m. to 1:30 a.m.');
});

test.each<Partial<Schedule>>([
  { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA' },
  { rrule: 'FREQ=MONTHLY;BYDAY=1SA,3SA' },
  { rrule: 'FREQ=DAILY;COUNT=3' },
  { easter: -47 },
])('%j cannot be expressed', (schedule) => {
  expect(format(schedule, 'es')).toBeNull();
});
