// How well what a file says is known on a day: the certainty of each rule of an event and how far it
// reaches, and what is left of the hours and prices of a place (contract 6).
import { Temporal } from 'temporal-polyfill';
import { type Recurrence, detectRecurrence } from '../domain/event/occurrences.ts';
import {
  supportsHighConfidence,
  type Certainty,
  type Confidence,
  isFreshOn,
  LOW_CONFIDENCE_DAYS,
  VENUE_SHELF_LIFE,
  type ShelfLife,
  computeCertainty,
  computeDueDay,
  findEvidenceDay,
  computeLastSupportedDay,
} from '../domain/fact-freshness.ts';
import type { SourceDates } from '../domain/fields.ts';
import type { EventFile, VenueFile, WhenRule } from './content-schema.ts';

/** How long the facts of an event may be believed: as the file says, else by its kind of rule. */
export function getShelfLife(
  file: Pick<EventFile, 'when'> & Partial<Pick<EventFile, 'shelf' | 'tags' | 'category'>>,
): ShelfLife {
  const { shelf, when, tags = [], category } = file;
  if (shelf !== undefined) return shelf;
  if (when.some(({ easter }) => easter !== undefined)) return 'feast';
  if (when.some(({ rrule = '' }) => /FREQ=YEARLY/.test(rrule))) return 'annual';
  if (!when.some(({ rrule }) => rrule !== undefined)) return 'annual';
  return tags.includes('antro') || category === 'party' ? 'club' : 'weekly';
}

/** As the file says, but `high` only where its sources carry it. */
export function computeConfidence(
  file: Pick<EventFile, 'confidence' | 'sources'>,
  today: Temporal.PlainDate,
): Confidence {
  const { confidence, sources } = file;
  return confidence === 'high' && !supportsHighConfidence(sources, today) ? 'medium' : confidence;
}

/** The newest source of a file: when it was published and when somebody last looked. */
export function newestSourceDates({ sources }: Pick<EventFile, 'sources'>): SourceDates {
  const newest = [...sources].sort((a, b) =>
    (a.published ?? a.checked) < (b.published ?? b.checked) ? 1 : -1,
  )[0];
  const checked = sources.map((source) => source.checked).sort();
  return { source_published: newest?.published ?? null, source_checked: checked.at(-1) ?? '' };
}

export type RuleFreshness = ReturnType<typeof computeRuleFreshness>;

/** What is known of one `when` of a file on a day called today. */
export function computeRuleFreshness(file: EventFile, when: WhenRule, today: Temporal.PlainDate) {
  const [evidence_day, shelf] = [findEvidenceDay(file.sources), getShelfLife(file)];
  const is_low = computeConfidence(file, today) === 'low';
  const stated: Certainty = when.dates !== undefined && !is_low ? 'confirmed' : 'usual';
  const certainty = computeCertainty(stated, shelf, evidence_day, today);
  // What has another hour since is confirmed no more.
  const said = Object.keys(file.confirmed_on ?? {}).map((start) => start.split('T'));
  const held = said.flatMap(([day = '', time]) => (time === (when.start ?? '00:00') ? day : []));
  const confirmed = new Set([...(when.confirmed ?? []), ...held]);
  const last = computeLastSupportedDay(stated, shelf, evidence_day);
  const low_last = today.add({ days: LOW_CONFIDENCE_DAYS });
  const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean =>
    Temporal.PlainDate.compare(a, b) <= 0;
  const is_rule = when.dates === undefined;
  return {
    /** Of a day on which the rule falls. */
    certaintyOf: (day: string): Certainty =>
      confirmed.has(day) ? 'confirmed' : certainty === 'last_known' ? stated : certainty,
    /** Whether a day is near enough to be believed. */
    reaches: (day: Temporal.PlainDate): boolean =>
      confirmed.has(day.toString()) ||
      ((certainty !== 'last_known' || isBefore(day, last)) && (!is_low || isBefore(day, low_last))),
    /** Of the rule as a whole, for what is ahead. */
    certainty,
    /** Whether it goes on after today. */
    is_open: is_rule && (when.until === undefined || when.until > today.toString()),
    habit: detectRecurrence(when),
  };
}

