// The ways in which a made-up event takes place: every form that content knows, turn by turn.
import type { Temporal } from 'temporal-polyfill';
import type * as v from 'valibot';
import type { EventSchema } from '../../src/sources/content-schema.ts';
import type { Random } from './random.ts';
import { written } from './words.ts';

export type EventInput = v.InferInput<typeof EventSchema>;
/** What a form decides: when, and what became of it. */
export type Schedule = Pick<EventInput, 'when' | 'changes' | 'status' | 'withdrawn'>;
type Form = (random: Random, anchor: Temporal.PlainDate) => Schedule;

/** Days around the anchor on which single dates fall. */
const AHEAD_DAYS = 240;
const BEHIND_DAYS = 300;

const HOURS = [
  '07:30',
  '09:00',
  '10:00',
  '12:00',
  '17:00',
  '18:30',
  '19:00',
  '20:00',
  '21:00',
] as const;
const ENDS = ['22:30', '23:00', '23:59'] as const;

const ahead = (
  random: Random,
  anchor: Temporal.PlainDate,
  most: number = AHEAD_DAYS,
): Temporal.PlainDate => anchor.add({ days: random.int(0, most) });
const behind = (random: Random, anchor: Temporal.PlainDate): string =>
  anchor.subtract({ days: random.int(2, BEHIND_DAYS) }).toString();
const dates = (first: Temporal.PlainDate, count: number, step: number): string[] =>
  Array.from({ length: count }, (_, i) => first.add({ days: i * step }).toString());
const evening = (random: Random) => ({ start: random.pick(HOURS), end: random.pick(ENDS) });

const NOTE = written({
  es: 'Nota de prueba: trae tu propia silla.',
  en: 'Test note: bring your own chair.',
});
const CALLED_OFF = written({
  es: 'Se canceló por una lluvia inventada.',
  en: 'Called off because of made-up rain.',
});

const single: Form = (random, anchor) => ({
  when: [{ dates: [ahead(random, anchor).toString()], ...evening(random) }],
});

const several: Form = (random, anchor) => ({
  when: [
    {
      dates: dates(ahead(random, anchor), random.int(3, 15), random.int(1, 9)),
      ...evening(random),
    },
  ],
});

const withoutEnd: Form = (random, anchor) => ({
  when: [{ dates: dates(ahead(random, anchor, 60), 2, 7), start: random.pick(HOURS) }],
});

const allDay: Form = (random, anchor) => ({
  when: [{ dates: [ahead(random, anchor, 30).toString()] }],
});

const severalDays: Form = (random, anchor) => ({
  when: [{ dates: [anchor.add({ days: random.int(-3, 30) }).toString()], days: random.int(2, 20) }],
});

const pastMidnight: Form = (random, anchor) => ({
  when: [
    {
      dates: dates(ahead(random, anchor, 40), 3, 7),
      start: '22:00',
      end: random.pick(['02:00', '06:00', '06:01', '00:00']),
    },
  ],
});

const timedDays: Form = (random, anchor) => ({
  when: [{ dates: [ahead(random, anchor, 30).toString()], start: '10:00', end: '18:00', days: 3 }],
});

const edges: Form = (random, anchor) => ({
  when: [
    { dates: [ahead(random, anchor, 20).toString()], start: '00:00', end: '00:01' },
    { dates: [ahead(random, anchor, 20).toString()], start: '23:59' },
    { dates: [ahead(random, anchor, 20).toString()], start: '19:00', end: '19:00' },
  ],
});

const weekly: Form = (random, anchor) => {
  const since = anchor.subtract({ days: random.int(20, 90) });
  const except = dates(since.add({ days: 14 }), 2, 7);
  const rrule = `FREQ=WEEKLY;BYDAY=${random.pick(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU', 'TU,TH', 'FR,SA'])};COUNT=${random.int(8, 26)}`;
  return { when: [{ rrule, since: since.toString(), except, ...evening(random) }] };
};

const monthly: Form = (random, anchor) => ({
  when: [
    {
      rrule: 'FREQ=MONTHLY;BYDAY=-1FR',
      since: anchor.subtract({ months: 3 }).toString(),
      until: anchor.add({ months: 9 }).toString(),
      ...evening(random),
    },
    { dates: [ahead(random, anchor, 90).toString()], start: '09:00', end: '11:00', note: NOTE },
  ],
});

const easter: Form = (random, anchor) => ({
  when: [
    {
      easter: random.pick([-47, -7, -2, 0, 60]),
      since: anchor.subtract({ years: 1 }).toString(),
      days: 3,
    },
  ],
});

const past: Form = (random, anchor) => ({
  when: [{ dates: [behind(random, anchor)], ...evening(random) }],
});

const cancelled: Form = (random, anchor) => ({ ...several(random, anchor), status: 'cancelled' });
const postponed: Form = (random, anchor) => ({ ...single(random, anchor), status: 'postponed' });

const changed: Form = (random, anchor) => {
  const days = dates(ahead(random, anchor, 30), 5, 3);
  const [first = '', second = ''] = days;
  return {
    when: [{ dates: days, ...evening(random) }],
    changes: [
      { date: first, status: 'cancelled', note: CALLED_OFF },
      { date: second, status: 'postponed' },
    ],
  };
};

const withdrawn: Form = (random, anchor) => ({
  ...single(random, anchor),
  withdrawn: { date: anchor.toString(), reason: 'Razón inventada para pruebas.' },
});

/** Turn by turn, so that a town of thirty events has them all; the plain ones come more often. */
export const FORMS: readonly Form[] = [
  single,
  several,
  weekly,
  past,
  withoutEnd,
  several,
  allDay,
  severalDays,
  single,
  pastMidnight,
  weekly,
  several,
  timedDays,
  edges,
  past,
  several,
  monthly,
  single,
  easter,
  several,
  cancelled,
  past,
  changed,
  several,
  postponed,
  single,
  several,
  weekly,
  past,
  withdrawn,
];
