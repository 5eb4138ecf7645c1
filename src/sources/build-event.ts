// Event records: builds the record and the occurrences (dates) of an event file, with price,
// certainty and revisions. A rule is one entry of the file's `when`: a recurrence or a list of
// days.
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';
import {
  epochMsAt,
  formatTimestamp,
  MINUTES_PER_DAY,
  parseMinutesOfDay,
  startOfDayMs,
  toDayNumber,
} from '../domain/local-time.ts';
import { splitRestDays } from '../domain/day/rest-days.ts';
import { digestRecord, type Revision } from '../domain/ledger.ts';
import type {
  EventRecord,
  OccurrenceRecord,
  OccurrenceStatus,
  Price,
} from '../domain/event/event.ts';
import {
  assignOccurrenceIds,
  listOccurrenceIds,
  formatOccurrenceId,
  expandDays,
  type OccurrenceSpan,
  computeSpan,
} from '../domain/event/occurrences.ts';
import type { Certainty } from '../domain/fact-freshness.ts';
import { byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import { type OpeningHours, computePriceRange, decidePriceKind } from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  filterSupportedDays,
  type RuleFreshness,
  computeAmountFreshness,
  computeEventFreshness,
  computeRuleFreshness,
  newestSourceDates,
} from './event-freshness.ts';
import type { EventFile, WhenRule } from './content-schema.ts';
import { getId, requireSlug } from './identity.ts';
import { createIssueAt, type FieldPath } from '../yaml.ts';
import type { ParsedContentFile } from './load-content.ts';
import { type BuildContext, computeRevision } from './revisions.ts';

/** Records that an event file may refer to, by id. */
export interface RecordFileLookups {
  readonly venues: ReadonlyMap<string, VenueRecord>;
  readonly organizers: ReadonlyMap<string, OrganizerRecord>;
}

/** Builds an event with its occurrences, and the revision of each. `f`: the fields of its file. */
export function buildEvent(
  source: ParsedContentFile<EventFile>,
  lookups: RecordFileLookups,
  context: BuildContext,
) {
  const f = source.value;
  const { today } = context;
  const venue = findReferencedRecord(source, 'venue', lookups.venues, context);
  const organizer = findReferencedRecord(source, 'organizer', lookups.organizers, context);
  const rules = f.when.map((when) => computeRuleFreshness(f, when, today));
  // The days of each rule, in the order of `rules`.
  const split_days = expandEventDays(source, venue?.hours ?? null, context);
  const days = split_days.map(({ held }) => held);
  if (days.flat().length === 0) {
    const message = 'has no date between its first day and eighteen months from now';
    context.issues.push(createIssueAt(source, ['when'], message));
  }
  const freshness = computeEventFreshness(f, rules, days, today);
  const supported_days = filterSupportedDays(days, rules);
  const is_outdated = freshness.certainty === 'last_known' || supported_days.flat().length === 0;
  const changed_dates = f.changes.map(
    ({ date }, index) => [date, ['changes', index, 'date']] as const,
  );
  validateDates(source, changed_dates, new Set(days.flat().map(String)), context);
  const featured_dates =
    f.featured?.dates.map((date, index) => [date, ['featured', 'dates', index]] as const) ?? [];
  validateDates(source, featured_dates, expandAllDays(f, days), context);
  const draft = {
    id: getId('event', source),
    slug: requireSlug(source, context.issues),
    title: f.title,
    summary: f.summary,
    description: f.description ?? null,
    originals: findOriginalLangs(f),
    status: f.status,
    category: f.category,
    tags: f.tags,
    zone: f.zone ?? venue?.zone ?? null,
    venue: venue?.id ?? null,
    location_note: cleanLocationNote(f.location_note),
    price: buildPrice(f, freshness.certainty, today),
    ticket_url: f.ticket_url ?? null,
    registration_url: f.registration_url ?? null,
    age_restriction: f.age_restriction ?? null,
    languages: f.languages,
    indoor: f.indoor ?? venue?.indoor ?? null,
    organizer: organizer?.id ?? null,
    image: f.image ?? null,
    verified: f.verified,
    confirm_note: f.confirm ?? null,
    open_end: f.open_end ?? null,
    ...freshness,
    source: f.source,
    source_url: f.source_url ?? null,
    gone_from: f.gone_from ?? null,
    other_source_urls: f.other_source_urls ?? [],
  };
  // Other facts that its page shows: a change of them is a new revision of the event.
  const references = [
    venue && [venue.name, venue.address, venue.lat, venue.lng, venue.slug],
    organizer && [organizer.name, organizer.verified, organizer.slug],
    ...(f.status_note ? [f.status_note] : []),
  ];
  const inputs = [draft, f.when, f.changes, ...references];
  const revision = computeRevision(draft.id, inputs, context, f.status);
  // A newer check of its sources, a highlight, a drawing or a rest day that comes nearer is not a new
  // revision of the event.
  const unrevised = {
    ...newestSourceDates(f, is_outdated),
    featured: f.featured ?? null,
    motif: f.motif ?? null,
    rest_days: listRestDays(split_days, rules, today),
  };
  const record: EventRecord = { ...draft, ...unrevised, updated_at: revision.updated_at };
  // The status of the event is not part of its occurrences' revisions: each occurrence has its own.
  const occurrence_inputs = [{ ...draft, status: null }, references];
  const event = { id: draft.id, revision, inputs: occurrence_inputs };
  const occurrences = buildOccurrences(source, event, rules, supported_days, context);
  return {
    record,
    occurrences: occurrences.map(({ occurrence }) => occurrence),
    revisions: [
      [draft.id, revision] as const,
      ...occurrences.map(({ occurrence, revision }) => [occurrence.id, revision] as const),
    ],
  };
}

