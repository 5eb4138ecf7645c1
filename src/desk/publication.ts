// Publication: builds content files from a submission and a reviewer's additions, valid by the
// schemas of content/, and previews the event page with the same record builders as a release.
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
import { decidePriceKind } from '../domain/opening-hours.ts';
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

/** Reference and channel of the submission to publish, and the current time. */
export interface PublicationOrigin extends Pick<SubmissionChange, 'reference' | 'door'> {
  readonly now_ms: number;
}

/** Builds a publication, or returns every issue that prevents it. */
export function buildPublication(
  submission: Submission,
  additions: ReviewerFields,
  { reference, door, now_ms }: PublicationOrigin,
  reference_data: Pick<ReferenceData, 'listOrganizers'>,
) {
  // A summary in the other language needs a title in that language too.
  const has_other_lang = textOf(additions, 'other_summary') !== undefined;
  const missing = REVIEWER_FIELD_LIST.flatMap(
    ([field, { is_required_to_publish }]): PublicationIssue[] => {
      const is_needed = is_required_to_publish || (has_other_lang && field === 'other_title');
      const is_missing = is_needed && textOf(additions, field) === undefined;
      return is_missing ? [{ field, rule: 'missing', message: 'missing' }] : [];
    },
  );
  if (missing.length > 0) return { publication: null, issues: missing };
  const today = toLocalDay(now_ms).toString();
  const buildProvenance = (url: string | null): object => ({
    sources: [dropAbsent({ name: reference, url, checked: today })],
    confidence: 'medium',
  });
  const { success, issues, output } = v.safeParse(PublicationSchema, {
    event: {
      ...buildEventFields(submission, additions),
      source: door === 'agent' ? 'agent' : 'organizer',
      ...buildProvenance(submission.source_url),
    },
    venue: buildVenueReference(submission, additions, today, buildProvenance),
    organizer: buildOrganizerReference(submission, reference_data, buildProvenance),
  });
  return success
    ? { publication: output, issues: [] }
    : { publication: null, issues: issues.flatMap(flattenIssue) };
}

/** Flattens an issue. For a union, it reports the option that matched furthest. */
function flattenIssue(issue: v.BaseIssue<unknown>): PublicationIssue[] {
  const inner_issues = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  return inner_issues.length > 0
    ? inner_issues.flatMap(flattenIssue)
    : [{ field: v.getDotPath(issue) ?? '', rule: 'invalid', message: issue.message }];
}

/** Returns the cleaned text of a reviewer's field; undefined if it is empty. */
const textOf = (additions: ReviewerFields, name: ReviewerFieldName): string | undefined =>
  (name === 'other_description' ? cleanText : cleanLine)(additions[name] ?? '') || undefined;

type OptionalText = string | null | undefined;

/** Builds a text in both languages; a missing one falls back to the other. */
function buildLocalText(
  { lang: submission_lang }: Submission,
  text: OptionalText,
  other_text: OptionalText,
): LocalText | undefined {
  const [text_or_other, other_or_text] = [text ?? other_text, other_text ?? text];
  return text_or_other && other_or_text
    ? byLang((lang) => (lang === submission_lang ? text_or_other : other_or_text))
    : undefined;
}

