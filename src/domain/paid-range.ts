// What those pay who pay, of prices by kind of visitor: of an event as of a venue.
import type { Admission } from './opening-hours.ts';

/** Amounts in `currency` units; both 0 where nobody pays. */
export interface PaidRange {
  readonly is_free: boolean;
  readonly min: number;
  readonly max: number;
  readonly currency: string;
}

/** The lowest and the highest of what is paid; null where no price is known. */
export function toPaidRange(visitors: readonly Admission[]): PaidRange | null {
  const [first] = visitors;
  if (!first) return null;
  const paid = visitors.map(({ amount }) => amount).filter((amount) => amount > 0);
  const [min, max] = paid.length === 0 ? [0, 0] : [Math.min(...paid), Math.max(...paid)];
  return { is_free: max === 0, min, max, currency: first.currency };
}
