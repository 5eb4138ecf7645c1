// Event and venue freshness: computes the certainty of each rule of an event, the days that its
// sources support, and the opening hours and prices of a venue that are still fresh (contract 6).
// Certainty is `confirmed` (a source names the date), `usual` (a source describes a recurrence) or
// `last_known` (the sources are outdated). A rule is one entry of `when`: a recurrence, or a list of
// explicit dates. A shelf life is the time for which a kind of fact counts as fresh, from its
// evidence day on: the day its newest source was published or, if undated, last checked.
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

/** Returns the shelf life of an event's facts: as set in its file, otherwise by its rules. */
export function getShelfLife(
  file: Pick<EventFile, 'when'> & Partial<Pick<EventFile, 'shelf' | 'tags' | 'category'>>,
): ShelfLife {
  const { shelf, when, tags = [], category } = file;
  if (shelf !== undefined) return shelf;
  if (when.some(({ easter }) => easter !== undefined)) return 'feast';
  if (when.some(({ rrule = '' }) => /FREQ=YEARLY/.test(rrule))) return 'annual';
  // A mere list of dates was set by its organizer, as the date of a yearly event is.
  if (!when.some(({ rrule }) => rrule !== undefined)) return 'annual';
  // The tag `antro` is the local word for a nightclub.
  return tags.includes('antro') || category === 'party' ? 'club' : 'weekly';
}

/** Computes the confidence of a file: as set, but `high` only if its sources support it. */
export function computeConfidence(
  file: Pick<EventFile, 'confidence' | 'sources'>,
  today: Temporal.PlainDate,
): Confidence {
  const { confidence, sources } = file;
  return confidence === 'high' && !supportsHighConfidence(sources, today) ? 'medium' : confidence;
}

/**
 * Returns the day the newest source of a file was published, and the day a source was last checked.
 * Of outdated facts, only the dated sources count.
 */
export function newestSourceDates(
  { sources }: Pick<EventFile, 'sources'>,
  is_outdated = false,
): SourceDates {
  const counted = is_outdated ? sources.filter(({ published }) => published) : sources;
  const newest_source = [...counted].sort((a, b) =>
    (a.published ?? a.checked) < (b.published ?? b.checked) ? 1 : -1,
  )[0];
  const last_checked = sources
    .map(({ checked }) => checked)
    .sort()
    .at(-1);
  return {
    source_published: newest_source?.published ?? null,
    source_checked: last_checked ?? '',
  };
}

/** Certainty and supported days of one rule. */
export type RuleFreshness = ReturnType<typeof computeRuleFreshness>;

/** Computes the freshness of one `when` of a file, as of `today`. */
export function computeRuleFreshness(file: EventFile, when: WhenRule, today: Temporal.PlainDate) {
  const evidence_day = findEvidenceDay(file.sources);
  const shelf = getShelfLife(file);
  const has_low_confidence = computeConfidence(file, today) === 'low';
  const is_recurrence = when.dates === undefined;
  // The certainty on the evidence day.
  const stated: Certainty = is_recurrence || has_low_confidence ? 'usual' : 'confirmed';
  const last_day = is_recurrence && when.until !== undefined ? when.until : today.toString();
  const has_ended = last_day < today.toString();
  // An ended rule is as certain as on its last day; of low confidence, it was only a guess.
  const certainty =
    has_ended && has_low_confidence
      ? 'last_known'
      : computeCertainty(
          stated,
          shelf,
          evidence_day,
          has_ended ? Temporal.PlainDate.from(last_day) : today,
        );
  // `confirmed_on` has the starts that the organizer confirmed, as `2026-12-03T20:00`. If the rule
  // has another start time by now, its confirmation is void.
  const confirmed_starts = Object.keys(file.confirmed_on ?? {}).map((start) => start.split('T'));
  const confirmed_days = confirmed_starts.flatMap(([day = '', time]) =>
    time === (when.start ?? '00:00') ? day : [],
  );
  const confirmed = new Set([...(when.confirmed ?? []), ...confirmed_days]);
  const last_supported_day = computeLastSupportedDay(stated, shelf, evidence_day);
  const last_low_confidence_day = today.add({ days: LOW_CONFIDENCE_DAYS });
  const isNotAfter = (day: Temporal.PlainDate, last_day: Temporal.PlainDate): boolean =>
    Temporal.PlainDate.compare(day, last_day) <= 0;
  const is_outdated = certainty === 'last_known';
  const isWithinLimits = (day: Temporal.PlainDate): boolean =>
    (!is_outdated || (!is_recurrence && isNotAfter(day, last_supported_day))) &&
    (!has_low_confidence || isNotAfter(day, last_low_confidence_day));
  // An outdated recurrence supports no day, past ones neither: no source says that it took place. Of
  // explicit dates, outdated sources support those up to `last_supported_day`, with the stated
  // certainty.
  const day_certainty = is_outdated ? stated : certainty;
  return {
    /** Returns the certainty of a day for which `isSupported` is true. */
    certaintyOf: (day: string): Certainty => (confirmed.has(day) ? 'confirmed' : day_certainty),
    /** Returns true if the sources still support a day of the rule. */
    isSupported: (day: Temporal.PlainDate): boolean =>
      confirmed.has(day.toString()) || isWithinLimits(day),
    /** The certainty of the rule as a whole, for future days. */
    certainty,
    /** True if the rule is a recurrence that continues after today. */
    continues: is_recurrence && (when.until === undefined || when.until > today.toString()),
    /** The recurrence of the rule for texts such as `every Thursday`; null if it has none. */
    habit: detectRecurrence(when),
  };
}

