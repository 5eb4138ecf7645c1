// Sender questions: list doubts about a valid submission to ask its sender before sending (contract
// 14.19), and warnings for the reviewer. Neither changes or rejects anything.
import { MINUTES_PER_DAY, parseDay, toLocalDay, parseMinutesOfDay } from '../local-time.ts';
import { FAMILY_CATEGORY, isSubmittedAsOnline } from '../event/event.ts';
import { foldText } from '../text-folding.ts';
import { type FormValues, submissionToForm } from './form-values.ts';
import { hasMisleadingLink } from './links.ts';
import { findCostWords } from './price-words.ts';
import { joinLinkAnswer } from './reviewer-fields.ts';
import type { Submission } from './submission.ts';
import { getLastDay } from './form-dates.ts';

/** An event longer than this is more often a typing error than real. */
const LONG_HOURS = 12;

/**
 * A question. Its `key` changes with the values in doubt, so that an answer counts only for these.
 */
export type SenderQuestion =
  /**
   * The end hour is before the start hour; ending on `day`, the next day, the event would last
   * `hours`.
   */
  | {
      readonly kind: 'night';
      readonly key: string;
      readonly day: string;
      readonly start: string;
      readonly end: string;
      readonly hours: number;
    }
  /** The event lasts unusually long. */
  | { readonly kind: 'long'; readonly key: string; readonly hours: number }
  /** `days`: customary rest days of its repetition, which are left out. */
  | { readonly kind: 'holidays'; readonly key: string; readonly days: readonly string[] }
  /** The event is free, but its text says that visitors pay: `quote`. */
  | { readonly kind: 'free'; readonly key: string; readonly quote: string }
  /** The text mentions children, but the event is not marked for families. */
  | { readonly kind: 'family'; readonly key: string };

const CHILDREN_PATTERN =
  /\b(ni[nñ][oa]s?|infantil(es)?|familias?|familiar(es)?|bebes?|peques|kids?|child(ren)?|famil(y|ies)|toddlers?)\b/;
const ADULTS_ONLY_PATTERN = /\b(solo adultos|adults only|mayores de 18|18 and over|\+ ?18|18 ?\+)/;

/** Converts minutes to hours, to one decimal. */
const toHours = (minutes: number): number => Math.round(minutes / 6) / 10;

/** Counts the hours between two local times, to one decimal. */
function countHours(start: string, end: string): number {
  const first = parseDay(start.slice(0, 10));
  const days = first === null ? 0 : first.until(end.slice(0, 10), { largestUnit: 'days' }).days;
  return toHours(
    days * MINUTES_PER_DAY + parseMinutesOfDay(end.slice(11)) - parseMinutesOfDay(start.slice(11)),
  );
}

/** Returns the duration in hours of the longest of the days with their own hours. */
const longestOwnHours = ({ hours = [] }: Submission): number =>
  Math.max(
    0,
    ...hours.map(({ start, end }) => {
      if (end === null) return 0;
      const minutes = parseMinutesOfDay(end) - parseMinutesOfDay(start);
      return toHours(minutes <= 0 ? minutes + MINUTES_PER_DAY : minutes);
    }),
  );

function listHourQuestions(values: FormValues, submission: Submission): readonly SenderQuestion[] {
  const { start, end } = submission;
  const has_hours = start.length > 10 && end !== null && end.length > 10;
  const hours = has_hours ? countHours(start, end) : 0;
  const key = `hours.${start}.${end ?? ''}`;
  if (has_hours && start.slice(0, 10) < end.slice(0, 10) && !values.end_date) {
    const night = { day: end.slice(0, 10), start: start.slice(11), end: end.slice(11) };
    return [{ kind: 'night', key: `${key}.${hours}`, hours, ...night }];
  }
  const longest = Math.max(hours, longestOwnHours(submission));
  return longest > LONG_HOURS ? [{ kind: 'long', key: `${key}.${longest}`, hours: longest }] : [];
}

