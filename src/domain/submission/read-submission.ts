// What was sent in, understood: a strict reading with every issue at once, by field; and the days of a
// repetition (contract 14.1, 14.5, 14.8).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { parseDay, toCancunDay } from '../cancun-time.ts';
import { WEEKDAYS } from '../edit/form.ts';
import { isSentOnline } from '../event/event.ts';
import { findTaxon, type Taxonomy } from '../taxon.ts';
import { splitDays, toIsoDay } from './controls.ts';
import { REPEATS } from './fields.ts';
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
  const found = [...checkDays(output, now_ms, may_have_begun), ...checkRest(output, places)];
  // A place whose name is wrong is not missing.
  return found.filter(
    ({ field, rule }) => !wrong.has(field) && !(rule === 'no_place' && wrong.has('venue_name')),
  );
}

function checkDays(
  { start, end, all_day, hour }: SoundFields,
  now_ms: number,
  may_have_begun: boolean,
): SubmissionIssue[] {
  const issues: SubmissionIssue[] = [];
  // An hour that nobody knows is neither one that is given nor all day.
  if (hour !== undefined && all_day) issues.push(issue('hour', 'hour_and_all_day'));
  else if (hour !== undefined && [start, end].some((moment) => (moment ?? '').length > 10))
    issues.push(issue('hour', 'hour_and_time'));
  if (start === undefined) return issues;
  const today = toCancunDay(now_ms);
  const ahead = parseDay(start.slice(0, 10))?.since(today, { largestUnit: 'days' }).days ?? 0;
  if (ahead < 0 && !may_have_begun) issues.push(issue('start', 'past'));
  if (ahead > MAX_DAYS_AHEAD) issues.push(issue('start', 'too_far', MAX_DAYS_AHEAD));
  if (end === undefined) return issues;
  const whole_days = all_day || hour !== undefined || start.length === 10;
  if (!whole_days && end.length === 10) issues.push(issue('end', 'not_moment'));
  else if (whole_days ? end.slice(0, 10) < start.slice(0, 10) : end <= start)
    issues.push(issue('end', 'ends_before'));
  return issues;
}