/** Filters the days of each rule to those that its sources still support; there may be none. */
export const filterSupportedDays = (
  days: readonly (readonly Temporal.PlainDate[])[],
  rules: readonly RuleFreshness[],
): readonly (readonly Temporal.PlainDate[])[] =>
  days.map((rule_days, rule_index) =>
    rule_days.filter((day) => rules[rule_index]?.isSupported(day)),
  );

/**
 * Computes the certainty of an event from its next supported date. If there is none, it is `usual`
 * if there are later days that its sources do not support yet, `last_known` if a rule continues but
 * has outdated sources, otherwise `confirmed`: the loading of a snapshot lowers it if the event is
 * over, unless its last date was confirmed (contract 6.2).
 * @param days The days of each rule.
 */
export function computeEventFreshness(
  file: EventFile,
  rules: readonly RuleFreshness[],
  days: readonly (readonly Temporal.PlainDate[])[],
  today: Temporal.PlainDate,
): { readonly certainty: Certainty; readonly habit: Recurrence[] } {
  const upcoming_days = rules.map((_, rule_index) => {
    const length_days = file.when[rule_index]?.days ?? 1;
    const isUpcoming = (day: Temporal.PlainDate): boolean =>
      Temporal.PlainDate.compare(day.add({ days: length_days - 1 }), today) >= 0;
    return days[rule_index]?.filter(isUpcoming) ?? [];
  });
  const next_dates = rules.flatMap((rule, rule_index) => {
    const next = upcoming_days[rule_index]?.find(rule.isSupported)?.toString();
    return next === undefined ? [] : [{ next, certainty: rule.certaintyOf(next) }];
  });
  const [next_date] = next_dates.sort((a, b) => (a.next < b.next ? -1 : 1));
  const continuing = rules.filter((rule) => rule.continues);
  const is_outdated = continuing.some(({ certainty }) => certainty === 'last_known');
  const has_later_days = rules.some(
    ({ certainty }, rule_index) =>
      certainty !== 'last_known' && upcoming_days[rule_index]?.length !== 0,
  );
  const without_date = is_outdated ? 'last_known' : 'confirmed';
  return {
    certainty: next_date?.certainty ?? (has_later_days ? 'usual' : without_date),
    habit: continuing.flatMap(({ habit }) => habit ?? []),
  };
}

/** The fields of a venue file that depend on fresh sources. */
type Opening = Pick<VenueFile, 'hours' | 'admission' | 'sources'>;

/**
 * Returns the hours and admission of a venue as far as they are fresh. With outdated sources only
 * the weekdays remain: opening times and prices count as unknown (contract 6.5).
 */
export function limitOpeningToFresh(file: Opening, today: Temporal.PlainDate) {
  const { hours = null, admission } = file;
  if (isFreshOn(computeDueDay(VENUE_SHELF_LIFE, findEvidenceDay(file.sources)), today))
    return { hours, admission };
  if (hours === null) return { hours, admission: [] };
  const rules = hours.rules.map((rule) => ({ ...rule, open: null, close: null, last_entry: null }));
  return { hours: { ...hours, rules, free: [] }, admission: [] };
}

/**
 * Computes the certainty of an amount, and `as_of`: the day of its source if it is outdated,
 * otherwise null. Free entry does not go out of date (contract 6.10).
 */
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

/** Computes the certainty of a venue's admission prices, and their source's day if outdated. */
export function computeAdmissionFreshness(file: Opening, today: Temporal.PlainDate) {
  const { admission } = limitOpeningToFresh(file, today);
  if (admission.length === 0) return { admission_certainty: null, admission_as_of: null };
  const is_paid = admission.some(({ amount }) => amount > 0);
  const { certainty, as_of } = computeAmountFreshness(file, is_paid, today);
  return { admission_certainty: certainty, admission_as_of: as_of };
}