/** Finds the words of a free event by which visitors pay; null if there are none. */
export const findFreeContradiction = ({
  title,
  description,
  price,
}: Pick<Submission, 'title' | 'description' | 'price'>): string | null =>
  price.is_free ? findCostWords([title, description, price.note ?? ''].join('\n')) : null;

/** Lists the questions about hours, price and families. */
export function listSenderQuestions(
  values: FormValues,
  submission: Submission,
): readonly SenderQuestion[] {
  const { title, description, category, family, age_restriction } = submission;
  const text = foldText(`${title} ${description}`);
  const asks_family =
    !family &&
    category !== FAMILY_CATEGORY &&
    age_restriction === null &&
    CHILDREN_PATTERN.test(text) &&
    !ADULTS_ONLY_PATTERN.test(text);
  const quote = findFreeContradiction(submission);
  const { resting: days = [] } = submission;
  const questions = [
    ...listHourQuestions(values, submission),
    ...(days.length === 0
      ? []
      : [{ kind: 'holidays', key: `holidays.${days.join('.')}`, days } as const]),
    ...(quote === null ? [] : [{ kind: 'free', key: `free.${foldText(quote)}`, quote } as const]),
  ];
  return asks_family ? [...questions, { kind: 'family', key: 'family' }] : questions;
}

/** A higher price is more often a typing error than real. In the town's currency. */
const UNUSUAL_PRICE = 20_000;
const SOON_DAYS = 1;
const FAR_DAYS = 365;

const hostOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null;
/** Tests for a text in capitals. */
const isShouting = (text: string): boolean =>
  text.length > 12 && text === text.toUpperCase() && text !== text.toLowerCase();

export type ReviewWarning = keyof ReturnType<typeof findWarnings>;

/** Lists the warnings of a submission on the day of `now_ms`, in a fixed order. */
export function listReviewWarnings(
  submission: Submission,
  now_ms: number,
): readonly ReviewWarning[];
export function listReviewWarnings(submission: Submission, now_ms: number): readonly string[] {
  const warnings = Object.entries(findWarnings(submission, now_ms));
  return warnings.flatMap(([warning, applies]) => (applies ? [warning] : []));
}

/** Tests each warning; its name is part of its i18n key. */
function findWarnings(submission: Submission, now_ms: number) {
  const { start, price, venue, zone, source_url, organizer, image } = submission;
  const countDaysAhead = (day: string): number =>
    parseDay(day)?.since(toLocalDay(now_ms), { largestUnit: 'days' }).days ?? 0;
  const days_ahead = countDaysAhead(start.slice(0, 10));
  const is_new_venue = venue === null && !isSubmittedAsOnline(submission);
  const [source_host, organizer_host] = [hostOf(source_url), hostOf(organizer.url)];
  return {
    past: countDaysAhead(getLastDay(submission)) < 0,
    soon: days_ahead >= 0 && days_ahead <= SOON_DAYS,
    far: days_ahead > FAR_DAYS,
    hour_unknown: submission.hour === 'unknown',
    open_end: submission.open_end === true,
    unknown_venue: is_new_venue,
    no_zone: is_new_venue && zone === null,
    price_high: Math.max(price.min ?? 0, price.max ?? 0) > UNUSUAL_PRICE,
    price_zero: !price.is_free && price.min === 0,
    price_unknown: !price.is_free && price.min === null && price.max === null,
    price_contradicted: findFreeContradiction(submission) !== null,
    link_misleads: hasMisleadingLink([
      submission.description,
      submission.ticket_url,
      submission.registration_url,
      source_url,
      organizer.url,
      image && 'url' in image ? image.url : null,
    ]),
    join_link: joinLinkAnswer(submissionToForm(submission)) !== '',
    links_differ: source_host !== null && organizer_host !== null && source_host !== organizer_host,
    no_source: source_host === null && organizer_host === null,
    says_repeats: submission.repeats !== null,
    image: image !== null,
    shouting: isShouting(submission.title),
  };
}
