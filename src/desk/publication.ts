// A submission and what a reviewer added to it, as a publication that passes the schemas of content/; and how it will
// look, without a release: the same records that a release makes of it.
import * as v from 'valibot';
import type { EventDetail } from '../domain/agenda.ts';
import { parseDay, toLocalDay } from '../domain/local-time.ts';
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { FAMILY_TAG, isSubmittedAsOnline, ONLINE_LABEL } from '../domain/event/event.ts';
import { HORIZON_MONTHS } from '../domain/event/occurrences.ts';
import { findUniqueByName, townOfZone } from '../domain/place-text.ts';
import type { RecordFields } from '../domain/override/record-override.ts';
import { byLang, type LocalText } from '../domain/lang.ts';
import {
  REVIEWER_FIELD_LIST,
  type ReviewerFieldName,
  type ReviewerFields,
  type PublicationIssue,
} from '../domain/submission/reviewer-fields.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { SubmissionChange } from '../domain/change.ts';
import { findTaxon } from '../domain/taxon.ts';
import { buildEventDetail } from '../snapshot/get-record.ts';
import type { WhenRule } from '../sources/content-schema.ts';
import { type Publication, PublicationSchema, eventFileOf } from '../sources/inbox/load-inbox.ts';
import { type ParsedContentFile, parsedContentFile } from '../sources/load-content.ts';
import { createBuildContext } from '../sources/revisions.ts';
import { buildEvent } from '../sources/build-event.ts';
import { buildOrganizer, buildVenue } from '../sources/build-records.ts';
import type { ReferenceData } from './reference-data.ts';

/** Which submission it is of, and when. */
export interface PublicationOrigin extends Pick<SubmissionChange, 'reference' | 'door'> {
  readonly now_ms: number;
}

/** The publication, or everything that keeps it from being one. Never throws. */
export function buildPublication(
  submission: Submission,
  additions: ReviewerFields,
  { reference, door, now_ms }: PublicationOrigin,
  known: Pick<ReferenceData, 'listOrganizers'>,
) {
  // Under a title that nobody has written in it, a summary in the other language would name another event.
  const has_other = textOf(additions, 'other_summary') !== undefined;
  const missing = REVIEWER_FIELD_LIST.flatMap(([field, { is_needed }]): PublicationIssue[] =>
    (is_needed || (has_other && field === 'other_title')) && textOf(additions, field) === undefined
      ? [{ field, rule: 'missing', message: 'missing' }]
      : [],
  );
  if (missing.length > 0) return { publication: null, issues: missing };
  const today = toLocalDay(now_ms).toString();
  const toProvenance = (url: string | null): object => ({
    sources: [dropAbsent({ name: reference, url, checked: today })],
    confidence: 'medium',
  });
  const { success, issues, output } = v.safeParse(PublicationSchema, {
    event: {
      ...buildEventFields(submission, additions),
      source: door === 'agent' ? 'agent' : 'organizer',
      ...toProvenance(submission.source_url),
    },
    venue: toVenueText(submission, additions, today, toProvenance),
    organizer: toOrganizerText(submission, known, toProvenance),
  });
  return success
    ? { publication: output, issues: [] }
    : { publication: null, issues: issues.flatMap(toIssues) };
}

/** The issue of a union is that of the form which got furthest. */
function toIssues(issue: v.BaseIssue<unknown>): PublicationIssue[] {
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  return deeper.length > 0
    ? deeper.flatMap(toIssues)
    : [{ field: v.getDotPath(issue) ?? '', rule: 'invalid', message: issue.message }];
}

const textOf = (additions: ReviewerFields, name: ReviewerFieldName): string | undefined =>
  (name === 'other_description' ? cleanText : cleanLine)(additions[name] ?? '') || undefined;

type Text = string | null | undefined;

/** A text in both languages; where one is not written, the other stands for it. */
function toBoth({ lang: own_lang }: Submission, own: Text, other: Text): LocalText | undefined {
  const [first, second] = [own ?? other, other ?? own];
  return first && second ? byLang((lang) => (lang === own_lang ? first : second)) : undefined;
}

