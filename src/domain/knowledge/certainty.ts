// How well a date is known: from what its sources said and how long ago (contract 6).
import { Temporal } from 'temporal-polyfill';

/**
 * Best first. `confirmed`: a source for this very date. `usual`: a rule that a source of its time
 * supports. `last_known`: an old rule, which gives no dates ahead, only how it was.
 */
export const CERTAINTIES = ['confirmed', 'usual', 'last_known'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

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
 * After how long hours and prices of a place are no longer told: places set them from year to year
 * (contract 6.5).
 */
export const PLACE_SHELF: ShelfLife = 'annual';

export const SHELF_LIFE_NAMES = ['club', 'price', 'weekly', 'annual', 'feast'] as const;

/** Days ahead for which a rule of low confidence gives dates. */
export const LOW_CONFIDENCE_DAYS = 30;

/** Where a fact comes from, as far as its age is concerned. Days as YYYY-MM-DD. */
export interface Evidence {
  /** When the source was published; null where it says no day, as a page of opening hours does. */
  readonly published: string | null;
  /** When somebody last looked at it. */
  readonly checked: string;
}

const later = (a: string, b: string): string => (a > b ? a : b);

/**
 * The day of the newest evidence: an article speaks for the day it was published, however often it
 * is looked at again; a page without a date speaks for the day on which somebody saw it.
 */
export function toEvidenceDay(sources: readonly [Evidence, ...Evidence[]]): Temporal.PlainDate {
  const [first, ...rest] = sources.map(({ published, checked }) => published ?? checked);
  return Temporal.PlainDate.from(rest.reduce(later, first ?? ''));
}

/** The last day on which a fact of this kind still counts in full. */
export function toDueDay(kind: ShelfLife, evidence_day: Temporal.PlainDate): Temporal.PlainDate {
  return evidence_day.add(SHELF_LIVES[kind]);
}

/** Whether a fact that is due on a day still counts in full on another. */
export const isFresh = (due: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(today, due) <= 0;

/** How far a fact has fallen on a day: one step for each whole shelf life that has run out. */
function countSteps(
  kind: ShelfLife,
  evidence: Temporal.PlainDate,
  today: Temporal.PlainDate,
): number {
  let steps = 0;
  let due = toDueDay(kind, evidence);
  while (steps < CERTAINTIES.length - 1 && !isFresh(due, today)) {
    steps += 1;
    due = due.add(SHELF_LIVES[kind]);
  }
  return steps;
}

/** What a fact that began as `stated` is worth on a day. */
export function toCertainty(
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
export function toLastVouchedDay(
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
export function carriesHigh(
  sources: readonly [Evidence, ...Evidence[]],
  today: Temporal.PlainDate,
): boolean {
  if (sources.length < 2) return false;
  const young = today.subtract({ months: HIGH_MONTHS });
  return Temporal.PlainDate.compare(toEvidenceDay(sources), young) > 0;
}
