// The form of content/calendar.yml: holidays with their rules, school terms, and where to look for
// what changes by the hour.
import * as v from 'valibot';
import { Temporal } from 'temporal-polyfill';
import { DAY_LINK_TOPICS } from '../domain/day/day-facts.ts';
import { HOLIDAY_CLOSES, HOLIDAY_KINDS } from '../domain/day/holidays.ts';
import { day, line, list, local, MAX, provenance, slug, url } from './schema-fields.ts';

const whole = (min: number, max: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be whole'),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );

/** 29 February is none: a holiday comes every year or by `every`. */
const isDayOfEveryYear = (month: number, number: number): boolean =>
  number <= Temporal.PlainYearMonth.from({ year: 2026, month }).daysInMonth;

const RuleSchema = v.union(
  [
    v.pipe(
      v.strictObject({ month: whole(1, 12), day: whole(1, 31) }),
      v.check(
        (rule) => isDayOfEveryYear(rule.month, rule.day),
        'must be a day that every year has',
      ),
    ),
    v.strictObject({ month: whole(1, 12), weekday: whole(1, 7), nth: whole(1, 4) }),
    v.strictObject({ easter: whole(-120, 120) }),
  ],
  'must be month and day, month, weekday (1 Monday to 7 Sunday) and nth, or easter',
);

const HolidaySchema = v.strictObject({
  key: slug,
  name: local(line(MAX.name)),
  kind: v.picklist(HOLIDAY_KINDS, `must be one of ${HOLIDAY_KINDS.join(', ')}`),
  closes: list(v.picklist(HOLIDAY_CLOSES, `must be one of ${HOLIDAY_CLOSES.join(', ')}`)),
  feast: v.optional(v.boolean('must be true or false'), false),
  rule: RuleSchema,
  /** For one that comes only in some years: every so many, counted from the year `from`. */
  every: v.optional(v.strictObject({ years: whole(2, 100), from: whole(1900, 2200) })),
  sources: provenance.sources,
});

const LinkSchema = v.strictObject({
  topic: v.picklist(DAY_LINK_TOPICS, `must be one of ${DAY_LINK_TOPICS.join(', ')}`),
  name: local(line(MAX.name)),
  /** Who publishes it, as it calls itself. */
  source: line(MAX.name),
  url,
  /** The day somebody last opened it. */
  checked: day,
});

const span = { first: day, last: day } as const;
const isInOrder = ({ first, last }: { first: string; last: string }): boolean => first <= last;
const DaysSchema = v.pipe(
  v.strictObject(span),
  v.forward(v.check(isInOrder, 'must not be before first'), ['last']),
);

/** A school year, with what is no lesson in it; `off` are single days. */
const TermSchema = v.pipe(
  v.strictObject({
    ...span,
    breaks: v.optional(list(DaysSchema), []),
    off: v.optional(list(day), []),
    sources: provenance.sources,
  }),
  v.forward(
    v.check((term) => isInOrder(term), 'must not be before first'),
    ['last'],
  ),
);

/** calendar.yml. */
export const CalendarSchema = v.strictObject({
  holidays: list(HolidaySchema, MAX.holidays),
  /** School years, as whoever sets them published them. */
  terms: v.optional(list(TermSchema), []),
  links: v.optional(list(LinkSchema), []),
});
export type CalendarFile = v.InferOutput<typeof CalendarSchema>;
