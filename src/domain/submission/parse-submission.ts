// What was sent in, understood: a strict reading with every issue at once, by field (contract 14.1, 14.5, 14.8).
import * as v from 'valibot';
import { parseDay, toLocalDay } from '../local-time.ts';
import { isSubmittedAsOnline } from '../event/event.ts';
import { DEFAULT_LANG } from '../lang.ts';
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
import { type Submission, SubmissionRecordSchema } from './submission.ts';

/** How far ahead an event may begin. */
const MAX_DAYS_AHEAD = 730;

/** What is known of the agenda: for keys and venue slugs. */
export interface VenueLookups {
  readonly taxonomy: Taxonomy;
  /** The id of a venue by id or slug. */
  readonly findVenue: (slug: string) => string | null;
  /** The id of the one venue that a name means, in the zone where one is given. */
  readonly findVenueByName: (name: string, zone: string | null) => string | null;
}

type Sent = Readonly<Record<string, string>>;

export type SubmissionParseResult =
  | { readonly submission: Submission; readonly issues: readonly [] }
  | { readonly submission: null; readonly issues: readonly SubmissionIssue[] };

/**
 * Reads what a form or a tool sent: texts by field, empty ones left out. `now_ms` decides today.
 * `may_have_begun`: of a submission that was taken in before. Never throws.
 */
export function parseSubmission(
  input: Sent,
  places: VenueLookups,
  now_ms: number,
  may_have_begun = false,
): SubmissionParseResult {
  const { issues } = parseFields(input, places, now_ms, may_have_begun);
  const { success, output } = v.safeParse(SubmissionSchema, input);
  return success && issues.length === 0
    ? { submission: buildSubmission(output, places), issues: [] }
    : { submission: null, issues };
}

/** The fields that are sound; and what is wrong with one, and between those that are sound, all at once. */
export function parseFields(
  input: Sent,
  places: VenueLookups,
  now_ms: number,
  may_have_begun: boolean,
): { readonly fields: ValidFields; readonly issues: readonly SubmissionIssue[] } {
  const issues = (v.safeParse(SubmissionSchema, input).issues ?? []).map((found) => {
    const one = issueFromSchema(found, '');
    return one.rule === 'unknown_field' ? { ...one, accepted: SUBMISSION_FIELD_NAMES } : one;
  });
  const wrong = new Set(issues.map(({ field }) => field));
  const sound = Object.entries(input).filter(([name]) => !wrong.has(name));
  const { success, output: fields } = v.safeParse(ValidFieldsSchema, Object.fromEntries(sound));
  if (!success) return { fields: {}, issues };
  const between = [...checkDays(fields, now_ms, may_have_begun), ...checkRest(fields, places)];
  // A place whose name is wrong is not missing.
  const others = between.filter(
    ({ field, rule }) => !wrong.has(field) && !(rule === 'no_place' && wrong.has('venue_name')),
  );
  return { fields, issues: [...issues, ...others] };
}

function checkDays(
  { start, end, all_day, hour }: ValidFields,
  now_ms: number,
  may_have_begun: boolean,
): SubmissionIssue[] {
  const issues: SubmissionIssue[] = [];
  // An hour that nobody knows is neither one that is given nor all day.
  if (hour !== undefined && all_day) issues.push(createIssue('hour', 'hour_and_all_day'));
  else if (hour !== undefined && [start, end].some((moment) => (moment ?? '').length > 10))
    issues.push(createIssue('hour', 'hour_and_time'));
  if (start === undefined) return issues;
  const today = toLocalDay(now_ms);
  const ahead = parseDay(start.slice(0, 10))?.since(today, { largestUnit: 'days' }).days ?? 0;
  if (ahead < 0 && !may_have_begun) issues.push(createIssue('start', 'past'));
  if (ahead > MAX_DAYS_AHEAD) issues.push(createIssue('start', 'too_far', MAX_DAYS_AHEAD));
  if (end === undefined) return issues;
  const whole_days = all_day || hour !== undefined || start.length === 10;
  if (!whole_days && end.length === 10) issues.push(createIssue('end', 'not_moment'));
  else if (whole_days ? end.slice(0, 10) < start.slice(0, 10) : end <= start)
    issues.push(createIssue('end', 'ends_before'));
  return issues;
}

function checkRest(fields: ValidFields, { taxonomy, findVenue }: VenueLookups): SubmissionIssue[] {
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
  if (price_max !== undefined && price_max < price_min)
    issues.push(createIssue('price_max', 'max_below_min'));
  if (countLinks(fields) > SUBMISSION_LIMITS.links)
    issues.push(createIssue('description', 'too_many_links', SUBMISSION_LIMITS.links));
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
  { venue, venue_name: written }: ValidFields,
  zone: string | null,
  { findVenue, findVenueByName }: VenueLookups,
): Pick<Submission, 'venue' | 'venue_name'> {
  const venue_name = written ?? null;
  if (venue !== undefined) return { venue: findVenue(venue), venue_name };
  const known = venue_name === null ? null : findVenueByName(venue_name, zone);
  return { venue: known, venue_name: known === null ? venue_name : null };
}

/** Hours of single days, each once, and none that is the first day's own. */
function readHours({ hours = [], start }: ValidFields): NonNullable<Submission['hours']> {
  const seen = new Set([start]);
  return hours.filter(({ date, start: from }) => {
    const moment = `${date}T${from}`;
    return seen.has(moment) ? false : seen.add(moment);
  });
}

/** Sound fields as they are stored; of a required one that is not there nothing is said. */
export function buildSubmission(fields: ValidFields, places: VenueLookups): Submission {
  const { hours: _, family, open_end, ...f } = fields;
  const { lang = DEFAULT_LANG, start = '', end, category = '', free = false } = fields;
  const { zones, categories } = places.taxonomy;
  const hours = readHours(fields);
  const zone = (f.zone === undefined ? null : findTaxon(zones, f.zone)?.key) ?? null;
  const is_day = f.all_day || start.length === 10;
  const toMoment = (text: string): string => (is_day ? text.slice(0, 10) : text);
  // What is stored as it was read comes from `f`; the schema leaves out the rest of it.
  return v.parse(SubmissionRecordSchema, {
    title: '',
    description: '',
    ...f,
    lang,
    category: findTaxon(categories, category)?.key ?? category,
    zone,
    start: toMoment(start),
    end: end === undefined ? null : toMoment(end),
    all_day: is_day && f.hour === undefined,
    dates: [...new Set([...(f.dates ?? []), ...hours.map(({ date }) => date)])].sort(),
    // Left out where there are none: what was stored before there was the field is as it was.
    ...(hours.length > 0 ? { hours } : {}),
    ...(open_end ? { open_end } : {}),
    ...(family ? { family } : {}),
    ...readVenue(fields, zone, places),
    price: {
      is_free: free,
      min: free ? null : (f.price_min ?? null),
      max: free ? null : (f.price_max ?? null),
      note: f.price_note,
    },
    image: toImage(fields),
    languages: f.languages ?? [lang],
    organizer: { name: f.organizer_name, url: f.organizer_url },
  });
}

/** What was uploaded wins over a link. */
function toImage({ picture_id, image_url, image_alt }: ValidFields): unknown {
  if (picture_id !== undefined) return { upload: picture_id, alt: image_alt };
  return image_url === undefined ? null : { url: image_url, alt: image_alt };
}
