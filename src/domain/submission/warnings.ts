// What a reviewer should look at twice in a submission: nothing here forbids anything.
import { parseDay, toCancunDay } from '../cancun-time.ts';
import { isSentOnline } from '../event/event.ts';
import { hasMisleadingLink } from './links.ts';
import type { Submission } from './submission.ts';

export const SUBMISSION_WARNINGS = [
  'past',
  'soon',
  'far',
  'hour_unknown',
  'open_end',
  'unknown_venue',
  'no_zone',
  'price_high',
  'price_zero',
  'price_unknown',
  'links_differ',
  'link_misleads',
  'no_source',
  'says_repeats',
  'image',
  'shouting',
] as const;
export type SubmissionWarning = (typeof SUBMISSION_WARNINGS)[number];

/** Above this many pesos a ticket is a typing error more often than a price. */
const ODD_PRICE = 20_000;
const SOON_DAYS = 1;
const FAR_DAYS = 365;

const toHost = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null;
const isShouting = (text: string): boolean =>
  text.length > 12 && text === text.toUpperCase() && text !== text.toLowerCase();

/** The warnings of a submission on the day of `now_ms`, in a fixed order. */
export function listWarnings(submission: Submission, now_ms: number): SubmissionWarning[] {
  const { price, venue, zone, source_url, organizer, image, repeats, title } = submission;
  const last_day =
    [submission.start.slice(0, 10), submission.end?.slice(0, 10) ?? '', ...submission.dates]
      .sort()
      .at(-1) ?? '';
  const toDaysAhead = (day: string): number =>
    parseDay(day)?.since(toCancunDay(now_ms), { largestUnit: 'days' }).days ?? 0;
  const ahead = toDaysAhead(submission.start.slice(0, 10));
  const is_online = isSentOnline(submission);
  const [source, own] = [toHost(source_url), toHost(organizer.url)];
  const found: Record<SubmissionWarning, boolean> = {
    past: toDaysAhead(last_day) < 0,
    soon: ahead >= 0 && ahead <= SOON_DAYS,
    far: ahead > FAR_DAYS,
    hour_unknown: submission.hour === 'unknown',
    open_end: submission.open_end === true,
    unknown_venue: venue === null && !is_online,
    no_zone: venue === null && zone === null && !is_online,
    price_high: Math.max(price.min ?? 0, price.max ?? 0) > ODD_PRICE,
    price_zero: !price.is_free && price.min === 0,
    price_unknown: !price.is_free && price.min === null && price.max === null,
    link_misleads: hasMisleadingLink([
      ...[submission.description, submission.ticket_url, submission.registration_url],
      ...[source_url, organizer.url, image && 'url' in image ? image.url : null],
    ]),
    links_differ: source !== null && own !== null && source !== own,
    no_source: source === null && own === null,
    says_repeats: repeats !== null,
    image: image !== null,
    shouting: isShouting(title),
  };
  return SUBMISSION_WARNINGS.filter((warning) => found[warning]);
}
