// Hours and admission of a venue: as the snapshot holds them and as they are sent (contract 4.10).
import * as v from 'valibot';
import { about, DaySchema, TimestampSchema } from './fields.ts';
import { LocalTextSchema } from './lang.ts';
import { VISITORS, WEEKDAYS } from './opening-hours.ts';

const HourSchema = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
const hourOrNull = v.nullable(HourSchema);
const dayOrNull = v.nullable(DaySchema);
const days = v.array(v.picklist(WEEKDAYS));
const visitors = v.array(v.picklist(VISITORS));

const RuleSchema = v.strictObject({
  days,
  open: hourOrNull,
  close: hourOrNull,
  last_entry: hourOrNull,
  since: dayOrNull,
  until: dayOrNull,
});
const exception = { date: DaySchema, open: hourOrNull, close: hourOrNull } as const;
const hours = {
  closed_on: about(v.array(v.string()), 'Keys of the holidays on which it closes.'),
  quiet_days: about(
    v.optional(v.picklist(['open'])),
    'There where its hours count on 24, 25 and 31 December, 1 January and Good Friday too.',
  ),
  free: v.array(v.strictObject({ days, visitors })),
} as const;
const admission = {
  visitor: v.picklist(VISITORS),
  amount: v.number(),
  currency: v.string(),
} as const;

/** As stored: notes in every language. */
export const StoredHoursSchema = v.strictObject({
  rules: v.array(RuleSchema),
  exceptions: v.array(v.strictObject({ ...exception, note: v.nullable(LocalTextSchema) })),
  ...hours,
  note: v.nullable(LocalTextSchema),
});
export const StoredAdmissionSchema = v.strictObject({
  ...admission,
  note: v.nullable(LocalTextSchema),
});

/** As sent: notes in the language asked for. */
export const HoursSchema = v.strictObject({
  rules: about(
    v.array(RuleSchema),
    'Hours by weekday, local; a close before the opening is on the next day; null is not known.',
  ),
  exceptions: about(
    v.array(v.strictObject({ ...exception, note: v.nullable(v.string()) })),
    'Days that are not like their weekday; closed where open is null.',
  ),
  ...hours,
  note: v.nullable(v.string()),
});
export const AdmissionSchema = v.strictObject({ ...admission, note: v.nullable(v.string()) });
export const TodaySchema = v.strictObject({
  date: DaySchema,
  open: v.boolean(),
  spans: about(
    v.array(
      v.strictObject({
        opens: TimestampSchema,
        closes: v.nullable(TimestampSchema),
        last_entry: v.nullable(TimestampSchema),
      }),
    ),
    'None where it is closed, or open at hours that are not known.',
  ),
  note: about(
    v.nullable(v.string()),
    'Why it is not like its weekday, or that its hours are not confirmed for a holiday.',
  ),
  free_for: visitors,
});

export type Hours = v.InferOutput<typeof HoursSchema>;
export type Today = v.InferOutput<typeof TodaySchema>;