/** The fields of an event that a submission and what is added to it say. */
export function buildEventFields(s: Submission, additions: ReviewerFields): RecordFields {
  const other = (name: ReviewerFieldName) => textOf(additions, name);
  const [summary, other_summary] = [other('summary'), other('other_summary')];
  const other_description = other('other_description');
  // Where the summary is all there is, it does not stand there twice.
  const has_description = s.description !== '' && s.description !== summary;
  const is_written =
    other_summary !== undefined && (!has_description || other_description !== undefined);
  // Where nobody says what a picture shows, the name of the event does.
  const alt = s.image?.alt
    ? toBoth(s, s.image.alt, other('other_image_alt'))
    : toBoth(s, s.title, other('other_image_alt') ?? other('other_title'));
  return dropAbsent({
    title: toBoth(s, s.title, other('other_title')),
    summary: toBoth(s, summary, other_summary),
    description: has_description ? toBoth(s, s.description, other_description) : null,
    written_in: is_written ? null : s.lang,
    category: s.category,
    zone: s.zone,
    location_note: isSubmittedAsOnline(s) ? ONLINE_LABEL : null,
    when: buildSchedules(s),
    open_end: s.open_end,
    tags: s.family ? [FAMILY_TAG] : null,
    price: toPrice(s, toBoth(s, s.price.note, other('other_price_note'))),
    ticket_url: s.ticket_url,
    registration_url: s.registration_url,
    age_restriction: toBoth(s, s.age_restriction, other('other_age_restriction')),
    languages: s.languages,
    image: s.image && { ...s.image, alt },
    source_url: s.source_url,
  });
}

function toPrice({ price }: Submission, note: LocalText | undefined): unknown {
  const { is_free, min, max } = price;
  if (is_free) return note === undefined ? 'free' : { min: 0, max: 0, note };
  if (min === null && max === null && note === undefined) return 'unknown';
  return dropAbsent({ min, max, note });
}

type ToProvenance = (url: string | null) => object;

function toVenueText(
  s: Submission,
  additions: ReviewerFields,
  today: string,
  toProvenance: ToProvenance,
): unknown {
  if (s.venue !== null) return { id: s.venue };
  if (s.venue_name === null || isSubmittedAsOnline(s)) return null;
  const [lat, lng] = [textOf(additions, 'lat'), textOf(additions, 'lng')];
  return {
    file: dropAbsent({
      name: s.venue_name,
      address: s.venue_address,
      locality: textOf(additions, 'locality') ?? townOfZone(s.zone),
      zone: s.zone,
      lat: toNumber(lat),
      lng: toNumber(lng),
      coordinates_source: (lat ?? lng) === undefined ? null : `review desk, ${today}`,
      ...toProvenance(s.source_url),
    }),
  };
}

/** What is no number stays text, so that the schema names it. */
const toNumber = (text: string | undefined): number | string | undefined =>
  text === undefined || !/^-?\d+(\.\d+)?$/.test(text) ? text : Number(text);

function toOrganizerText(
  { organizer: { name, url }, source_url }: Submission,
  { listOrganizers }: Pick<ReferenceData, 'listOrganizers'>,
  toProvenance: ToProvenance,
): unknown {
  if (name === null) return null;
  const same = findUniqueByName(listOrganizers(), name);
  if (same) return { id: same.id };
  const provenance = toProvenance(url ?? source_url);
  return { file: dropAbsent({ name, type: 'promotor', website: url, ...provenance }) };
}

const dropAbsent = (fields: RecordFields): RecordFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null));

type SubmissionDates = Pick<Submission, 'start' | 'end' | 'all_day' | 'hour' | 'dates'>;

const countDays = (from: string, to: string): number =>
  parseDay(to)?.since(parseDay(from) ?? to, { largestUnit: 'days' }).days ?? 0;