/** Lists the assumed rest days from `today` on, of rules that are not outdated. */
const listRestDays = (
  split_days: readonly ReturnType<typeof splitRestDays>[],
  rules: readonly RuleFreshness[],
  today: Temporal.PlainDate,
): string[] =>
  split_days
    .flatMap(({ assumed }, rule_index) =>
      rules[rule_index]?.certainty === 'last_known' ? [] : assumed.map(String),
    )
    .filter((day) => day >= today.toString())
    .sort();

/** Finds the venue or organizer that a file refers to. Pushes an issue if it does not exist. */
function findReferencedRecord<R>(
  source: ParsedContentFile<EventFile>,
  field: 'venue' | 'organizer',
  records: ReadonlyMap<string, R>,
  { issues }: BuildContext,
): R | null {
  const name = source.value[field];
  if (name === undefined) return null;
  const record = records.get(name) ?? null;
  const needs = `${field}s/${name}.yml`;
  const message = `'${name}' not found: there is no ${needs}. Create that file or correct the name`;
  if (record === null) issues.push({ ...createIssueAt(source, [field], message), needs });
  return record;
}

/** Removes the final period: the note appears in a row of names, `… de Salina Chica · Gratis`. */
const cleanLocationNote = (note: EventFile['location_note']): LocalText | null =>
  note === undefined ? null : byLang((lang) => note[lang].replace(/\.$/, ''));

/**
 * Returns the original language of title, summary and description: `written_in` for a text that is
 * equal in all languages, null for a translated one. An equal title with a translated summary
 * counts as translated: it is a proper name.
 */
function findOriginalLangs({ written_in, title, summary, description }: EventFile) {
  if (written_in === undefined) return null;
  const findLang = (text: LocalText | undefined): Lang | null =>
    text && LANGS.every((lang) => text[lang] === text[written_in]) ? written_in : null;
  const summary_lang = findLang(summary);
  return {
    title: summary_lang && findLang(title),
    summary: summary_lang,
    description: findLang(description),
  };
}

