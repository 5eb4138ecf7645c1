// One event file to a record and its occurrences; the days of a `when`.
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../domain/cancun-time.ts';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import type { RestingTown } from '../domain/day/resting-rules.ts';
import { assignIds, listDateIds, toFirstId, toSpan } from '../domain/event/occurrences.ts';
import { byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import type { Ledger, Moment, Revision } from '../domain/ledger.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  keepKnownDays,
  type RuleKnowledge,
  toEventKnowledge,
  toRuleKnowledge,
  toSourceDays,
} from './certainty.ts';
import type { EventFile } from './content-schema.ts';
import { idOf, slugOf } from './identity.ts';
import type { ContentIssue } from './issues.ts';
import type { ContentFile } from './read-content.ts';
import { type RevisedEvent, reviseDate, reviseEvent, type RevisedDate } from './revise-event.ts';
import { toEventDays } from './rule-days.ts';
import { toPrice } from './to-price.ts';

/** What an event file may refer to, by file name, and what its rules rest by. */
export interface Places {
  readonly venues: ReadonlyMap<string, VenueRecord>;
  readonly organizers: ReadonlyMap<string, OrganizerRecord>;
  readonly town: RestingTown;
}

/** An event with its occurrences and the revisions both got. */
export interface EventWithTimes {
  readonly record: EventRecord;
  readonly occurrences: readonly OccurrenceRecord[];
  readonly revisions: readonly (readonly [id: string, revision: Revision])[];
}

/** Without a full stop at its end: it stands among names, `… de Salina Chica · Gratis`. */
function toPlaceNote(note: EventFile['location_note']): EventRecord['location_note'] {
  return note === undefined ? null : byLang((lang) => note[lang].replace(/\.$/, ''));
}

/** What is alike in all languages is the original. A title alone that is so is a name. */
function toOriginals({ written_in, title, summary, description }: EventFile) {
  if (written_in === undefined) return null;
  const find = (text: LocalText | undefined): Lang | null =>
    text && LANGS.every((lang) => text[lang] === text[written_in]) ? written_in : null;
  const of_summary = find(summary);
  return { title: of_summary && find(title), summary: of_summary, description: find(description) };
}

function findPlace<R>(
  source: ContentFile<EventFile>,
  field: 'venue' | 'organizer',
  places: ReadonlyMap<string, R>,
  issues: ContentIssue[],
): R | null {
  const name = source.value[field];
  if (name === undefined) return null;
  const place = places.get(name);
  if (!place)
    issues.push({
      file: source.file,
      line: source.lineOf([field]),
      field,
      message: `'${name}' is not there: no file ${field}s/${name}.yml. Write that file first or mend the name`,
      needs: `${field}s/${name}.yml`,
    });
  return place ?? null;
}

/** The record and times of a file. Issues are pushed; the result is then not to be used. */
export function toEvent(
  source: ContentFile<EventFile>,
  places: Places,
  ledger: Ledger,
  moment: Moment,
  horizon: Temporal.PlainDate,
  issues: ContentIssue[],
): EventWithTimes {
  const f = source.value;
  const venue = findPlace(source, 'venue', places.venues, issues);
  const organizer = findPlace(source, 'organizer', places.organizers, issues);
  const today = toCancunDay(moment.now_ms);
  const rules = f.when.map((when) => toRuleKnowledge(f, when, today));
  const days = toEventDays(source, venue?.hours ?? null, places.town, horizon, issues);
  const knowledge = toEventKnowledge(f, rules, days, today);
  checkChanges(source, days, horizon, issues);
  const draft = {
    id: idOf('event', source),
    slug: slugOf(source, f.title, issues),
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
  };
  const about = [
    venue && [venue.name, venue.address, venue.lat, venue.lng, venue.slug],
    organizer && [organizer.name, organizer.verified, organizer.slug],
  ] as const;
  const told = f.status_note ? [f.status_note] : [];
  const terms = { draft, when: f.when, changes: f.changes, about: [...about, ...told] };
  const revised = reviseEvent(draft.id, f.status, terms, ledger, moment);
  // That somebody looked at a source again changes nothing that the event says.
  const record = { ...draft, ...toSourceDays(f), updated_at: revised.revision.updated_at };
  const timed = toOccurrences(
    source,
    revised,
    rules,
    keepKnownDays(days, rules),
    ledger,
    moment,
    issues,
  );
  return {
    record,
    occurrences: timed.map(({ occurrence }) => occurrence),
    revisions: [
      [draft.id, revised.revision],
      ...timed.map(({ occurrence, revision }) => [occurrence.id, revision] as const),
    ],
  };
}

interface TimedOccurrence extends RevisedDate {
  /** The position of the `when` that gives it. */
  readonly rule: number;
}

function toOccurrences(
  source: ContentFile<EventFile>,
  event: RevisedEvent,
  rules: readonly RuleKnowledge[],
  days_of: readonly (readonly Temporal.PlainDate[])[],
  ledger: Ledger,
  moment: Moment,
  issues: ContentIssue[],
): TimedOccurrence[] {
  const f = source.value;
  const changes = new Map(f.changes.map((change) => [change.date, change]));
  const dates = f.when.flatMap((when, rule) =>
    (days_of[rule] ?? []).map((day) => {
      const span = toSpan(when, day);
      return { first_id: toFirstId(event.id, span), day, span, note: when.note ?? null, rule };
    }),
  );
  // Of two rules that give one start the first counts.
  const starts = new Map(dates.toReversed().map((date) => [date.first_id, date]));
  const ids = assignIds([...starts.keys()], listDateIds(ledger.revisions, event.id));
  const reason = f.status_note ?? null;
  const timed = dates.flatMap((date): TimedOccurrence[] => {
    const { first_id, day, rule } = date;
    const id = ids.get(first_id);
    if (id === undefined || starts.get(first_id) !== date) return [];
    const certainty = rules[rule]?.certaintyOf(day.toString()) ?? 'usual';
    const terms = { ...date, id, certainty, reason };
    return [{ ...reviseDate(terms, event, changes.get(day.toString()), ledger, moment), rule }];
  });
  if (timed.length === 0)
    issues.push({
      file: source.file,
      line: source.lineOf(['when']),
      field: 'when',
      message: 'gives no day at all between its first day and eighteen months from now',
    });
  return timed;
}

/**
 * Pushes an issue for a change of a day on which no rule falls. A day that its sources do not carry
 * any more is still one of its days: age alone stops no release.
 */
function checkChanges(
  { file, value, lineOf }: ContentFile<EventFile>,
  days: readonly (readonly Temporal.PlainDate[])[],
  horizon: Temporal.PlainDate,
  issues: ContentIssue[],
): void {
  const all = new Set(days.flat().map(String));
  const unused = value.changes.findIndex(
    ({ date }) => !all.has(date) && date <= horizon.toString(),
  );
  if (unused >= 0)
    issues.push({
      file,
      line: lineOf(['changes', unused, 'date']),
      field: `changes[${unused}].date`,
      message: `${value.changes[unused]?.date} is not a day on which this event takes place`,
    });
}