/** The rules that give these days: one for the hours of the first, one for each other pair of hours. */
export function buildSchedules({
  hours = [],
  ...first
}: Pick<Submission, keyof SubmissionDates | 'hours'>): WhenRule[] {
  const own = new Set(hours.map(({ date }) => date));
  const pairs = Map.groupBy(hours, ({ start, end }) => `${start}/${end}`);
  return [
    buildSchedule({ ...first, dates: first.dates.filter((day) => !own.has(day)) }),
    ...[...pairs.values()].flatMap(([one, ...others]): WhenRule[] => {
      if (one === undefined) return [];
      const { date: day, start, end } = one;
      const moments = { start: `${day}T${start}`, end: end === null ? null : `${day}T${end}` };
      return [buildSchedule({ ...moments, all_day: false, dates: others.map(({ date }) => date) })];
    }),
  ];
}

/** The rule that gives these days; how long it lasts is counted from the first. */
export function buildSchedule({ start, end, all_day, hour, dates }: SubmissionDates): WhenRule {
  const [day, time] = [start.slice(0, 10), start.slice(11)];
  const nights = end === null ? 0 : countDays(day, end.slice(0, 10));
  const when = { dates: [...new Set([day, ...dates])].sort(), days: 1, except: [] };
  if (hour === 'unknown') return { ...when, hour, days: nights + 1 };
  if (all_day) return { ...when, days: nights + 1 };
  if (end === null) return { ...when, start: time };
  // An end at or before the hour of the start is on the next day by itself (domain/occurrences).
  const end_time = end.slice(11);
  return {
    ...when,
    start: time,
    end: end_time,
    days: Math.max(1, nights + (end_time > time ? 1 : 0)),
  };
}

/** A record as a file of content that lies nowhere. */
export const wrapAsContentFile = <T>(value: T): ParsedContentFile<T> =>
  parsedContentFile('desk', value);

/** Most of a description that stands for a summary which nobody has written yet. */
const MAX_SUMMARY = 280;

/** The first sentences of a text, at most 280 characters. */
export function suggestSummary(text: string): string {
  const line = text.split('\n')[0] ?? '';
  if (line.length <= MAX_SUMMARY) return line;
  const sentences = line.slice(0, MAX_SUMMARY).match(/^.*[.!?…](?=\s|$)/su)?.[0];
  return sentences ?? `${line.slice(0, MAX_SUMMARY).replace(/\s+\S*$/, '')}…`;
}

/** The event as its page will show it, what is not written yet taken from the text. Null where it cannot be. */
export function buildPreview(
  submission: Submission,
  additions: ReviewerFields,
  known: ReferenceData,
  origin: PublicationOrigin,
): EventDetail | null {
  const summary = additions.summary || suggestSummary(submission.description);
  const filled = { ...additions, summary, other_title: additions.other_title || submission.title };
  const { publication } = buildPublication(submission, filled, origin, known);
  return publication && toDetail(publication, known, origin.now_ms);
}

function toDetail(
  publication: Publication,
  known: ReferenceData,
  now_ms: number,
): EventDetail | null {
  const horizon = toLocalDay(now_ms).add({ months: HORIZON_MONTHS * 2 });
  const making = createBuildContext(now_ms, { zones: known.taxonomy.zones, horizon });
  const { venue: at, organizer: by } = publication;
  const venue =
    at &&
    ('id' in at ? known.getVenue(at.id) : buildVenue(wrapAsContentFile(at.file), making).record);
  const organizer =
    by &&
    ('id' in by
      ? known.getOrganizer(by.id)
      : buildOrganizer(wrapAsContentFile(by.file), making).record);
  const places = {
    venues: new Map(venue ? [['at', venue]] : []),
    organizers: new Map(organizer ? [['by', organizer]] : []),
  };
  const file = wrapAsContentFile({
    ...eventFileOf(publication),
    slug: byLang(() => 'preview'),
    ...(venue ? { venue: 'at' } : {}),
    ...(organizer ? { organizer: 'by' } : {}),
  });
  const { record, occurrences } = buildEvent(file, places, making);
  if (making.issues.length > 0) return null;
  const { categories, zones } = known.taxonomy;
  const { category, zone } = record;
  const card = {
    event: record,
    venue,
    organizer,
    motif: null,
    category: category === null ? null : findTaxon(categories, category),
    zone: zone === null ? null : findTaxon(zones, zone),
  };
  return buildEventDetail(card, occurrences, now_ms);
}