const UNKNOWN_PRICE = {
  is_free: false,
  min: null,
  max: null,
  currency: TOWN.currency.code,
  note: null,
  visitors: [],
} as const;

/**
 * Parses the `price` of a file: a keyword, amounts, or prices by kind of visitor, from which it
 * computes the range.
 */
function parseAmounts(price: EventFile['price']): Omit<Price, 'certainty' | 'as_of'> {
  if (price === 'unknown') return UNKNOWN_PRICE;
  if (price === 'free') return { ...UNKNOWN_PRICE, is_free: true, min: 0, max: 0 };
  const { min = null, max = null, visitors = [], note = null } = price;
  const { currency = TOWN.currency.code } = price;
  const range = computePriceRange(visitors) ?? { min, max, currency };
  return { ...range, is_free: decidePriceKind(range) === 'free', note, visitors };
}

/** Returns true if a rule has a date from today on: the price of a past event stays fresh. */
const hasUpcomingDate = ({ dates, until, days }: WhenRule, today: Temporal.PlainDate): boolean =>
  dates === undefined
    ? until === undefined || until >= today.toString()
    : dates.some((day) => {
        const last_day = Temporal.PlainDate.from(day).add({ days: days - 1 });
        return Temporal.PlainDate.compare(last_day, today) >= 0;
      });

/**
 * Builds the price as of `today`, with `certainty` and, if the amounts are outdated, `as_of`: the
 * day of their source. Amounts stay fresh for SHELF_LIVES.price; free entry is as certain as the
 * event (contract 6.10).
 */
function buildPrice(file: EventFile, event_certainty: Certainty, today: Temporal.PlainDate): Price {
  const amounts = parseAmounts(file.price);
  const { min, max } = amounts;
  if (min === null && max === null) return { ...amounts, certainty: null, as_of: null };
  if (decidePriceKind(amounts) !== 'paid')
    return { ...amounts, certainty: event_certainty, as_of: null };
  const is_upcoming = file.when.some((when) => hasUpcomingDate(when, today));
  return { ...amounts, ...computeAmountFreshness(file, is_upcoming, today) };
}

/**
 * Expands each `when` of an event to its first days, in the same order, split by rest days (holidays
 * and closing days of its venue). Pushes an issue if a rule needs school terms and the calendar has
 * none.
 * @param hours Opening hours of its venue, or null.
 */
export const expandEventDays = (
  source: ParsedContentFile<EventFile>,
  hours: OpeningHours | null,
  context: BuildContext,
): readonly ReturnType<typeof splitRestDays>[] =>
  source.value.when.map((when, rule_index) => {
    if (when.term === true && context.terms.length === 0) {
      const message =
        'requires the terms of the school year in calendar.yml. Add them there with their source';
      context.issues.push(createIssueAt(source, ['when', rule_index, 'term'], message));
    }
    return splitRestDays(when, expandDays(when, context.horizon), hours, context);
  });

/**
 * Pushes an issue for the first date that is not a day of the event. `days` includes those that its
 * sources no longer support: outdated sources alone never stop a release.
 */
function validateDates(
  source: ParsedContentFile<EventFile>,
  dates: readonly (readonly [date: string, path: FieldPath])[],
  days: ReadonlySet<string>,
  { horizon, issues }: BuildContext,
): void {
  const invalid = dates.find(([date]) => !days.has(date) && date <= horizon.toString());
  if (invalid === undefined) return;
  const [date, path] = invalid;
  issues.push(createIssueAt(source, path, `${date} is not a day on which this event takes place`));
}

/**
 * Expands an event to every day it covers, including all days of multi-day dates.
 * @param days First days of the dates of each rule.
 */
export const expandAllDays = (
  { when }: Pick<EventFile, 'when'>,
  days: readonly (readonly Temporal.PlainDate[])[],
): ReadonlySet<string> =>
  new Set(
    days.flatMap((first_days, rule_index) =>
      first_days.flatMap((first_day) =>
        Array.from(
          { length: when[rule_index]?.days ?? 1 },
          (_, offset) => `${first_day.add({ days: offset })}`,
        ),
      ),
    ),
  );

