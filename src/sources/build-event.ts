// An event file as its record and its dates: the days of its rules, its price, what each was revised by.
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';
import { formatTimestamp, startOfDayMs } from '../domain/local-time.ts';
import { excludeRestDays } from '../domain/day/rest-days.ts';
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
import { type OpeningHours, computePriceRange } from '../domain/opening-hours.ts';
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
import { type BuildContext, computeRevision, legacyDigest } from './revisions.ts';

/** What an event file may refer to, by file name. */
export interface RecordFileLookups {
  readonly venues: ReadonlyMap<string, VenueRecord>;
  readonly organizers: ReadonlyMap<string, OrganizerRecord>;
}

/** An event with its occurrences and the revisions both got. */
export function buildEvent(
  source: ParsedContentFile<EventFile>,
  places: RecordFileLookups,
  making: BuildContext,
) {
  const f = source.value;
  const { today } = making;
  const venue = findPlace(source, 'venue', places.venues, making);
  const organizer = findPlace(source, 'organizer', places.organizers, making);
  const rules = f.when.map((when) => computeRuleFreshness(f, when, today));
  const days = expandEventDays(source, venue?.hours ?? null, making);
  const knowledge = computeEventFreshness(f, rules, days, today);
  const changed = f.changes.map(({ date }, at) => [date, ['changes', at, 'date']] as const);
  checkDates(source, changed, new Set(days.flat().map(String)), making);
  const featured = f.featured?.dates.map((date, at) => [date, ['featured', 'dates', at]] as const);
  checkDates(source, featured ?? [], expandAllDays(f, days), making);
  const draft = {
    id: getId('event', source),
    slug: requireSlug(source, making.issues),
    title: f.title,
    summary: f.summary,
    description: f.description ?? null,
    originals: toOriginals(f),
    status: f.status,
    category: f.category,
    tags: f.tags,
    zone: f.zone ?? venue?.zone ?? null,
    venue: venue?.id ?? null,
    location_note: toPlaceNote(f.location_note),
    price: toPrice(f, knowledge.certainty, today),
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
    ...knowledge,
    source: f.source,
    source_url: f.source_url ?? null,
    gone_from: f.gone_from ?? null,
    other_source_urls: f.other_source_urls ?? [],
  };
  const about = [
    venue && [venue.name, venue.address, venue.lat, venue.lng, venue.slug],
    organizer && [organizer.name, organizer.verified, organizer.slug],
    ...(f.status_note ? [f.status_note] : []),
  ];
  const said = [draft, f.when, f.changes, ...about];
  const revision = computeRevision(draft.id, said, () => legacyDigest(said), making, f.status);
  // That somebody looked at a source again, chose it for a day or drew it changes nothing that the event says.
  const beside = { ...newestSourceDates(f), featured: f.featured ?? null, motif: f.motif ?? null };
  const record: EventRecord = { ...draft, ...beside, updated_at: revision.updated_at };
  // A calendar says the same of it, whatever its status.
  const text = [{ ...draft, status: null }, about];
  const event = { id: draft.id, revision, text };
  const timed = listOccurrences(source, event, rules, filterSupportedDays(days, rules), making);
  return {
    record,
    occurrences: timed.map(({ occurrence }) => occurrence),
    revisions: [
      [draft.id, revision] as const,
      ...timed.map(({ occurrence, revision }) => [occurrence.id, revision] as const),
    ],
  };
}

function findPlace<R>(
  source: ParsedContentFile<EventFile>,
  field: 'venue' | 'organizer',
  places: ReadonlyMap<string, R>,
  { issues }: BuildContext,
): R | null {
  const name = source.value[field];
  if (name === undefined) return null;
  const place = places.get(name) ?? null;
  const needs = `${field}s/${name}.yml`;
  const message = `'${name}' is not there: no file ${needs}. Write that file first or mend the name`;
  if (place === null) issues.push({ ...createIssueAt(source, [field], message), needs });
  return place;
}

/** Without a full stop at its end: it stands among names, `… de Salina Chica · Gratis`. */
const toPlaceNote = (note: EventFile['location_note']): LocalText | null =>
  note === undefined ? null : byLang((lang) => note[lang].replace(/\.$/, ''));

/** What is alike in all languages is the original. A title alone that is so is a name. */
function toOriginals({ written_in, title, summary, description }: EventFile) {
  if (written_in === undefined) return null;
  const find = (text: LocalText | undefined): Lang | null =>
    text && LANGS.every((lang) => text[lang] === text[written_in]) ? written_in : null;
  const of_summary = find(summary);
  return { title: of_summary && find(title), summary: of_summary, description: find(description) };
}

const UNKNOWN_PRICE = {
  is_free: false,
  min: null,
  max: null,
  currency: TOWN.currency.code,
  note: null,
  visitors: [],
} as const;

function toAmounts(price: EventFile['price']): Omit<Price, 'certainty' | 'as_of'> {
  if (price === 'unknown') return UNKNOWN_PRICE;
  if (price === 'free') return { ...UNKNOWN_PRICE, is_free: true, min: 0, max: 0 };
  const { min = null, max = null, visitors = [], note = null } = price;
  const { currency = TOWN.currency.code } = price;
  const range = computePriceRange(visitors) ?? { is_free: false, min, max, currency };
  return { ...range, note, visitors };
}

/** Whether it takes place after today; what is over cost what it cost. */
const isAhead = ({ dates, until, days }: WhenRule, today: Temporal.PlainDate): boolean =>
  dates === undefined
    ? until === undefined || until >= today.toString()
    : dates.some((day) => {
        const last = Temporal.PlainDate.from(day).add({ days: days - 1 });
        return Temporal.PlainDate.compare(last, today) >= 0;
      });

