// The price of an event file as its record has it, and how well it is known on a day (contract 6.10).
import type { Temporal } from 'temporal-polyfill';
import { parseDay } from '../domain/cancun-time.ts';
import type { Price } from '../domain/event/event.ts';
import { type Certainty, toCertainty, toEvidenceDay } from '../domain/knowledge/certainty.ts';
import { toPaidRange } from '../domain/opening-hours.ts';
import { toEvidence } from './certainty.ts';
import type { EventFile, When } from './content-schema.ts';

type Amounts = Omit<Price, 'certainty' | 'as_of'>;

const UNKNOWN: Amounts = {
  is_free: false,
  min: null,
  max: null,
  currency: 'MXN',
  note: null,
  visitors: [],
};

function toAmounts(price: EventFile['price']): Amounts {
  if (price === 'unknown') return UNKNOWN;
  if (price === 'free') return { ...UNKNOWN, is_free: true, min: 0, max: 0 };
  const { min = null, max = null, currency = 'MXN', visitors = [], note = null } = price;
  const range = toPaidRange(visitors) ?? { is_free: false, min, max, currency };
  return { ...range, note, visitors };
}

/** Whether it takes place after today; what is over cost what it cost. */
const isAhead = ({ dates, until, days }: When, today: string): boolean =>
  dates === undefined
    ? until === undefined || until >= today
    : dates.some(
        (day) =>
          (parseDay(day)
            ?.add({ days: days - 1 })
            .toString() ?? day) >= today,
      );

/**
 * The price on a day called today. Money is believed as long as SHELF_LIVES.price says; free entry as
 * long as the event, whose certainty is given.
 */
export function toPrice(
  file: Pick<EventFile, 'price' | 'when' | 'sources'>,
  event: Certainty,
  today: Temporal.PlainDate,
): Price {
  const amounts = toAmounts(file.price);
  const { min, max } = amounts;
  if (min === null && max === null) return { ...amounts, certainty: null, as_of: null };
  if ((max ?? min ?? 0) === 0) return { ...amounts, certainty: event, as_of: null };
  const evidence_day = toEvidenceDay(toEvidence(file));
  const certainty = file.when.some((when) => isAhead(when, today.toString()))
    ? toCertainty('confirmed', 'price', evidence_day, today)
    : 'confirmed';
  return {
    ...amounts,
    certainty,
    as_of: certainty === 'confirmed' ? null : evidence_day.toString(),
  };
}