function checkRest(fields: SoundFields, { taxonomy, findVenue }: KnownPlaces): SubmissionIssue[] {
  const { venue, venue_name, zone, category, free, price_min = 0, price_max } = fields;
  const link = fields.registration_url ?? fields.ticket_url ?? fields.source_url;
  const issues: SubmissionIssue[] = [];
  if (isSentOnline(fields) && link === undefined)
    issues.push(issue('registration_url', 'online_link'));
  if (venue === undefined && venue_name === undefined) issues.push(issue('venue', 'no_place'));
  if (venue !== undefined && findVenue(venue) === null)
    issues.push(issue('venue', 'unknown_venue'));
  for (const [field, word, taxa] of [
    ['zone', zone, taxonomy.zones],
    ['category', category, taxonomy.categories],
  ] as const)
    if (word !== undefined && !findTaxon(taxa, word)) {
      const keys = taxa.map(({ key }) => key);
      issues.push(issue(field, 'unknown_taxon', null, keys));
    }
  if (free && (price_min > 0 || (price_max ?? 0) > 0))
    issues.push(issue('free', 'free_with_price'));
  if (price_max !== undefined && price_max < price_min)
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

/** How far dates are taken where nobody knows the last one: then its sender is to look again. */
const OPEN_WEEKS = 12;

/** What says that it repeats, on the form and in a tool; `exceptions` are the days that are left out. */
type RepeatName = 'repeat' | 'weekdays' | 'repeat_until' | 'open_end' | 'exceptions';
type RepeatValues = Readonly<Partial<Record<RepeatName, string | undefined>>>;
type Issues = Pick<SubmissionIssue[], 'push'>;

/** How often, and for a rule of weeks on which weekdays, 1 to 7. */
interface Rule {
  readonly repeat: (typeof REPEATS)[number];
  readonly weekdays: readonly number[];
}

/**
 * The days after the first: those that were named and those of a repetition, without those that are
 * left out. What is wrong with it is pushed.
 */
export function listFurtherDays(
  named: readonly string[],
  values: RepeatValues,
  start_day: string,
  issues: Issues,
): string[] {
  const left_out = new Set(splitDays(values.exceptions ?? ''));
  if ([...left_out].some((day) => parseDay(day) === null))
    issues.push(issue('exceptions', 'not_dates'));
  if (left_out.has(start_day)) issues.push(issue('exceptions', 'first_left_out'));
  const until_text = (values.repeat_until ?? '').trim();
  const is_open = !['', '0', 'false'].includes(values.open_end ?? '');
  if (is_open && until_text !== '') issues.push(issue('open_end', 'until_and_open'));
  const first = parseDay(start_day);
  const rule = readRule(values, first, issues);
  const is_alone = (left_out.size > 0 || is_open) && named.length === 0;
  if (!rule && (until_text !== '' || is_alone)) issues.push(issue('repeat', 'missing'));
  const until = is_open ? first?.add({ weeks: OPEN_WEEKS }) : parseDay(toIsoDay(until_text));
  if (rule && !until && !is_open)
    issues.push(issue('repeat_until', until_text === '' ? 'missing' : 'not_dates'));
  const repeated = rule && first && until ? listRepeatDays(first, rule, until, left_out) : [];
  const is_long = !is_open && repeated.length > SUBMISSION_LIMITS.dates;
  if (is_long) issues.push(issue('repeat_until', 'too_many', SUBMISSION_LIMITS.dates));
  return [
    ...named.filter((day) => !left_out.has(day)),
    ...(is_long ? [] : repeated.slice(0, SUBMISSION_LIMITS.dates)),
  ];
}

/** Null where it does not repeat. The first day must be one of the rule. */
function readRule(
  values: RepeatValues,
  first: Temporal.PlainDate | null,
  issues: Issues,
): Rule | null {
  const repeat = REPEATS.find((known) => known === (values.repeat ?? '').trim());
  const names = splitDays((values.weekdays ?? '').toLowerCase());
  if (!names.every((name) => WEEKDAYS.some((known) => known === name)))
    issues.push(issue('weekdays', 'not_weekdays', null, WEEKDAYS));
  const is_weekly = repeat === 'weekly' || repeat === 'biweekly';
  if (names.length > 0 && !is_weekly) issues.push(issue('weekdays', 'not_weekly'));
  if (!repeat) return null;
  const own = WEEKDAYS.flatMap((name, at) => (names.includes(name) ? [at + 1] : []));
  const rule = { repeat, weekdays: own.length > 0 ? own : [first?.dayOfWeek ?? 1] };
  if (first && repeat === 'monthly_weekday' && first.day > 28)
    issues.push(issue('repeat', 'fifth_weekday'));
  else if (first && !listPeriod(rule, first, 0).some((day) => day.equals(first)))
    issues.push(issue(is_weekly ? 'weekdays' : 'repeat', 'first_left_out'));
  return rule;
}

/** The days of the rule in one day, week or month, counted from that of the first: so the 31st stays the 31st. */
function listPeriod(
  { repeat, weekdays }: Rule,
  first: Temporal.PlainDate,
  count: number,
): Temporal.PlainDate[] {
  if (repeat === 'daily') return [first.add({ days: count })];
  if (repeat === 'monthly')
    return [first.add({ months: count })].filter(({ day }) => day === first.day);
  if (repeat === 'weekly' || repeat === 'biweekly') {
    const monday = first.subtract({ days: first.dayOfWeek - 1 });
    const weeks = repeat === 'weekly' ? count : 2 * count;
    return weekdays.map((weekday) => monday.add({ weeks, days: weekday - 1 }));
  }
  const month = first.with({ day: 1 }).add({ months: count });
  const earliest = month.add({ days: (first.dayOfWeek - month.dayOfWeek + 7) % 7 });
  const last = Math.floor((month.daysInMonth - earliest.day) / 7);
  const weeks = repeat === 'monthly_weekday' ? Math.ceil(first.day / 7) - 1 : last;
  return [earliest.add({ weeks })];
}

/**
 * The days after `first` up to `until`, inclusive, in order, without those left out; hardly more than
 * are accepted, so that too many are seen.
 */
function listRepeatDays(
  first: Temporal.PlainDate,
  rule: Rule,
  until: Temporal.PlainDate,
  left_out: ReadonlySet<string>,
): string[] {
  const { compare } = Temporal.PlainDate;
  const days: string[] = [];
  for (let count = 0; days.length <= SUBMISSION_LIMITS.dates; count += 1) {
    const period = listPeriod(rule, first, count);
    const ahead = period.filter((day) => compare(day, first) > 0 && compare(day, until) <= 0);
    days.push(...ahead.map(String).filter((day) => !left_out.has(day)));
    if (period.some((day) => compare(day, until) > 0)) break;
  }
  return days;
}