/**
 * The days of each rule that are to be said, from all that it gives: those that its sources still
 * carry. Where none are left in the whole file, the first of all, for an event has a date.
 */
export function filterSupportedDays(
  days: readonly (readonly Temporal.PlainDate[])[],
  rules: readonly RuleFreshness[],
): readonly (readonly Temporal.PlainDate[])[] {
  const known = days.map((own, position) => {
    const rule = rules[position];
    return rule ? own.filter(rule.reaches) : own;
  });
  if (known.some((own) => own.length > 0)) return known;
  const first = days.findIndex((own) => own.length > 0);
  return days.map((own, position) => (position === first ? own.slice(0, 1) : []));
}

/**
 * How well the event is known: by the first of its dates that is ahead; where there is none, by
 * whether an old rule would go on if somebody vouched for it. `days`: for each rule those on which it takes place.
 */
export function computeEventFreshness(
  file: EventFile,
  rules: readonly RuleFreshness[],
  days: readonly (readonly Temporal.PlainDate[])[],
  today: Temporal.PlainDate,
): { readonly certainty: Certainty; readonly habit: Recurrence[] } {
  const ahead = rules.flatMap((rule, position) => {
    const lasting = file.when[position]?.days ?? 1;
    const isLeft = (day: Temporal.PlainDate): boolean =>
      rule.reaches(day) && Temporal.PlainDate.compare(day.add({ days: lasting - 1 }), today) >= 0;
    const next = days[position]?.find(isLeft)?.toString();
    return next === undefined ? [] : [{ next, certainty: rule.certaintyOf(next) }];
  });
  const [first] = ahead.sort((a, b) => (a.next < b.next ? -1 : 1));
  const open = rules.filter(({ is_open }) => is_open);
  const is_old = open.some(({ certainty }) => certainty === 'last_known');
  return {
    certainty: first?.certainty ?? (is_old ? 'last_known' : 'confirmed'),
    habit: open.flatMap(({ habit }) => habit ?? []),
  };
}

type Opening = Pick<VenueFile, 'hours' | 'admission' | 'sources'>;

/**
 * What is said of the hours and prices of a place. Of an old source only the days of the week are left: at which
 * hour it opens then, and what it costs, is not known (contract 6.5).
 */
export function limitOpeningToFresh(file: Opening, today: Temporal.PlainDate) {
  const { hours = null, admission } = file;
  if (isFreshOn(computeDueDay(VENUE_SHELF_LIFE, findEvidenceDay(file.sources)), today))
    return { hours, admission };
  if (hours === null) return { hours, admission: [] };
  const rules = hours.rules.map((rule) => ({ ...rule, open: null, close: null, last_entry: null }));
  return { hours: { ...hours, rules, free: [] }, admission: [] };
}

/** How well an amount is known. That nobody pays does not age (contract 6.10). */
export function computeAmountFreshness(
  { sources }: Pick<EventFile, 'sources'>,
  is_paid: boolean,
  today: Temporal.PlainDate,
) {
  const evidence_day = findEvidenceDay(sources);
  const certainty = is_paid
    ? computeCertainty('confirmed', 'price', evidence_day, today)
    : 'confirmed';
  return { certainty, as_of: certainty === 'confirmed' ? null : evidence_day.toString() };
}

/** How well what entering costs is known. */
export function computeAdmissionFreshness(file: Opening, today: Temporal.PlainDate) {
  const { admission } = limitOpeningToFresh(file, today);
  if (admission.length === 0) return { admission_certainty: null, admission_as_of: null };
  const is_paid = admission.some(({ amount }) => amount > 0);
  const { certainty, as_of } = computeAmountFreshness(file, is_paid, today);
  return { admission_certainty: certainty, admission_as_of: as_of };
}
