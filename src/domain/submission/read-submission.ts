// What was sent in, understood: a strict reading with every issue at once, by field
// (contract 14.1, 14.5, 14.8).
import * as v from 'valibot';
import { parseDay, toCancunDay } from '../cancun-time.ts';
import { isSentOnline } from '../event/event.ts';
import { findTaxon, type Taxonomy, type TaxonRecord } from '../taxon.ts';
import { SUBMISSION_LIMITS, SUBMISSION_RULES, type SubmissionRule } from './rules.ts';
import {
  type SoundFields,
  SoundFieldsSchema,
  type Submission,
  SUBMISSION_FIELD_NAMES,
  type SubmissionFields,
  SubmissionRecordSchema,
  SubmissionSchema,
} from './submission.ts';

/** How far ahead an event may begin. */
const MAX_DAYS_AHEAD = 730;

/** `{limit}` and `{accepted}` of the rule's sentence. */
export interface SubmissionIssue {
  readonly field: string;
  readonly rule: SubmissionRule;
  readonly limit: number | null;
  readonly accepted: readonly string[];
}

/** What is known of the agenda: for keys and venue slugs. */
export interface KnownPlaces {
  readonly taxonomy: Taxonomy;
  /** The id of a venue by id or slug. */
  readonly findVenue: (slug: string) => string | null;
  /** The id of the one venue that a name means, in the zone where one is given. */
  readonly findVenueByName: (name: string, zone: string | null) => string | null;
}

export type SubmissionReading =
  | { readonly submission: Submission; readonly issues: readonly [] }
  | { readonly submission: null; readonly issues: readonly SubmissionIssue[] };

export const issue = (
  field: string,
  rule: SubmissionRule,
  limit: number | null = null,
  accepted: readonly string[] = [],
): SubmissionIssue => ({ field, rule, limit, accepted });

/** What a schema of fields refuses; `field` where that names none. */
export function toIssue(found: v.BaseIssue<unknown>, field: string): SubmissionIssue {
  const rule = SUBMISSION_RULES.find((known) => known === found.message) ?? 'missing';
  const limit = typeof found.requirement === 'number' ? found.requirement : null;
  const accepted = rule === 'unknown_field' ? SUBMISSION_FIELD_NAMES : [];
  return issue(v.getDotPath(found) ?? field, rule, limit, accepted);
}

/**
 * Reads what a form or a tool sent: texts by field, empty ones left out. `now_ms` decides today.
 * `may_have_begun`: of a submission that was taken in before. Never throws.
 */
export function readSubmission(
  input: Readonly<Record<string, string>>,
  places: KnownPlaces,
  now_ms: number,
  may_have_begun = false,
): SubmissionReading {
  const result = v.safeParse(SubmissionSchema, input);
  const issues = (result.issues ?? []).map((found) => toIssue(found, ''));
  const all = [...issues, ...checkSound(input, issues, places, now_ms, may_have_begun)];
  return result.success && all.length === 0
    ? { submission: toSubmission(result.output, places), issues: [] }
    : { submission: null, issues: all };
}

/**
 * What is wrong between fields, found in the same reading as what is wrong with one of them: of the
 * fields that are sound.
 */
function checkSound(
  input: Readonly<Record<string, string>>,
  issues: readonly SubmissionIssue[],
  places: KnownPlaces,
  now_ms: number,
  may_have_begun: boolean,
): SubmissionIssue[] {
  const wrong = new Set(issues.map(({ field }) => field));
  const { output, success } = v.safeParse(
    SoundFieldsSchema,
    Object.fromEntries(Object.entries(input).filter(([name]) => !wrong.has(name))),
  );
  if (!success) return [];
  const found = [
    ...checkDays(output, now_ms, may_have_begun),
    ...checkPlace(output, places),
    ...checkRest(output, places),
  ];
  // A place whose name is wrong is not missing.
  return found.filter(
    ({ field, rule }) => !wrong.has(field) && !(rule === 'no_place' && wrong.has('venue_name')),
  );
}

/** An hour that nobody knows is neither one that is given nor all day. */
function checkHour({ start, end, all_day, hour }: SoundFields): SubmissionIssue[] {
  if (hour === undefined) return [];
  if (all_day) return [issue('hour', 'hour_and_all_day')];
  const has_time = [start, end].some((moment) => moment !== undefined && moment.length > 10);
  return has_time ? [issue('hour', 'hour_and_time')] : [];
}

function checkDays(
  fields: SoundFields,
  now_ms: number,
  may_have_begun: boolean,
): SubmissionIssue[] {
  const { start, end, all_day } = fields;
  const issues = checkHour(fields);
  if (start === undefined) return issues;
  const today = toCancunDay(now_ms);
  const ahead = parseDay(start.slice(0, 10))?.since(today, { largestUnit: 'days' }).days ?? 0;
  if (ahead < 0 && !may_have_begun) issues.push(issue('start', 'past'));
  if (ahead > MAX_DAYS_AHEAD) issues.push(issue('start', 'too_far', MAX_DAYS_AHEAD));
  if (end !== undefined) {
    const whole_days = all_day || fields.hour !== undefined || start.length === 10;
    if (!whole_days && end.length === 10) issues.push(issue('end', 'not_moment'));
    else if (whole_days ? end.slice(0, 10) < start.slice(0, 10) : end <= start)
      issues.push(issue('end', 'ends_before'));
  }
  return issues;
}

