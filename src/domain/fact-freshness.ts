// How well a fact is known, from what its sources said and how long ago, and when somebody should look again
// (contract 6).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { DaySchema } from './fields.ts';
import { LocalTextSchema } from './lang.ts';

/**
 * Best first. `confirmed`: a source for this very date. `usual`: a rule that a source of its time
 * supports. `last_known`: an old rule, which gives no dates ahead, only how it was.
 */
export const CERTAINTIES = ['confirmed', 'usual', 'last_known'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export type Confidence = 'high' | 'medium' | 'low';

/**
 * How long a fact may be believed after its newest source, by the kind of fact: the one place where
 * that is set. What is older counts one step less, and one more for each such time again.
 */
export const SHELF_LIVES = {
  /** Nightclubs change doors, hours and prices with the season. */
  club: { days: 90 },
  price: { days: 90 },
  /** What repeats by day, week or month. */
  weekly: { days: 180 },
  /** What takes place once a year, on a date that somebody sets. */
  annual: { months: 13 },
  /** What the calendar itself sets: a saint's day, a national holiday, carnival. */
  feast: { years: 3 },
} as const satisfies Record<string, Temporal.DurationLike>;
export type ShelfLife = keyof typeof SHELF_LIVES;
/**
 * After how long hours and prices of a place are no longer told: places set them from year to year (contract 6.5).
 */
export const VENUE_SHELF_LIFE: ShelfLife = 'annual';

export const SHELF_LIFE_NAMES = ['club', 'price', 'weekly', 'annual', 'feast'] as const;

/** Days ahead for which a rule of low confidence gives dates. */
export const LOW_CONFIDENCE_DAYS = 30;

/** Where a fact comes from, as far as its age is concerned. Days as YYYY-MM-DD. */
export interface Evidence {
  /** When the source was published; none where it says no day, as a page of opening hours does. */
  readonly published?: string | undefined;
  /** When somebody last looked at it. */
  readonly checked: string;
}

/**
 * The day of the newest evidence: an article speaks for the day it was published, however often it
 * is looked at again; a page without a date speaks for the day on which somebody saw it. The schema
 * refuses a file without a source.
 */
export const findEvidenceDay = (sources: readonly Evidence[]): Temporal.PlainDate =>
  Temporal.PlainDate.from(
    sources
      .map(({ published, checked }) => published ?? checked)
      .sort()
      .at(-1) ?? '1970-01-01',
  );

/** The last day on which a fact of this kind still counts in full. */
export function computeDueDay(
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
): Temporal.PlainDate {
  return evidence_day.add(SHELF_LIVES[kind]);
}

/** Whether a fact that is due on a day still counts in full on another. */
export const isFreshOn = (due: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(today, due) <= 0;

/** How far a fact has fallen on a day: one step for each whole shelf life that has run out. */
function countSteps(
  kind: ShelfLife,
  evidence: Temporal.PlainDate,
  today: Temporal.PlainDate,
): number {
  let steps = 0;
  let due = computeDueDay(kind, evidence);
  while (steps < CERTAINTIES.length - 1 && !isFreshOn(due, today)) {
    steps += 1;
    due = due.add(SHELF_LIVES[kind]);
  }
  return steps;
}

/** What a fact that began as `stated` is worth on a day. */
export function computeCertainty(
  stated: Certainty,
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
  today: Temporal.PlainDate,
): Certainty {
  const step = CERTAINTIES.indexOf(stated) + countSteps(kind, evidence_day, today);
  return CERTAINTIES[Math.min(step, CERTAINTIES.length - 1)] ?? 'last_known';
}

/**
 * The last day for which anything is said of a rule that began as `stated`: from then on it is only
 * last known, and what took place is not known either.
 */
export function computeLastSupportedDay(
  stated: Certainty,
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
): Temporal.PlainDate {
  let day = evidence_day;
  for (let step = CERTAINTIES.indexOf(stated); step < CERTAINTIES.length - 1; step += 1)
    day = day.add(SHELF_LIVES[kind]);
  return day;
}

/** The months for which a source must be young enough to speak for `high`. */
const HIGH_MONTHS = 24;

/** Whether sources carry the confidence `high`: two of them, one younger than 24 months. */
export function supportsHighConfidence(
  sources: readonly Evidence[],
  today: Temporal.PlainDate,
): boolean {
  if (sources.length < 2) return false;
  const young = today.subtract({ months: HIGH_MONTHS });
  return Temporal.PlainDate.compare(findEvidenceDay(sources), young) > 0;
}

/** Which fact of a file it is: an event's dates, its price, a place's hours, what entering costs, a notice. */
export const REVIEW_FACT_KINDS = ['dates', 'price', 'hours', 'admission', 'notice'] as const;

export const FactDueSchema = v.object({
  /** Path from the content folder; `inbox/HC-…` for what came through the desk. */
  file: v.string(),
  id: v.string(),
  name: LocalTextSchema,
  kind: v.picklist(REVIEW_FACT_KINDS),
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
export type FactDue = Readonly<v.InferOutput<typeof FactDueSchema>>;

/**
 * What is still said of a fact: dates by their certainty; a price with its month (`dated`); of a
 * place's hours only the days of the week (`weekdays`); of what entering costs nothing (`untold`).
 */
export type FreshnessLevel = Certainty | 'dated' | 'weekdays' | 'untold';

/** What it is worth on a day, and what it falls to where nobody looks. */
export interface Decay {
  readonly now: FreshnessLevel;
  /** `from`: the first day of it; null where it falls no further. */
  readonly next: { readonly worth: FreshnessLevel; readonly from: Temporal.PlainDate } | null;
}

/** What it falls to, and after how long, the next fall last (contract 6.5, 6.10). */
type Step = { readonly shelf: ShelfLife; readonly worth: FreshnessLevel };
const FALLS = {
  price: [{ shelf: 'price', worth: 'dated' }],
  hours: [{ shelf: VENUE_SHELF_LIFE, worth: 'weekdays' }],
  admission: [
    { shelf: 'price', worth: 'dated' },
    { shelf: VENUE_SHELF_LIFE, worth: 'untold' },
  ],
} as const satisfies Record<string, readonly Step[]>;

/** Null for a notice, which is said on, with the days of its sources. */
export function computeDecay(fact: FactDue, today: Temporal.PlainDate): Decay | null {
  if (fact.kind === 'notice') return null;
  const evidence = Temporal.PlainDate.from(fact.evidence_day);
  if (fact.kind !== 'dates') {
    const steps: readonly Step[] = FALLS[fact.kind];
    const next = steps.find(({ shelf }) => isFreshOn(computeDueDay(shelf, evidence), today));
    const fallen = steps.slice(0, next ? steps.indexOf(next) : steps.length).at(-1);
    return {
      now: fallen?.worth ?? 'confirmed',
      next: next
        ? { worth: next.worth, from: computeDueDay(next.shelf, evidence).add({ days: 1 }) }
        : null,
    };
  }
  const worth = (day: Temporal.PlainDate): Certainty =>
    computeCertainty(fact.stated, fact.shelf, evidence, day);
  const now = worth(today);
  if (now === 'last_known') return { now, next: null };
  let last = computeDueDay(fact.shelf, evidence);
  while (Temporal.PlainDate.compare(last, today) < 0) last = computeDueDay(fact.shelf, last);
  const from = last.add({ days: 1 });
  return { now, next: { worth: worth(from), from } };
}

/** The facts that are due by DUE_LOOKAHEAD_DAYS days after `today`, the longest overdue first. */
export interface FactsDue {
  readonly overdue: readonly FactDue[];
  /** Their day is today or one of those after it. */
  readonly soon: readonly FactDue[];
}

/** The days that `npm run due` and the desk look ahead. */
export const DUE_LOOKAHEAD_DAYS = 7;

/** Facts in the order of their days, parted by whether that is over. */
export function groupFactsDue(facts: readonly FactDue[], today: Temporal.PlainDate): FactsDue {
  const [first, last] = [today.toString(), today.add({ days: DUE_LOOKAHEAD_DAYS }).toString()];
  const due = facts
    .filter(({ day }) => day <= last)
    .sort((a, b) => compare(a.day, b.day) || compare(a.file, b.file) || compare(a.kind, b.kind));
  return {
    overdue: due.filter(({ day }) => day < first),
    soon: due.filter(({ day }) => day >= first),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
