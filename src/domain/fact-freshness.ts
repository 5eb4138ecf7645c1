// Fact freshness: computes how certain a fact still is from the age of its sources, and the day on
// which an editor must review it (contract 6). A fact is the dates or price of an event, the hours
// or admission of a venue, or a notice; its evidence is its sources.
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { DaySchema } from './fields.ts';
import { LocalTextSchema } from './lang.ts';

/**
 * Best first. `confirmed`: a source names this date. `usual`: a recurrence with a recent source.
 * `last_known`: an outdated recurrence, which yields no upcoming dates and only describes the past.
 */
export const CERTAINTIES = ['confirmed', 'usual', 'last_known'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** The editor's own confidence in a record of content/. */
export type Confidence = 'high' | 'medium' | 'low';

/**
 * Shelf life by kind of fact: time after the newest source for which the fact keeps its certainty.
 * Each further period of this length lowers the certainty by one step.
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
 * After this time, hours and prices of a venue are no longer shown: venues set them year by year
 * (contract 6.5).
 */
export const VENUE_SHELF_LIFE: ShelfLife = 'annual';

/** The keys of SHELF_LIVES. */
export const SHELF_LIFE_NAMES = ['club', 'price', 'weekly', 'annual', 'feast'] as const;

/** A recurrence of low confidence yields dates for this many days ahead. */
export const LOW_CONFIDENCE_DAYS = 30;

/** The dates of one source, YYYY-MM-DD, from which its age follows. */
export interface Evidence {
  /** Publication day; absent for undated sources, such as a page of opening hours. */
  readonly published?: string | undefined;
  /** Day of the last check. */
  readonly checked: string;
}

/**
 * Returns the day of the newest evidence. A dated source counts from its publication day, however
 * often it is checked again; an undated one from its last check. The schema rejects files without a
 * source.
 */
export const findEvidenceDay = (sources: readonly Evidence[]): Temporal.PlainDate =>
  Temporal.PlainDate.from(
    sources
      .map(({ published, checked }) => published ?? checked)
      .sort()
      .at(-1) ?? '1970-01-01',
  );

/**
 * Computes the due day of a fact: the last day on which it keeps its certainty without a newer
 * source.
 */
export function computeDueDay(
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
): Temporal.PlainDate {
  return evidence_day.add(SHELF_LIVES[kind]);
}

/** Returns true if a fact with this due day still keeps its certainty today. */
export const isFreshOn = (due_day: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(today, due_day) <= 0;

/**
 * Counts the steps of CERTAINTIES that a fact has lost by `today`: one for each expired shelf life.
 */
function countLostSteps(
  kind: ShelfLife,
  evidence_day: Temporal.PlainDate,
  today: Temporal.PlainDate,
): number {
  let steps = 0;
  let due_day = computeDueDay(kind, evidence_day);
  while (steps < CERTAINTIES.length - 1 && !isFreshOn(due_day, today)) {
    steps += 1;
    due_day = due_day.add(SHELF_LIVES[kind]);
  }
  return steps;
}

/**
 * Computes the certainty of a fact on `today`.
 * @param stated Its certainty on the day of its newest evidence.
 */
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
 * Computes the last day for which a recurrence that began as `stated` yields dates. Afterwards it
 * is `last_known`, and past dates are unknown too.
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

/** Months: confidence `high` needs a source younger than this. */
const HIGH_CONFIDENCE_MONTHS = 24;

/** Returns true if there are two sources or more, one of them younger than 24 months. */
export function supportsHighConfidence(
  sources: readonly Evidence[],
  today: Temporal.PlainDate,
): boolean {
  if (sources.length < 2) return false;
  const oldest_day = today.subtract({ months: HIGH_CONFIDENCE_MONTHS });
  return Temporal.PlainDate.compare(findEvidenceDay(sources), oldest_day) > 0;
}

/**
 * Kinds of facts to review: an event's dates or price, a venue's hours or entry prices
 * (`admission`), a notice.
 */
export const REVIEW_FACT_KINDS = ['dates', 'price', 'hours', 'admission', 'notice'] as const;

/** A fact with the day of its next review. Stored in the snapshot. */
export const FactDueSchema = v.object({
  /** Path from the content folder; `inbox/HC-…` for records approved at the desk. */
  file: v.string(),
  /** Id and name of the event, venue or notice. */
  id: v.string(),
  name: LocalTextSchema,
  kind: v.picklist(REVIEW_FACT_KINDS),
  shelf: v.picklist(SHELF_LIFE_NAMES),
  /** Certainty on the day of its newest evidence (`evidence_day`). */
  stated: v.picklist(CERTAINTIES),
  evidence_day: DaySchema,
  /** Due day: the last day on which it keeps that certainty. */
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

export type FactDue = Readonly<v.InferOutput<typeof FactDueSchema>>;

/**
 * Detail in which a fact is still shown: dates by certainty; a price with its month (`dated`);
 * venue hours as weekdays only (`weekdays`); admission not at all (`untold`).
 */
export type FreshnessLevel = Certainty | 'dated' | 'weekdays' | 'untold';

/** Loss of certainty of a fact that is not reviewed: its level on a day, and the next lower one. */
export interface Decay {
  readonly now: FreshnessLevel;
  /** `from`: first day of that level. Null if there is no lower level. */
  readonly next: { readonly level: FreshnessLevel; readonly from: Temporal.PlainDate } | null;
}

/** A freshness level and the shelf life after which it is reached (contract 6.5, 6.10). */
type Step = { readonly shelf: ShelfLife; readonly level: FreshnessLevel };
const LEVEL_STEPS = {
  price: [{ shelf: 'price', level: 'dated' }],
  hours: [{ shelf: VENUE_SHELF_LIFE, level: 'weekdays' }],
  admission: [
    { shelf: 'price', level: 'dated' },
    { shelf: VENUE_SHELF_LIFE, level: 'untold' },
  ],
} as const satisfies Record<string, readonly Step[]>;

/**
 * Computes the level of a fact on `today` and its next lower one.
 * @returns null for a notice: it stays as it is, with its source dates.
 */
export function computeDecay(fact: FactDue, today: Temporal.PlainDate): Decay | null {
  if (fact.kind === 'notice') return null;
  if (fact.kind === 'dates') return computeDateDecay(fact, today);
  const evidence_day = Temporal.PlainDate.from(fact.evidence_day);
  const steps: readonly Step[] = LEVEL_STEPS[fact.kind];
  const next_step = steps.find(({ shelf }) => isFreshOn(computeDueDay(shelf, evidence_day), today));
  const reached_steps = steps.slice(0, next_step ? steps.indexOf(next_step) : steps.length);
  return {
    now: reached_steps.at(-1)?.level ?? 'confirmed',
    next: next_step
      ? {
          level: next_step.level,
          from: computeDueDay(next_step.shelf, evidence_day).add({ days: 1 }),
        }
      : null,
  };
}

/** Computes the decay of an event's dates, which lose one certainty per expired shelf life. */
function computeDateDecay(fact: FactDue, today: Temporal.PlainDate): Decay {
  const evidence_day = Temporal.PlainDate.from(fact.evidence_day);
  const certaintyOn = (day: Temporal.PlainDate): Certainty =>
    computeCertainty(fact.stated, fact.shelf, evidence_day, day);
  const now = certaintyOn(today);
  if (now === 'last_known') return { now, next: null };
  let due_day = computeDueDay(fact.shelf, evidence_day);
  while (!isFreshOn(due_day, today)) due_day = computeDueDay(fact.shelf, due_day);
  const from = due_day.add({ days: 1 });
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

/**
 * Groups the facts due up to DUE_LOOKAHEAD_DAYS ahead into overdue and due soon, sorted by due day.
 */
export function groupFactsDue(facts: readonly FactDue[], today: Temporal.PlainDate): FactsDue {
  const [first_day, last_day] = [
    today.toString(),
    today.add({ days: DUE_LOOKAHEAD_DAYS }).toString(),
  ];
  const due_facts = facts
    .filter(({ day }) => day <= last_day)
    .sort(
      (a, b) =>
        compareTexts(a.day, b.day) || compareTexts(a.file, b.file) || compareTexts(a.kind, b.kind),
    );
  return {
    overdue: due_facts.filter(({ day }) => day < first_day),
    soon: due_facts.filter(({ day }) => day >= first_day),
  };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
