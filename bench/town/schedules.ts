// Schedules of generated events: every form that content supports.
import type { Temporal } from 'temporal-polyfill';
import type * as v from 'valibot';
import type { EventSchema } from '../../src/sources/content-schema.ts';
import type { Random } from './random.ts';
import { text } from './words.ts';

type Day = Temporal.PlainDate;
export type EventInput = v.InferInput<typeof EventSchema>;
/** Creates the schedule and status fields of an event. */
type ScheduleForm = (
  r: Random,
  day: Day,
) => Pick<EventInput, 'when' | 'changes' | 'status' | 'withdrawn'>;

const HOURS = '07:30 09:00 10:00 12:00 17:00 18:30 19:00 20:00 21:00'.split(' ');
const ENDS = ['22:30', '23:00', '23:59'];
const WEEKDAYS = 'MO TU WE TH FR SA SU TU,TH FR,SA'.split(' ');
const NOTE = text('Nota de prueba: trae tu propia silla.', 'Test note: bring your own chair.');
const RAIN = text('Se canceló por una lluvia inventada.', 'Called off because of made-up rain.');

/** Returns a random day within `max_days` after the anchor. */
const laterDay = (r: Random, day: Day, max_days = 240): Day =>
  day.add({ days: r.int(0, max_days) });
const oneDate = (r: Random, day: Day, max_days?: number): string[] => [
  laterDay(r, day, max_days).toString(),
];
const dates = (first: Day, count: number, step: number): string[] =>
  Array.from({ length: count }, (_, i) => first.add({ days: i * step }).toString());
const evening = (r: Random) => ({ start: r.pick(HOURS), end: r.pick(ENDS) });

const single: ScheduleForm = (r, day) => ({ when: [{ dates: oneDate(r, day), ...evening(r) }] });
const several: ScheduleForm = (r, day) => {
  const days = dates(laterDay(r, day), r.int(3, 15), r.int(1, 9));
  return { when: [{ dates: days, ...evening(r) }] };
};
const withoutEnd: ScheduleForm = (r, day) => ({
  when: [{ dates: dates(laterDay(r, day, 60), 2, 7), start: r.pick(HOURS) }],
});
const allDay: ScheduleForm = (r, day) => ({ when: [{ dates: oneDate(r, day, 30) }] });
const severalDays: ScheduleForm = (r, day) => ({
  when: [{ dates: [day.add({ days: r.int(-3, 30) }).toString()], days: r.int(2, 20) }],
});
const pastMidnight: ScheduleForm = (r, day) => {
  const days = dates(laterDay(r, day, 40), 3, 7);
  return {
    when: [{ dates: days, start: '22:00', end: r.pick(['02:00', '06:00', '06:01', '00:00']) }],
  };
};
const timedDays: ScheduleForm = (r, day) => ({
  when: [{ dates: oneDate(r, day, 30), start: '10:00', end: '18:00', days: 3 }],
});
const edges: ScheduleForm = (r, day) => ({
  when: [
    { dates: oneDate(r, day, 20), start: '00:00', end: '00:01' },
    { dates: oneDate(r, day, 20), start: '23:59' },
    { dates: oneDate(r, day, 20), start: '19:00', end: '19:00' },
  ],
});
const weekly: ScheduleForm = (r, day) => {
  const since = day.subtract({ days: r.int(20, 90) });
  const except = dates(since.add({ days: 14 }), 2, 7);
  const rrule = `FREQ=WEEKLY;BYDAY=${r.pick(WEEKDAYS)};COUNT=${r.int(8, 26)}`;
  return { when: [{ rrule, since: since.toString(), except, ...evening(r) }] };
};
const monthly: ScheduleForm = (r, day) => {
  const since = day.subtract({ months: 3 }).toString();
  const until = day.add({ months: 9 }).toString();
  return {
    when: [
      { rrule: 'FREQ=MONTHLY;BYDAY=-1FR', since, until, ...evening(r) },
      { dates: oneDate(r, day, 90), start: '09:00', end: '11:00', note: NOTE },
    ],
  };
};
const easter: ScheduleForm = (r, day) => {
  const since = day.subtract({ years: 1 }).toString();
  return { when: [{ easter: r.pick([-47, -7, -2, 0, 60]), since, days: 3 }] };
};
const past: ScheduleForm = (r, day) => ({
  when: [{ dates: [day.subtract({ days: r.int(2, 300) }).toString()], ...evening(r) }],
});
const cancelled: ScheduleForm = (r, day) => ({ ...several(r, day), status: 'cancelled' });
const postponed: ScheduleForm = (r, day) => ({ ...single(r, day), status: 'postponed' });
const changed: ScheduleForm = (r, day) => {
  const days = dates(laterDay(r, day, 30), 5, 3);
  const [first = '', second = ''] = days;
  return {
    when: [{ dates: days, ...evening(r) }],
    changes: [
      { date: first, status: 'cancelled', note: RAIN },
      { date: second, status: 'postponed' },
    ],
  };
};
const withdrawn: ScheduleForm = (r, day) => ({
  ...single(r, day),
  withdrawn: { date: day.toString(), reason: 'Razón inventada para pruebas.' },
});

/** Used in turn, so that a town of thirty events has all forms; plain ones occur more often. */
export const SCHEDULE_FORMS: readonly ScheduleForm[] = [
  [single, several, weekly, past, withoutEnd, several, allDay, severalDays, single, pastMidnight],
  [weekly, several, timedDays, edges, past, several, monthly, single, easter, several],
  [cancelled, past, changed, several, postponed, single, several, weekly, past, withdrawn],
].flat();
