// Fact freshness: grades a fact by the age of its sources, and computes when it is due for review (contract 6).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { DaySchema } from './fields.ts';
import { LocalTextSchema } from './lang.ts';

/**
 * Best first. `confirmed`: a source names this date. `usual`: a recurrence with a recent source. `last_known`: an
 * outdated recurrence, which yields no upcoming dates and only describes the past.
 */
export const CERTAINTIES = ['confirmed', 'usual', 'last_known'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export type Confidence = 'high' | 'medium' | 'low';

/**
 * How long a fact counts in full after its newest source, by kind of fact. Each further period of that length
 * lowers its certainty by one step.
 */
export const SHELF_LIVES = {
  /** Nightclubs change doors, hours and prices with the season. */
  club: { days: 90 },
  price: { days: 90 },
  /** Daily, weekly or monthly recurrences. */
  weekly: { days: 180 },
  /** Yearly events on a date that its organizer sets. */
  annual: { months: 13 },
  /** Days set by the calendar: a saint's day, a national holiday, carnival. */
  feast: { years: 3 },
} as const satisfies Record<string, Temporal.DurationLike>;
export type ShelfLife = keyof typeof SHELF_LIVES;
/**
 * After this time, hours and prices of a venue are no longer shown: venues set them year by year (contract
 * 6.5).
 */
export const VENUE_SHELF_LIFE: ShelfLife = 'annual';

export const SHELF_LIFE_NAMES = ['club', 'price', 'weekly', 'annual', 'feast'] as const;

/** A recurrence of low confidence yields dates for this many days ahead. */
export const LOW_CONFIDENCE_DAYS = 30;

/** Age of a source. Days as YYYY-MM-DD. */
export interface Evidence {
  /** Publication day; absent for undated sources, such as a page of opening hours. */
  readonly published?: string | undefined;
  /** Day of the last check. */
  readonly checked: string;
}

/**
 * Returns the day of the newest evidence. A dated source counts from its publication day, however often it is
 * checked again; an undated one from its last check. The schema rejects files without a source.
 */
export const findEvidenceDay = (sources: readonly Evidence[]): Temporal.PlainDate =>
  Temporal.PlainDate.from(
    sources
      .map(({ published, checked }) => published ?? checked)
      .sort()
      .at(-1) ?? '1970-01-01',
  );

/** Computes the last day on which a fact of this kind counts in full. */
export function computeDueDay(
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
): Temporal.PlainDate {
  return evidence_day.add(SHELF_LIVES[kind]);
}

/** Returns true if a fact due on `due` still counts in full today. */
export const isFreshOn = (due: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(today, due) <= 0;

/** Counts the steps that a fact has lost by `today`: one for each expired shelf life. */
function countLostSteps(
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

/** Computes the certainty, on a day, of a fact that began as `stated`. */
export function computeCertainty(
  stated: Certainty,
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
  today: Temporal.PlainDate,
): Certainty {
  const step = CERTAINTIES.indexOf(stated) + countLostSteps(kind, evidence_day, today);
  return CERTAINTIES[Math.min(step, CERTAINTIES.length - 1)] ?? 'last_known';
}

/**
 * Computes the last day for which a recurrence that began as `stated` yields dates. Afterwards it is
 * `last_known`, and past dates are unknown too.
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

/** Confidence `high` needs a source younger than this. */
const HIGH_MONTHS = 24;

/** Returns true if there are two sources or more, one of them younger than 24 months. */
export function supportsHighConfidence(
  sources: readonly Evidence[],
  today: Temporal.PlainDate,
): boolean {
  if (sources.length < 2) return false;
  const young = today.subtract({ months: HIGH_MONTHS });
  return Temporal.PlainDate.compare(findEvidenceDay(sources), young) > 0;
}

/** Kinds of facts to review: an event's dates or price, a venue's hours or admission, a notice. */
export const REVIEW_FACT_KINDS = ['dates', 'price', 'hours', 'admission', 'notice'] as const;

export const FactDueSchema = v.object({
  /** Path from the content folder; `inbox/HC-…` for records approved at the desk. */
  file: v.string(),
  id: v.string(),
  name: LocalTextSchema,
  kind: v.picklist(REVIEW_FACT_KINDS),
  shelf: v.picklist(SHELF_LIFE_NAMES),
  /** Certainty on the day of its newest evidence. */
  stated: v.picklist(CERTAINTIES),
  evidence_day: DaySchema,
  /** Last day on which it counts in full. */
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

/** A fact with the day of its next review. */
export type FactDue = Readonly<v.InferOutput<typeof FactDueSchema>>;

/**
 * Detail in which a fact is still shown: dates by certainty; a price with its month (`dated`); venue hours as
 * weekdays only (`weekdays`); admission not at all (`untold`).
 */
export type FreshnessLevel = Certainty | 'dated' | 'weekdays' | 'untold';

/** Freshness level of a fact on a day, and the next lower one if it is not reviewed. */
export interface Decay {
  readonly now: FreshnessLevel;
  /** `from`: first day of that level. Null if there is no lower level. */
  readonly next: { readonly level: FreshnessLevel; readonly from: Temporal.PlainDate } | null;
}

/** A freshness level and the shelf life after which it is reached (contract 6.5, 6.10). */
type Step = { readonly shelf: ShelfLife; readonly level: FreshnessLevel };
const FALLS = {
  price: [{ shelf: 'price', level: 'dated' }],
  hours: [{ shelf: VENUE_SHELF_LIFE, level: 'weekdays' }],
  admission: [
    { shelf: 'price', level: 'dated' },
    { shelf: VENUE_SHELF_LIFE, level: 'untold' },
  ],
} as const satisfies Record<string, readonly Step[]>;

/** @returns null for a notice: it stays as it is, with its source dates. */
export function computeDecay(fact: FactDue, today: Temporal.PlainDate): Decay | null {
  if (fact.kind === 'notice') return null;
  const evidence = Temporal.PlainDate.from(fact.evidence_day);
  if (fact.kind !== 'dates') {
    const steps: readonly Step[] = FALLS[fact.kind];
    const next = steps.find(({ shelf }) => isFreshOn(computeDueDay(shelf, evidence), today));
    const reached = steps.slice(0, next ? steps.indexOf(next) : steps.length).at(-1);
    return {
      now: reached?.level ?? 'confirmed',
      next: next
        ? { level: next.level, from: computeDueDay(next.shelf, evidence).add({ days: 1 }) }
        : null,
    };
  }
  const certaintyOn = (day: Temporal.PlainDate): Certainty =>
    computeCertainty(fact.stated, fact.shelf, evidence, day);
  const now = certaintyOn(today);
  if (now === 'last_known') return { now, next: null };
  let last = computeDueDay(fact.shelf, evidence);
  while (Temporal.PlainDate.compare(last, today) < 0) last = computeDueDay(fact.shelf, last);
  const from = last.add({ days: 1 });
  return { now, next: { level: certaintyOn(from), from } };
}

/** Facts due by DUE_LOOKAHEAD_DAYS days after `today`, the longest overdue first. */
export interface FactsDue {
  readonly overdue: readonly FactDue[];
  /** Due today or later. */
  readonly soon: readonly FactDue[];
}

/** Days that `npm run due` and the desk look ahead. */
export const DUE_LOOKAHEAD_DAYS = 7;

/** Groups facts into overdue and due soon, by day. */
export function groupFactsDue(facts: readonly FactDue[], today: Temporal.PlainDate): FactsDue {
  const [first, last] = [today.toString(), today.add({ days: DUE_LOOKAHEAD_DAYS }).toString()];
  const due_facts = facts
    .filter(({ day }) => day <= last)
    .sort((a, b) => compare(a.day, b.day) || compare(a.file, b.file) || compare(a.kind, b.kind));
  return {
    overdue: due_facts.filter(({ day }) => day < first),
    soon: due_facts.filter(({ day }) => day >= first),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