/** Builds the content fields of an event from a submission and a reviewer's additions. */
export function buildEventFields(s: Submission, additions: ReviewerFields): RecordFields {
  const addition = (name: ReviewerFieldName) => textOf(additions, name);
  const [summary, other_summary] = [addition('summary'), addition('other_summary')];
  const other_description = addition('other_description');
  // Do not repeat the summary as the description.
  const has_description = s.description !== '' && s.description !== summary;
  const is_translated =
    other_summary !== undefined && (!has_description || other_description !== undefined);
  // Without an alternative text, the picture gets the title of the event.
  const alt = s.image?.alt
    ? buildLocalText(s, s.image.alt, addition('other_image_alt'))
    : buildLocalText(s, s.title, addition('other_image_alt') ?? addition('other_title'));
  return dropAbsent({
    title: buildLocalText(s, s.title, addition('other_title')),
    summary: buildLocalText(s, summary, other_summary),
    description: has_description ? buildLocalText(s, s.description, other_description) : null,
    written_in: is_translated ? null : s.lang,
    category: s.category,
    zone: s.zone,
    location_note: isSubmittedAsOnline(s) ? ONLINE_LABEL : null,
    when: buildSchedules(s),
    open_end: s.open_end,
    tags: s.family ? [FAMILY_TAG] : null,
    price: buildPrice(s, buildLocalText(s, s.price.note, addition('other_price_note'))),
    ticket_url: s.ticket_url,
    registration_url: s.registration_url,
    age_restriction: buildLocalText(s, s.age_restriction, addition('other_age_restriction')),
    languages: s.languages,
    image: s.image && { ...s.image, alt },
    source_url: s.source_url,
  });
}

function buildPrice({ price }: Submission, note: LocalText | undefined): unknown {
  const { min, max } = price;
  const is_free = decidePriceKind(price) === 'free';
  if (is_free) return note === undefined ? 'free' : { min: 0, max: 0, note };
  if (min === null && max === null && note === undefined) return 'unknown';
  return dropAbsent({ min, max, note });
}

/** Builds the `sources` and `confidence` of a record; the URL is the page that states its facts. */
type ProvenanceBuilder = (url: string | null) => object;

/** Returns the id of a known venue, or the file of a new one. */
function buildVenueReference(
  s: Submission,
  additions: ReviewerFields,
  today: string,
  buildProvenance: ProvenanceBuilder,
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
      lat: parseNumber(lat),
      lng: parseNumber(lng),
      coordinates_source: (lat ?? lng) === undefined ? null : `review desk, ${today}`,
      ...buildProvenance(s.source_url),
    }),
  };
}

/** Keeps invalid numbers as text, so that the schema reports them. */
const parseNumber = (text: string | undefined): number | string | undefined =>
  text === undefined || !/^-?\d+(\.\d+)?$/.test(text) ? text : Number(text);

/** Returns the id of a known organizer, or the file of a new one. */
function buildOrganizerReference(
  { organizer: { name, url }, source_url }: Submission,
  { listOrganizers }: Pick<ReferenceData, 'listOrganizers'>,
  buildProvenance: ProvenanceBuilder,
): unknown {
  if (name === null) return null;
  const existing = findUniqueByName(listOrganizers(), name);
  if (existing) return { id: existing.id };
  const provenance = buildProvenance(url ?? source_url);
  return { file: dropAbsent({ name, type: 'promotor', website: url, ...provenance }) };
}

const dropAbsent = (fields: RecordFields): RecordFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null));

type SubmissionDates = Pick<Submission, 'start' | 'end' | 'all_day' | 'hour' | 'dates'>;

const countNights = (first_day: string, last_day: string): number =>
  parseDay(last_day)?.since(parseDay(first_day) ?? last_day, { largestUnit: 'days' }).days ?? 0;

/** Builds the schedules of a submission: one for its days, one for each other pair of `hours`. */
export function buildSchedules({
  hours = [],
  ...submission_dates
}: Pick<Submission, keyof SubmissionDates | 'hours'>): WhenRule[] {
  const days_with_hours = new Set(hours.map(({ date }) => date));
  const by_hours = Map.groupBy(hours, ({ start, end }) => `${start}/${end}`);
  return [
    buildSchedule({
      ...submission_dates,
      dates: submission_dates.dates.filter((day) => !days_with_hours.has(day)),
    }),
    ...[...by_hours.values()].flatMap(([first_day, ...other_days]): WhenRule[] => {
      if (first_day === undefined) return [];
      const { date: day, start, end } = first_day;
      const period = { start: `${day}T${start}`, end: end === null ? null : `${day}T${end}` };
      const dates = other_days.map(({ date }) => date);
      return [buildSchedule({ ...period, all_day: false, dates })];
    }),
  ];
}

