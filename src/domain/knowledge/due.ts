// What is due to be looked at again: a fact with its sources, the last day on which it counts in
// full, and what becomes of it where nobody looks (contract 6.5).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { DaySchema } from '../fields.ts';
import { LocalTextSchema } from '../lang.ts';
import {
  CERTAINTIES,
  type Certainty,
  isFresh,
  PLACE_SHELF,
  SHELF_LIFE_NAMES,
  type ShelfLife,
  toCertainty,
  toDueDay,
} from './certainty.ts';

/** Which fact of a file it is: an event's dates, its price, a place's hours, what entering costs, a notice. */
export const DUE_KINDS = ['dates', 'price', 'hours', 'admission', 'notice'] as const;

export const DueFactSchema = v.object({
  /** Path from the content folder; `inbox/HC-…` for what came through the desk. */
  file: v.string(),
  id: v.string(),
  name: LocalTextSchema,
  kind: v.picklist(DUE_KINDS),
  shelf: v.picklist(SHELF_LIFE_NAMES),
  /** What it was worth on the day of its newest evidence. */
  stated: v.picklist(CERTAINTIES),
  evidence_day: DaySchema,
  /** The last day on which it counts in full. */
  day: DaySchema,
  sources: v.array(
    v.object({
      url: v.nullable(v.string()),
      name: v.nullable(v.string()),
      published: v.nullable(v.string()),
      checked: v.string(),
    }),
  ),
});

/** A fact of content with the day on which it is due. */
export type DueFact = Readonly<v.InferOutput<typeof DueFactSchema>>;

/**
 * What is still said of a fact: dates by their certainty; a price with its month (`dated`); of a
 * place's hours only the days of the week (`weekdays`); of what entering costs nothing (`untold`).
 */
export type Worth = Certainty | 'dated' | 'weekdays' | 'untold';

/** What it is worth on a day, and what it falls to where nobody looks. */
export interface Fall {
  readonly now: Worth;
  /** `from`: the first day of it; null where it falls no further. */
  readonly next: { readonly worth: Worth; readonly from: Temporal.PlainDate } | null;
}

/** What it falls to, and after how long, the next fall last (contract 6.5, 6.10). */
type Step = { readonly shelf: ShelfLife; readonly worth: Worth };
const FALLS = {
  price: [{ shelf: 'price', worth: 'dated' }],
  hours: [{ shelf: PLACE_SHELF, worth: 'weekdays' }],
  admission: [
    { shelf: 'price', worth: 'dated' },
    { shelf: PLACE_SHELF, worth: 'untold' },
  ],
} as const satisfies Record<string, readonly Step[]>;

/** Null for a notice, which is said on, with the days of its sources. */
export function toFall(fact: DueFact, today: Temporal.PlainDate): Fall | null {
  if (fact.kind === 'notice') return null;
  const evidence = Temporal.PlainDate.from(fact.evidence_day);
  if (fact.kind !== 'dates') {
    const steps: readonly Step[] = FALLS[fact.kind];
    const next = steps.find(({ shelf }) => isFresh(toDueDay(shelf, evidence), today));
    const fallen = steps.slice(0, next ? steps.indexOf(next) : steps.length).at(-1);
    return {
      now: fallen?.worth ?? 'confirmed',
      next: next
        ? { worth: next.worth, from: toDueDay(next.shelf, evidence).add({ days: 1 }) }
        : null,
    };
  }
  const worth = (day: Temporal.PlainDate): Certainty =>
    toCertainty(fact.stated, fact.shelf, evidence, day);
  const now = worth(today);
  if (now === 'last_known') return { now, next: null };
  let last = toDueDay(fact.shelf, evidence);
  while (Temporal.PlainDate.compare(last, today) < 0) last = toDueDay(fact.shelf, last);
  const from = last.add({ days: 1 });
  return { now, next: { worth: worth(from), from } };
}

/** The facts that are due by `days` days after `today`, the longest overdue first. */
export interface DueSplit {
  readonly overdue: readonly DueFact[];
  /** Their day is today or one of the `days` after it. */
  readonly soon: readonly DueFact[];
}

/** The days that `npm run due` and the desk look ahead. */
export const DUE_DAYS = 7;

/** Facts in the order of their days, parted by whether that is over. */
export function splitDue(
  facts: readonly DueFact[],
  today: Temporal.PlainDate,
  days: number = DUE_DAYS,
): DueSplit {
  const [first, last] = [today.toString(), today.add({ days }).toString()];
  const due = facts
    .filter(({ day }) => day <= last)
    .sort((a, b) => compare(a.day, b.day) || compare(a.file, b.file) || compare(a.kind, b.kind));
  return {
    overdue: due.filter(({ day }) => day < first),
    soon: due.filter(({ day }) => day >= first),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
