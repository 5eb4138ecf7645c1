// Submission parser: validates the fields of a submission strictly, returns all issues at once by
// field, and builds the stored form (contract 14.1, 14.5, 14.8).
import * as v from 'valibot';
import { parseDay, toLocalDay } from '../local-time.ts';
import { isSubmittedAsOnline } from '../event/event.ts';
import { DEFAULT_LANG } from '../lang.ts';
import { decidePriceKind } from '../opening-hours.ts';
import { findTaxon, type Taxonomy } from '../taxon.ts';
import {
  type ValidFields,
  ValidFieldsSchema,
  SUBMISSION_FIELD_NAMES,
  SubmissionSchema,
} from './fields.ts';
import {
  createIssue,
  SUBMISSION_LIMITS,
  type SubmissionIssue,
  issueFromSchema,
} from './field-rules.ts';
import { findCostWords } from './price-words.ts';
import { type Submission, SubmissionRecordSchema } from './submission.ts';

/** Days ahead within which an event must start. */
const MAX_DAYS_AHEAD = 730;

/** Taxonomy and venues of the agenda. */
export interface VenueLookups {
  readonly taxonomy: Taxonomy;
  /** Returns the id of a venue by id or slug. */
  readonly findVenue: (slug: string) => string | null;
  /** Returns the id of the only venue with a name, within the zone if it is not null. */
  readonly findVenueByName: (name: string, zone: string | null) => string | null;
}

type SubmissionInput = Readonly<Record<string, string>>;

export type SubmissionParseResult =
  | { readonly submission: Submission; readonly issues: readonly [] }
  | { readonly submission: null; readonly issues: readonly SubmissionIssue[] };

/**
 * Parses the submission of a form or tool. Never throws.
 * @param input Texts by field, without empty ones.
 * @param now_ms The instant that decides which day is today.
 * @param may_have_begun Accepts a past start, for submissions that were received earlier.
 */
export function parseSubmission(
  input: SubmissionInput,
  lookups: VenueLookups,
  now_ms: number,
  may_have_begun = false,
): SubmissionParseResult {
  const { issues } = parseFields(input, lookups, now_ms, may_have_begun);
  const { success, output } = v.safeParse(SubmissionSchema, input);
  return success && issues.length === 0
    ? { submission: buildSubmission(output, lookups), issues: [] }
    : { submission: null, issues };
}

/** Parses the valid fields, and lists all issues: of single fields, and between the valid ones. */
export function parseFields(
  input: SubmissionInput,
  lookups: VenueLookups,
  now_ms: number,
  may_have_begun: boolean,
): { readonly fields: ValidFields; readonly issues: readonly SubmissionIssue[] } {
  const issues = (v.safeParse(SubmissionSchema, input).issues ?? []).map((schema_issue) => {
    const issue = issueFromSchema(schema_issue, '');
    return issue.rule === 'unknown_field' ? { ...issue, accepted: SUBMISSION_FIELD_NAMES } : issue;
  });
  const invalid_names = new Set(issues.map(({ field }) => field));
  const valid = Object.entries(input).filter(([name]) => !invalid_names.has(name));
  const { success, output: fields } = v.safeParse(ValidFieldsSchema, Object.fromEntries(valid));
  if (!success) return { fields: {}, issues };
  const further_issues = [
    ...validateDates(fields, now_ms, may_have_begun),
    ...validateReferences(fields, lookups),
  ].filter(
    ({ field, rule }) =>
      !invalid_names.has(field) &&
      // A venue with an invalid name is not missing.
      !(rule === 'no_place' && invalid_names.has('venue_name')),
  );
  return { fields, issues: [...issues, ...further_issues] };
}

/** Validates start and end against each other and against today. */
function validateDates(
  { start, end, all_day, hour }: ValidFields,
  now_ms: number,
  may_have_begun: boolean,
): SubmissionIssue[] {
  const issues: SubmissionIssue[] = [];
  // An unknown hour excludes both a time and `all_day`.
  if (hour !== undefined && all_day) issues.push(createIssue('hour', 'hour_and_all_day'));
  else if (hour !== undefined && [start, end].some((text) => (text ?? '').length > 10))
    issues.push(createIssue('hour', 'hour_and_time'));
  if (start === undefined) return issues;
  const today = toLocalDay(now_ms);
  const days_ahead = parseDay(start.slice(0, 10))?.since(today, { largestUnit: 'days' }).days ?? 0;
  if (days_ahead < 0 && !may_have_begun) issues.push(createIssue('start', 'past'));
  if (days_ahead > MAX_DAYS_AHEAD) issues.push(createIssue('start', 'too_far', MAX_DAYS_AHEAD));
  if (end === undefined) return issues;
  const is_whole_days = all_day || hour !== undefined || start.length === 10;
  if (!is_whole_days && end.length === 10) issues.push(createIssue('end', 'not_moment'));
  else if (is_whole_days ? end.slice(0, 10) < start.slice(0, 10) : end <= start)
    issues.push(createIssue('end', 'ends_before'));
  return issues;
}