/**
 * Builds the schedule of these days, all as long as the first. `days` counts the days of one
 * occurrence; `hour: 'unknown'` means that its time is unknown.
 */
export function buildSchedule({ start, end, all_day, hour, dates }: SubmissionDates): WhenRule {
  const [day, time] = [start.slice(0, 10), start.slice(11)];
  const nights = end === null ? 0 : countNights(day, end.slice(0, 10));
  const schedule = { dates: [...new Set([day, ...dates])].sort(), days: 1, except: [] };
  if (hour === 'unknown') return { ...schedule, hour, days: nights + 1 };
  if (all_day) return { ...schedule, days: nights + 1 };
  if (end === null) return { ...schedule, start: time };
  // domain/event/occurrences.ts moves an end at or before the start to the next day.
  const end_time = end.slice(11);
  return {
    ...schedule,
    start: time,
    end: end_time,
    days: Math.max(1, nights + (end_time > time ? 1 : 0)),
  };
}

/** Wraps a record as a content file without a path. */
export const wrapAsContentFile = <T>(value: T): ParsedContentFile<T> =>
  parsedContentFile('desk', value);

/** Maximum characters of a generated summary. */
const MAX_SUMMARY_LENGTH = 280;

/** Returns the first sentences of a text, at most 280 characters. */
export function suggestSummary(text: string): string {
  const line = text.split('\n')[0] ?? '';
  if (line.length <= MAX_SUMMARY_LENGTH) return line;
  const sentences = line.slice(0, MAX_SUMMARY_LENGTH).match(/^.*[.!?…](?=\s|$)/su)?.[0];
  return sentences ?? `${line.slice(0, MAX_SUMMARY_LENGTH).replace(/\s+\S*$/, '')}…`;
}

/**
 * Builds the event as its page will show it, with generated texts for missing additions.
 * @returns null if the submission is not a valid event yet.
 */
export function buildPreview(
  submission: Submission,
  additions: ReviewerFields,
  reference_data: ReferenceData,
  origin: PublicationOrigin,
): EventDetail | null {
  const summary = additions.summary || suggestSummary(submission.description);
  const completed = {
    ...additions,
    summary,
    other_title: additions.other_title || submission.title,
  };
  const { publication } = buildPublication(submission, completed, origin, reference_data);
  return publication && buildDetail(publication, reference_data, origin.now_ms);
}

/** File names by which the event of a preview refers to its venue and organizer. */
const VENUE_SLUG = 'at';
const ORGANIZER_SLUG = 'by';

/** Builds the event of a publication; null if it is invalid. */
function buildDetail(
  publication: Publication,
  reference_data: ReferenceData,
  now_ms: number,
): EventDetail | null {
  const horizon = toLocalDay(now_ms).add({ months: HORIZON_MONTHS * 2 });
  const build_context = createBuildContext(now_ms, {
    zones: reference_data.taxonomy.zones,
    horizon,
  });
  const { venue: venue_reference, organizer: organizer_reference } = publication;
  const venue =
    venue_reference &&
    ('id' in venue_reference
      ? reference_data.getVenue(venue_reference.id)
      : buildVenue(wrapAsContentFile(venue_reference.file), build_context).record);
  const organizer =
    organizer_reference &&
    ('id' in organizer_reference
      ? reference_data.getOrganizer(organizer_reference.id)
      : buildOrganizer(wrapAsContentFile(organizer_reference.file), build_context).record);
  const directories = {
    venues: new Map(venue ? [[VENUE_SLUG, venue]] : []),
    organizers: new Map(organizer ? [[ORGANIZER_SLUG, organizer]] : []),
  };
  const file = wrapAsContentFile({
    ...eventFileOf(publication),
    slug: byLang(() => 'preview'),
    ...(venue ? { venue: VENUE_SLUG } : {}),
    ...(organizer ? { organizer: ORGANIZER_SLUG } : {}),
  });
  const { record, occurrences } = buildEvent(file, directories, build_context);
  if (build_context.issues.length > 0) return null;
  const { categories, zones } = reference_data.taxonomy;
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