/**
 * The price on a day called today. Money is believed as long as SHELF_LIVES.price says; free entry as
 * long as the event, whose certainty is given (contract 6.10).
 */
function toPrice(file: EventFile, event: Certainty, today: Temporal.PlainDate): Price {
  const amounts = toAmounts(file.price);
  const { min, max } = amounts;
  if (min === null && max === null) return { ...amounts, certainty: null, as_of: null };
  if ((max ?? min ?? 0) === 0) return { ...amounts, certainty: event, as_of: null };
  const is_ahead = file.when.some((when) => isAhead(when, today));
  return { ...amounts, ...computeAmountFreshness(file, is_ahead, today) };
}

/** For each `when` of an event the days on which it takes place. `hours`: those of its venue, or null. */
export const expandEventDays = (
  source: ParsedContentFile<EventFile>,
  hours: OpeningHours | null,
  making: BuildContext,
): readonly (readonly Temporal.PlainDate[])[] =>
  source.value.when.map((when, position) => {
    if (when.term === true && making.terms.length === 0) {
      const message =
        'needs the terms of the school year in calendar.yml. Write them there with their source';
      making.issues.push(createIssueAt(source, ['when', position, 'term'], message));
    }
    return excludeRestDays(when, expandDays(when, making.horizon), hours, making);
  });

/**
 * Pushes an issue for the first of some dates that is none of an event's days. A day that its sources do not
 * carry any more is still one of them: age alone stops no release.
 */
function checkDates(
  source: ParsedContentFile<EventFile>,
  dates: readonly (readonly [date: string, path: FieldPath])[],
  days: ReadonlySet<string>,
  { horizon, issues }: BuildContext,
): void {
  const fault = dates.find(([date]) => !days.has(date) && date <= horizon.toString());
  if (fault === undefined) return;
  const [date, path] = fault;
  issues.push(createIssueAt(source, path, `${date} is not a day on which this event takes place`));
}

/** Every day of an event, of those that last for some each; `days` are the first ones of each rule. */
export const expandAllDays = (
  { when }: Pick<EventFile, 'when'>,
  days: readonly (readonly Temporal.PlainDate[])[],
): ReadonlySet<string> =>
  new Set(
    days.flatMap((own, rule) =>
      own.flatMap((first) =>
        Array.from({ length: when[rule]?.days ?? 1 }, (_, at) => `${first.add({ days: at })}`),
      ),
    ),
  );

function listOccurrences(
  source: ParsedContentFile<EventFile>,
  event: { readonly id: string; readonly revision: Revision; readonly text: unknown },
  rules: readonly RuleFreshness[],
  days_of: readonly (readonly Temporal.PlainDate[])[],
  making: BuildContext,
) {
  const f = source.value;
  const text_digest = digestRecord(event.text);
  const changes = new Map(f.changes.map((change) => [change.date, change]));
  const dates = f.when.flatMap((when, rule) =>
    (days_of[rule] ?? []).map((day) => {
      const span = computeSpan(when, day);
      const certainty = rules[rule]?.certaintyOf(day.toString()) ?? 'usual';
      return {
        first_id: formatOccurrenceId(event.id, span),
        rule,
        day,
        span,
        certainty,
        note: when.note,
      };
    }),
  );
  // Of two rules that give one start the first counts.
  const starts = new Map(dates.toReversed().map((date) => [date.first_id, date]));
  const ids = assignOccurrenceIds(
    [...starts.keys()],
    listOccurrenceIds(making.ledger.revisions, event.id),
  );
  const timed = dates.flatMap((date) => {
    const { first_id, rule, day, span, certainty, note } = date;
    const id = ids.get(first_id);
    if (id === undefined || starts.get(first_id) !== date) return [];
    const change = changes.get(day.toString());
    const status = toStatus(change?.status, event.revision, span);
    const reason = status === 'scheduled' || change ? undefined : f.status_note;
    const notes = change?.note ?? reason ?? note ?? null;
    const said_on = f.confirmed_on?.[`${day}T${f.when[rule]?.start ?? '00:00'}`] ?? null;
    const confirmed_on = status === 'scheduled' ? said_on : null;
    const rest = [span, certainty, status, notes, ...(confirmed_on ? [confirmed_on] : [])];
    const toOld = (): string => legacyDigest([legacyDigest(event.text), ...rest]);
    const revision = computeRevision(id, [text_digest, ...rest], toOld, making);
    const { updated_at, sequence } = revision;
    const occurrence: OccurrenceRecord = {
      id,
      event: event.id,
      start: formatTimestamp(span.time_known ? span.start_ms : startOfDayMs(day)),
      end: formatTimestamp(span.end_ms),
      ...span,
      certainty,
      confirmed_on,
      status,
      notes,
      updated_at,
      sequence,
    };
    return [{ occurrence, revision }];
  });
  if (timed.length === 0) {
    const message = 'gives no day at all between its first day and eighteen months from now';
    making.issues.push(createIssueAt(source, ['when'], message));
  }
  return timed;
}

/**
 * A cancelled or postponed event takes its future with it; what had ended by then took place (contract 5.3).
 */
function toStatus(
  changed: 'cancelled' | 'postponed' | undefined,
  event: Revision,
  span: OccurrenceSpan,
): OccurrenceStatus {
  if (changed) return changed;
  return event.status !== 'published' && span.end_ms > event.status_since_ms
    ? event.status
    : 'scheduled';
}
