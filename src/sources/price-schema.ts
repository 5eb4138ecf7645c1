// What a file may say of what an event costs: a word, a range, or an amount for each kind of visitor.
import * as v from 'valibot';
import { AdmissionSchema } from './opening-schema.ts';
import { amount, currencyCode, line, list, local, MAX } from './schema-fields.ts';

const MUST = 'must be free, unknown, or have min, max, currency, visitors, note';
const FOLLOWS = 'follows from visitors: leave it out';

/** Without min, max and visitors the price is not known, whatever the note says. */
const AmountsSchema = v.pipe(
  v.strictObject(
    {
      min: v.optional(amount),
      max: v.optional(amount),
      /** MXN where it says nothing. */
      currency: v.optional(currencyCode),
      visitors: v.optional(
        v.pipe(list(AdmissionSchema), v.minLength(1, 'must have at least one kind of visitor')),
      ),
      note: v.optional(local(line(MAX.name))),
    },
    MUST,
  ),
  v.forward(
    v.check(
      ({ min, max }) => min === undefined || max === undefined || min <= max,
      'is above max: swap them',
    ),
    ['min'],
  ),
  v.forward(
    v.check(({ visitors, min }) => visitors === undefined || min === undefined, FOLLOWS),
    ['min'],
  ),
  v.forward(
    v.check(({ visitors, max }) => visitors === undefined || max === undefined, FOLLOWS),
    ['max'],
  ),
  v.forward(
    v.check(({ visitors, currency }) => visitors === undefined || currency === undefined, FOLLOWS),
    ['currency'],
  ),
  v.forward(
    v.check(
      ({ visitors = [] }) => new Set(visitors.map(({ currency }) => currency)).size <= 1,
      'must be in one currency',
    ),
    ['visitors'],
  ),
);
const WordSchema = v.picklist(['free', 'unknown'], MUST);

/** The form is chosen by what stands there, so that the fault of each field is told where it is. */
export const PriceSchema = v.lazy((price) =>
  typeof price === 'string' ? WordSchema : AmountsSchema,
);
