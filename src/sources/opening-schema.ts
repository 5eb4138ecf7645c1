// What a venue's file may say of its hours and of what entering costs.
import * as v from 'valibot';
import { findOverlap, VISITORS, WEEKDAYS } from '../domain/opening-hours.ts';
import { amount, currency, day, hour, line, list, local, MAX } from './schema-fields.ts';

const weekdays = v.pipe(
  list(v.picklist(WEEKDAYS, `must be one of ${WEEKDAYS.join(', ')}`), WEEKDAYS.length),
  v.minLength(1, 'must name at least one day'),
  v.check((days) => new Set(days).size === days.length, 'names a day twice'),
);
const visitor = v.picklist(VISITORS, `must be one of ${VISITORS.join(', ')}`);
const hourOrNull = v.optional(v.nullable(hour), null);
const dayOrNull = v.optional(v.nullable(day), null);
const noteOrNull = v.optional(v.nullable(local(line(MAX.summary))), null);

interface OpenClose {
  readonly open: string | null;
  readonly close: string | null;
}
const CLOSE_NEEDS_OPEN = 'needs an open';
const isCloseOfOpen = ({ open, close }: OpenClose): boolean => close === null || open !== null;
const CLOSE_IS_OPEN = 'must not be the hour of open';
const isCloseElsewhere = ({ open, close }: OpenClose): boolean => close === null || close !== open;

/** Whether people are still let in: after it opens, and not after it closes. */
function isWhileOpen({ open, close, last_entry }: OpenClose & { last_entry: string | null }) {
  if (last_entry === null) return true;
  if (open === null) return false;
  if (close === null) return last_entry > open;
  return close > open
    ? last_entry > open && last_entry <= close
    : last_entry > open || last_entry <= close;
}

const RuleSchema = v.pipe(
  v.strictObject({
    days: weekdays,
    /** Without one, it is open on those days at hours that are not known. */
    open: hourOrNull,
    /** Before `open`, on the next day; without one, not known. */
    close: hourOrNull,
    last_entry: hourOrNull,
    since: dayOrNull,
    until: dayOrNull,
  }),
  v.forward(
    v.check((rule) => isCloseOfOpen(rule), CLOSE_NEEDS_OPEN),
    ['close'],
  ),
  v.forward(
    v.check((rule) => isCloseElsewhere(rule), CLOSE_IS_OPEN),
    ['close'],
  ),
  v.forward(
    v.check((rule) => isWhileOpen(rule), 'must be between open and close'),
    ['last_entry'],
  ),
  v.forward(
    v.check(
      ({ since, until }) => since === null || until === null || since <= until,
      'must not be before since',
    ),
    ['until'],
  ),
);

/** A day that is not like its weekday; without `open` it is closed. */
const ExceptionSchema = v.pipe(
  v.strictObject({ date: day, open: hourOrNull, close: hourOrNull, note: noteOrNull }),
  v.forward(
    v.check((rule) => isCloseOfOpen(rule), CLOSE_NEEDS_OPEN),
    ['close'],
  ),
  v.forward(
    v.check((rule) => isCloseElsewhere(rule), CLOSE_IS_OPEN),
    ['close'],
  ),
);

/** When a venue is open; `closed_on` holds keys of holidays, which read-dataset.ts knows. */
export const HoursSchema = v.pipe(
  v.strictObject({
    rules: v.pipe(list(RuleSchema), v.minLength(1, 'must have at least one rule')),
    exceptions: v.optional(list(ExceptionSchema, MAX.dates), []),
    closed_on: v.optional(list(line(80)), []),
    quiet_days: v.optional(v.picklist(['open'], 'must be open, or be left out')),
    free: v.optional(
      list(
        v.strictObject({
          days: weekdays,
          visitors: v.pipe(list(visitor), v.minLength(1, 'must say for whom')),
        }),
      ),
      [],
    ),
    note: noteOrNull,
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { rules } = dataset.value;
    const overlap = findOverlap(rules);
    const rule = overlap && rules[overlap[1]];
    if (!rule) return;
    addIssue({
      message: `overlaps the hours of rules[${overlap[0]}] on the same day`,
      path: [
        {
          type: 'object',
          origin: 'value',
          input: { ...dataset.value },
          key: 'rules',
          value: rules,
        },
        { type: 'array', origin: 'value', input: [...rules], key: overlap[1], value: rule },
      ],
    });
  }),
  v.forward(
    v.check(
      ({ exceptions }) => new Set(exceptions.map(({ date }) => date)).size === exceptions.length,
      'names a date twice',
    ),
    ['exceptions'],
  ),
);

/** What entering costs one kind of visitor; 0 is free. */
export const AdmissionSchema = v.strictObject({ visitor, amount, currency, note: noteOrNull });
