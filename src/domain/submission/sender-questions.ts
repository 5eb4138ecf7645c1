// What is not sure of a form that is right, which its sender is asked before it is sent (contract 14.19), and what
// a reviewer should look at twice. Nothing is assumed or forbidden.
import { MINUTES_PER_DAY, parseDay, toLocalDay, parseMinutesOfDay } from '../local-time.ts';
import { FAMILY_CATEGORY, isSubmittedAsOnline } from '../event/event.ts';
import { foldText } from '../text-folding.ts';
import type { FormValues } from './form-values.ts';
import { hasMisleadingLink } from './links.ts';
import type { Submission } from './submission.ts';
import { getLastDay } from './form-dates.ts';

/** An hour more than this is more often a slip than a party. */
const LONG_HOURS = 12;

export type SenderQuestion =
  /** It ends at an hour before that of its start; on `day`, the next one, it would last so many hours. */
  | {
      readonly kind: 'night';
      readonly key: string;
      readonly day: string;
      readonly start: string;
      readonly end: string;
      readonly hours: number;
    }
  | { readonly kind: 'long'; readonly key: string; readonly hours: number }
  /** Its text speaks of children, and nothing says that it is for families. */
  | { readonly kind: 'family'; readonly key: string };

const SPEAKS_OF_CHILDREN =
  /\b(ni[nñ][oa]s?|infantil(es)?|familias?|familiar(es)?|bebes?|peques|kids?|child(ren)?|famil(y|ies)|toddlers?)\b/;
const ONLY_ADULTS = /\b(solo adultos|adults only|mayores de 18|18 and over|\+ ?18|18 ?\+)/;

const toHours = (minutes: number): number => Math.round(minutes / 6) / 10;

/** Hours between two local moments, to one decimal. */
function countHours(start: string, end: string): number {
  const first = parseDay(start.slice(0, 10));
  const days = first === null ? 0 : first.until(end.slice(0, 10), { largestUnit: 'days' }).days;
  return toHours(
    days * MINUTES_PER_DAY + parseMinutesOfDay(end.slice(11)) - parseMinutesOfDay(start.slice(11)),
  );
}

/** The hours of single days that last longest. */
const toLongest = ({ hours = [] }: Submission): number =>
  Math.max(
    0,
    ...hours.map(({ start, end }) => {
      if (end === null) return 0;
      const minutes = parseMinutesOfDay(end) - parseMinutesOfDay(start);
      return toHours(minutes <= 0 ? minutes + MINUTES_PER_DAY : minutes);
    }),
  );

function listHourDoubts(values: FormValues, submission: Submission): readonly SenderQuestion[] {
  const { start, end } = submission;
  const has_hours = start.length > 10 && end !== null && end.length > 10;
  const hours = has_hours ? countHours(start, end) : 0;
  const key = `hours.${start}.${end ?? ''}`;
  if (has_hours && start.slice(0, 10) < end.slice(0, 10) && !values.end_date) {
    const night = { day: end.slice(0, 10), start: start.slice(11), end: end.slice(11) };
    return [{ kind: 'night', key: `${key}.${hours}`, hours, ...night }];
  }
  const longest = Math.max(hours, toLongest(submission));
  return longest > LONG_HOURS ? [{ kind: 'long', key: `${key}.${longest}`, hours: longest }] : [];
}

/** What its sender is asked of hours and families. */
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
    SPEAKS_OF_CHILDREN.test(text) &&
    !ONLY_ADULTS.test(text);
  const doubts = listHourDoubts(values, submission);
  return asks_family ? [...doubts, { kind: 'family', key: 'family' }] : doubts;
}

/** Above this a ticket is a typing error more often than a price. */
const ODD_PRICE = 20_000;
const SOON_DAYS = 1;
const FAR_DAYS = 365;

const toHost = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null;
const isShouting = (text: string): boolean =>
  text.length > 12 && text === text.toUpperCase() && text !== text.toLowerCase();

export type ReviewWarning = keyof ReturnType<typeof findWarnings>;

/** The warnings of a submission on the day of `now_ms`, in a fixed order. */
export function listReviewWarnings(
  submission: Submission,
  now_ms: number,
): readonly ReviewWarning[];
export function listReviewWarnings(submission: Submission, now_ms: number): readonly string[] {
  const found = Object.entries(findWarnings(submission, now_ms));
  return found.flatMap(([warning, is_there]) => (is_there ? [warning] : []));
}

function findWarnings(submission: Submission, now_ms: number) {
  const { start, price, venue, zone, source_url, organizer, image } = submission;
  const toDaysAhead = (day: string): number =>
    parseDay(day)?.since(toLocalDay(now_ms), { largestUnit: 'days' }).days ?? 0;
  const ahead = toDaysAhead(start.slice(0, 10));
  const is_new_place = venue === null && !isSubmittedAsOnline(submission);
  const [source, own] = [toHost(source_url), toHost(organizer.url)];
  return {
    past: toDaysAhead(getLastDay(submission)) < 0,
    soon: ahead >= 0 && ahead <= SOON_DAYS,
    far: ahead > FAR_DAYS,
    hour_unknown: submission.hour === 'unknown',
    open_end: submission.open_end === true,
    unknown_venue: is_new_place,
    no_zone: is_new_place && zone === null,
    price_high: Math.max(price.min ?? 0, price.max ?? 0) > ODD_PRICE,
    price_zero: !price.is_free && price.min === 0,
    price_unknown: !price.is_free && price.min === null && price.max === null,
    link_misleads: hasMisleadingLink([
      submission.description,
      submission.ticket_url,
      submission.registration_url,
      source_url,
      organizer.url,
      image && 'url' in image ? image.url : null,
    ]),
    links_differ: source !== null && own !== null && source !== own,
    no_source: source === null && own === null,
    says_repeats: submission.repeats !== null,
    image: image !== null,
    shouting: isShouting(submission.title),
  };
}
