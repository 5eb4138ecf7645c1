// One event block of a calendar file, understood as far as it goes, or why it is no event.
import { hash } from 'node:crypto';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import type { FeedDoubt, FeedEvent, FeedFailure } from '../../domain/batch/feed-event.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/rules.ts';
import { type FeedBlock, findLine, valueIn } from './feed-lines.ts';
import { type FeedMoment, type FeedZones, readMoment, toLocal } from './feed-moment.ts';
import { hasJoinLink, toFeedLine, toFeedText } from './feed-text.ts';

/** Characters of what is shown of a line that nobody understands. */
const MAX_SHOWN = 80;
const toShown = (text: string): string => toFeedLine(text, MAX_SHOWN).text;

/** One event block, understood as far as it goes. */
export interface FeedEntry {
  readonly uid: string;
  readonly sequence: number;
  readonly start: FeedMoment;
  /** Its further times, where they are events of their own in the file. */
  readonly also: readonly FeedMoment[];
  /** Null where it is not known. */
  readonly lasts: Temporal.Duration | null;
  /** The moment of the series that it stands for; null for the series itself. */
  readonly instead_of: FeedMoment | null;
  readonly block: FeedBlock;
  readonly facts: Pick<
    FeedEvent,
    'title' | 'description' | 'location' | 'url' | 'categories' | 'is_cancelled'
  >;
  readonly doubts: readonly FeedDoubt[];
}

/** A doubt where there is one, with as much of the line as is shown. */
export const doubt = (rule: FeedDoubt['rule'], is_there: boolean, text = ''): FeedDoubt[] =>
  is_there ? [{ rule, text: toShown(text) }] : [];

/** Why a block gives no event. */
export const fail = (
  rule: FeedFailure['rule'],
  { line, lines }: FeedBlock,
  text = '',
): FeedFailure => ({
  rule,
  line,
  title: toFeedLine(valueIn(lines, 'SUMMARY'), SUBMISSION_LIMITS.title).text,
  text: toShown(text),
});

/** Reads a block. Gives what is wrong with it where it is no event with a name and a beginning. */
export function readEntry(block: FeedBlock, zones: FeedZones): FeedEntry | FeedFailure {
  const { lines, skipped } = block;
  const textOf = (name: string): string => valueIn(lines, name);
  const title = toFeedLine(textOf('SUMMARY'), SUBMISSION_LIMITS.title);
  const begins = findLine(lines, 'DTSTART');
  if (begins === undefined) return fail('no_start', block);
  const start = readMoment(begins, zones);
  if (start === null) return fail('bad_start', block, begins.value);
  if (!/[\p{L}\p{N}]/u.test(title.text)) return fail('no_title', block);
  const description = toFeedText(textOf('DESCRIPTION'), SUBMISSION_LIMITS.description);
  const location = toFeedLine(textOf('LOCATION'), SUBMISSION_LIMITS.line);
  const { lasts, is_ignored } = readLength(block, start, zones);
  const status = textOf('STATUS').toUpperCase();
  const url = textOf('URL');
  const stands_for = lines.find(({ name }) => name === 'RECURRENCE-ID');
  const is_cut = ![title, description, location].every(({ is_whole }) => is_whole);
  // What has no name of its own has one of what it says, so that it is known again.
  const named = textOf('UID') || ['SUMMARY', 'DTSTART', 'LOCATION'].map(textOf).join('\n');
  return {
    uid: toDigest(named),
    sequence: Number.parseInt(textOf('SEQUENCE'), 10) || 0,
    start,
    also: [],
    lasts,
    instead_of: stands_for ? readMoment(stands_for, zones) : null,
    block,
    doubts: [
      ...doubt('zone_unknown', start.unknown_zone !== null, start.unknown_zone ?? ''),
      ...doubt('end_ignored', is_ignored),
      ...doubt('not_closed', !block.is_closed),
      ...doubt('line_skipped', skipped.length > 0, skipped.join(', ')),
      ...doubt('text_cut', is_cut),
      ...doubt('call_cut', description.is_call),
      ...doubt('join_link', [description.text, location.text, url].some(hasJoinLink)),
      ...doubt('tentative', status === 'TENTATIVE'),
      ...doubt('private', /^(PRIVATE|CONFIDENTIAL)$/i.test(textOf('CLASS'))),
    ],
    facts: {
      title: title.text,
      description: description.text,
      location: location.text,
      url: /^https?:\/\/\S+$/i.test(url) && url.length <= SUBMISSION_LIMITS.url ? url : null,
      categories: textOf('CATEGORIES')
        .split(',')
        .slice(0, 8)
        .map((one) => toFeedLine(one, SUBMISSION_LIMITS.slug).text),
      is_cancelled: status === 'CANCELLED',
    },
  };
}

export const toDigest = (said: string): string => hash('sha256', said, 'base64url').slice(0, 24);

/** From DTEND or DURATION; an end that nobody understands, or before the beginning, is passed over. */
function readLength(
  { lines }: FeedBlock,
  start: FeedMoment,
  zones: FeedZones,
): { readonly lasts: Temporal.Duration | null; readonly is_ignored: boolean } {
  const ends = findLine(lines, 'DTEND');
  const length = valueIn(lines, 'DURATION');
  const end = ends && readMoment(ends, zones, start.zone ?? undefined);
  const seconds = end
    ? toLocal(start)
        .until(toLocal({ ...end, is_day: start.is_day }))
        .total('seconds')
    : readDuration(length);
  const is_said = ends !== undefined || length !== '';
  // Some programs say of a day without hours, or of an hour alone, that it ends when it begins.
  if (!is_said || seconds === 0) return { lasts: null, is_ignored: false };
  if (!Number.isFinite(seconds) || seconds < 0) return { lasts: null, is_ignored: true };
  return { lasts: Temporal.Duration.from({ seconds: Math.round(seconds) }), is_ignored: false };
}

function readDuration(text: string): number {
  try {
    return ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds();
  } catch {
    return Number.NaN;
  }
}