/** Validates location, taxa, price and links. */
function validateReferences(
  fields: ValidFields,
  { taxonomy, findVenue }: VenueLookups,
): SubmissionIssue[] {
  const { venue, venue_name, zone, category, free, price_min = 0, price_max } = fields;
  const link = fields.registration_url ?? fields.ticket_url ?? fields.source_url;
  const issues: SubmissionIssue[] = [];
  if (isSubmittedAsOnline(fields) && link === undefined)
    issues.push(createIssue('registration_url', 'online_link'));
  if (venue === undefined && venue_name === undefined)
    issues.push(createIssue('venue', 'no_place'));
  if (venue !== undefined && findVenue(venue) === null)
    issues.push(createIssue('venue', 'unknown_venue'));
  for (const [field, word, taxa] of [
    ['zone', zone, taxonomy.zones],
    ['category', category, taxonomy.categories],
  ] as const)
    if (word !== undefined && !findTaxon(taxa, word)) {
      const keys = taxa.map(({ key }) => key);
      issues.push(createIssue(field, 'unknown_taxon', null, keys));
    }
  if (free && (price_min > 0 || (price_max ?? 0) > 0))
    issues.push(createIssue('free', 'free_with_price'));
  else if (free && findCostWords(fields.price_note ?? '') !== null)
    issues.push(createIssue('price_note', 'free_with_cost_note'));
  if (price_max !== undefined && price_max < price_min)
    issues.push(createIssue('price_max', 'max_below_min'));
  if (countLinks(fields) > SUBMISSION_LIMITS.links)
    issues.push(createIssue('description', 'too_many_links', SUBMISSION_LIMITS.links));
  return issues;
}

/** Counts the web addresses in all fields together. */
export function countLinks(fields: Readonly<Record<string, unknown>>): number {
  const texts = Object.values(fields).filter((value) => typeof value === 'string');
  return texts.reduce(
    (count, text) => count + (text.match(/https?:\/\/|(?<![\w@./])www\./gi)?.length ?? 0),
    0,
  );
}

/** Resolves the selected venue, or the known one with the typed name (contract 14.14). */
function resolveVenue(
  { venue, venue_name: typed_name }: ValidFields,
  zone: string | null,
  { findVenue, findVenueByName }: VenueLookups,
): Pick<Submission, 'venue' | 'venue_name'> {
  const venue_name = typed_name ?? null;
  if (venue !== undefined) return { venue: findVenue(venue), venue_name };
  const known = venue_name === null ? null : findVenueByName(venue_name, zone);
  return { venue: known, venue_name: known === null ? venue_name : null };
}

/** Removes duplicate hours of single days, and those equal to the start. */
function removeDuplicateHours({
  hours = [],
  start,
}: ValidFields): NonNullable<Submission['hours']> {
  const seen = new Set([start]);
  return hours.filter(({ date, start: from }) => {
    const date_time = `${date}T${from}`;
    return seen.has(date_time) ? false : seen.add(date_time);
  });
}

/**
 * Builds the stored form of valid fields. A missing required field becomes empty, without an error.
 */
export function buildSubmission(fields: ValidFields, lookups: VenueLookups): Submission {
  const { hours: _, family, open_end, ...f } = fields;
  const { lang = DEFAULT_LANG, start = '', end, category = '' } = fields;
  const { zones, categories } = lookups.taxonomy;
  const hours = removeDuplicateHours(fields);
  const zone = (f.zone === undefined ? null : findTaxon(zones, f.zone)?.key) ?? null;
  const is_day = f.all_day || start.length === 10;
  const cutToPrecision = (text: string): string => (is_day ? text.slice(0, 10) : text);
  // Fields stored unchanged come from `f`; the schema drops its other fields.
  return v.parse(SubmissionRecordSchema, {
    title: '',
    description: '',
    ...f,
    lang,
    category: findTaxon(categories, category)?.key ?? category,
    zone,
    start: cutToPrecision(start),
    end: end === undefined ? null : cutToPrecision(end),
    all_day: is_day && f.hour === undefined,
    dates: [...new Set([...(f.dates ?? []), ...hours.map(({ date }) => date)])].sort(),
    // Absent instead of empty, so that submissions stored before these fields existed keep their
    // digest.
    ...(hours.length > 0 ? { hours } : {}),
    ...(open_end ? { open_end } : {}),
    ...(family ? { family } : {}),
    ...resolveVenue(fields, zone, lookups),
    price: buildPrice(fields),
    image: selectImage(fields),
    languages: f.languages ?? [lang],
    organizer: { name: f.organizer_name, url: f.organizer_url },
  });
}

/** Builds the price. A free one has no amounts, and may have a note. */
function buildPrice({ free = false, price_min, price_max, price_note }: ValidFields) {
  const [min, max] = [price_min ?? null, price_max ?? null];
  const is_free = decidePriceKind({ is_free: free, min, max }) === 'free';
  return { is_free, min: is_free ? null : min, max: is_free ? null : max, note: price_note };
}

/** Selects the image. An upload takes precedence over a link. */
function selectImage({ picture_id, image_url, image_alt }: ValidFields): unknown {
  if (picture_id !== undefined) return { upload: picture_id, alt: image_alt };
  return image_url === undefined ? null : { url: image_url, alt: image_alt };
}