function checkPlace(fields: SoundFields, { taxonomy, findVenue }: KnownPlaces): SubmissionIssue[] {
  const { venue, venue_name, zone, registration_url, ticket_url, source_url } = fields;
  const issues: SubmissionIssue[] = [];
  if (isSentOnline(fields) && (registration_url ?? ticket_url ?? source_url) === undefined)
    issues.push(issue('registration_url', 'online_link'));
  if (venue === undefined && venue_name === undefined) issues.push(issue('venue', 'no_place'));
  if (venue !== undefined && findVenue(venue) === null)
    issues.push(issue('venue', 'unknown_venue'));
  return [...issues, ...checkTaxon('zone', zone, taxonomy.zones)];
}

function checkTaxon(
  field: string,
  word: string | undefined,
  taxa: readonly TaxonRecord[],
): SubmissionIssue[] {
  if (word === undefined || findTaxon(taxa, word)) return [];
  const keys = taxa.map(({ key }) => key);
  return [issue(field, 'unknown_taxon', null, keys)];
}

function checkRest(fields: SoundFields, { taxonomy }: KnownPlaces): SubmissionIssue[] {
  const { category, free, price_min, price_max } = fields;
  const issues = checkTaxon('category', category, taxonomy.categories);
  if (free && ((price_min ?? 0) > 0 || (price_max ?? 0) > 0))
    issues.push(issue('free', 'free_with_price'));
  if (price_min !== undefined && price_max !== undefined && price_max < price_min)
    issues.push(issue('price_max', 'max_below_min'));
  if (countLinks(fields) > SUBMISSION_LIMITS.links)
    issues.push(issue('description', 'too_many_links', SUBMISSION_LIMITS.links));
  return issues;
}

/** Addresses in all fields together. */
export function countLinks(fields: Readonly<Record<string, unknown>>): number {
  const texts = Object.values(fields).filter((value) => typeof value === 'string');
  return texts.reduce(
    (count, text) => count + (text.match(/https?:\/\/|(?<![\w@./])www\./gi)?.length ?? 0),
    0,
  );
}

/** The venue that was chosen, or the known one whose name was written (contract 14.14). */
function readVenue(
  { venue, venue_name }: SubmissionFields,
  zone: string | null,
  { findVenue, findVenueByName }: KnownPlaces,
): { readonly venue: string | null; readonly venue_name: string | null } {
  if (venue !== undefined) return { venue: findVenue(venue), venue_name: venue_name ?? null };
  const known = venue_name === undefined ? null : findVenueByName(venue_name, zone);
  return { venue: known, venue_name: known === null ? (venue_name ?? null) : null };
}

/** Hours of single days, each once, and none that is the first day's own. */
function readHours({ hours = [], start }: SubmissionFields): NonNullable<Submission['hours']> {
  const seen = new Set([start]);
  return hours.filter(({ date, start: from }) => {
    const moment = `${date}T${from}`;
    return seen.has(moment) ? false : seen.add(moment);
  });
}

function toSubmission(fields: SubmissionFields, places: KnownPlaces): Submission {
  const { hours: _, family, open_end, ...f } = fields;
  const { taxonomy } = places;
  const hours = readHours(fields);
  const zone = (f.zone === undefined ? null : findTaxon(taxonomy.zones, f.zone)?.key) ?? null;
  const is_day = f.all_day || f.start.length === 10;
  const toMoment = (text: string): string => (is_day ? text.slice(0, 10) : text);
  // What is stored as it was read comes from `f`; the schema leaves out the rest of it.
  return v.parse(SubmissionRecordSchema, {
    ...f,
    category: findTaxon(taxonomy.categories, f.category)?.key ?? f.category,
    zone,
    start: toMoment(f.start),
    end: f.end === undefined ? null : toMoment(f.end),
    all_day: is_day && f.hour === undefined,
    dates: [...new Set([...(f.dates ?? []), ...hours.map(({ date }) => date)])].sort(),
    // Left out where there are none: what was stored before there was the field is as it was.
    ...(hours.length > 0 ? { hours } : {}),
    ...(open_end ? { open_end: true } : {}),
    ...(family ? { family: true } : {}),
    ...readVenue(fields, zone, places),
    price: {
      is_free: f.free,
      min: f.free ? null : (f.price_min ?? null),
      max: f.free ? null : (f.price_max ?? null),
      note: f.price_note,
    },
    image: toImage(fields),
    languages: f.languages ?? [f.lang],
    organizer: { name: f.organizer_name, url: f.organizer_url },
  });
}

/** What was uploaded wins over a link. */
function toImage({ picture_id, image_url, image_alt }: SubmissionFields): unknown {
  if (picture_id !== undefined) return { upload: picture_id, alt: image_alt };
  return image_url === undefined ? null : { url: image_url, alt: image_alt };
}