/** Returns the last entry of a date; an hour before its start is on the next day. */
function computeLastEntry(when: WhenRule | undefined, day: Temporal.PlainDate): number | null {
  if (when?.last_entry === undefined || when.start === undefined) return null;
  const is_next_day = when.last_entry < when.start;
  const minutes = parseMinutesOfDay(when.last_entry) + (is_next_day ? MINUTES_PER_DAY : 0);
  return epochMsAt(toDayNumber(day), minutes);
}

/** Builds the occurrences of the days of each rule. */
function buildOccurrences(
  source: ParsedContentFile<EventFile>,
  event: { readonly id: string; readonly revision: Revision; readonly inputs: unknown },
  rules: readonly RuleFreshness[],
  days_by_rule: readonly (readonly Temporal.PlainDate[])[],
  context: BuildContext,
) {
  const f = source.value;
  const event_digest = digestRecord(event.inputs);
  const changes = new Map(f.changes.map((change) => [change.date, change]));
  const dates = f.when.flatMap((when, rule_index) =>
    (days_by_rule[rule_index] ?? []).map((day) => {
      const span = computeSpan(when, day);
      const certainty = rules[rule_index]?.certaintyOf(day.toString()) ?? 'usual';
      return {
        first_id: formatOccurrenceId(event.id, span),
        rule_index,
        day,
        span,
        certainty,
        note: when.note,
      };
    }),
  );
  // `first_id` is the id that a date gets when it is new; once published, it keeps that id even if
  // its start changes. If two rules have the same start, the first rule wins.
  const date_by_first_id = new Map(dates.toReversed().map((date) => [date.first_id, date]));
  const ids = assignOccurrenceIds(
    [...date_by_first_id.keys()],
    listOccurrenceIds(context.ledger.revisions, event.id),
  );
  const occurrences = dates.flatMap((date) => {
    const { first_id, rule_index, day, span, certainty, note } = date;
    const id = ids.get(first_id);
    if (id === undefined || date_by_first_id.get(first_id) !== date) return [];
    const change = changes.get(day.toString());
    const status = computeOccurrenceStatus(change?.status, event.revision, span);
    const event_note = status === 'scheduled' || change ? undefined : f.status_note;
    const notes = change?.note ?? event_note ?? note ?? null;
    const start_time = f.when[rule_index]?.start ?? '00:00';
    const confirmation_day = f.confirmed_on?.[`${day}T${start_time}`] ?? null;
    const confirmed_on = status === 'scheduled' ? confirmation_day : null;
    const last_entry_ms = computeLastEntry(f.when[rule_index], day);
    const inputs = [
      ...[span, certainty, status, notes],
      ...[confirmed_on, last_entry_ms].filter((value) => value !== null),
    ];
    const revision = computeRevision(id, [event_digest, ...inputs], context);
    const { updated_at, sequence } = revision;
    const occurrence: OccurrenceRecord = {
      id,
      event: event.id,
      start: formatTimestamp(span.time_known ? span.start_ms : startOfDayMs(day)),
      end: formatTimestamp(span.end_ms),
      ...span,
      certainty,
      confirmed_on,
      last_entry_ms,
      status,
      notes,
      updated_at,
      sequence,
    };
    return [{ occurrence, revision }];
  });
  return occurrences;
}

/**
 * Computes the status of an occurrence. A cancelled or postponed event applies its status to all
 * occurrences that had not ended by then (contract 5.3).
 */
function computeOccurrenceStatus(
  changed_status: 'cancelled' | 'postponed' | undefined,
  event: Revision,
  span: OccurrenceSpan,
): OccurrenceStatus {
  if (changed_status) return changed_status;
  return event.status !== 'published' && span.end_ms > event.status_since_ms
    ? event.status
    : 'scheduled';
}
