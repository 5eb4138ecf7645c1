// One event block of a calendar file, understood as far as it goes, or why it is no event.
import { hash } from 'node:crypto';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import type { FeedDoubt, FeedEvent, FeedFailure } from '../../domain/batch/feed-event.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/rules.ts';
import type { FeedBlock, FeedLine } from './feed-blocks.ts';
import { type FeedMoment, type FeedZones, toLocal, toMoment } from './feed-moment.ts';
import type { DayBudget } from './feed-rule.ts';
import { hasJoinLink, toFeedLine, toFeedText } from './feed-text.ts';

/** Characters of what is shown of a line that nobody understands. */
const MAX_SHOWN = 80;

/** What every event of a file is read with. */
export interface FeedSetting {
  readonly zones: FeedZones;
  /** The local moment at which it is read. */
  readonly now: Temporal.PlainDateTime;
  readonly budget: DayBudget;
}

/** One event block, understood as far as it goes. */
export interface FeedEntry {
  readonly uid: string;
  readonly sequence: number;
  readonly line: number;
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

/** The value of the first property of a name that has one; empty where there is none. */
export const valueIn = (lines: readonly FeedLine[], name: string): string =>
  lines.find((line) => line.name === name && line.value !== '')?.value ?? '';

const shown = (text: string): string => toFeedLine(text, MAX_SHOWN).text;

/** Why a block gives no event. */
export const fail = (
  rule: FeedFailure['rule'],
  { line, lines }: FeedBlock,
  text = '',
): FeedFailure => ({
  rule,
  line,
  title: toFeedLine(valueIn(lines, 'SUMMARY'), SUBMISSION_LIMITS.title).text,
  text: shown(text),
});

/** Reads a block. Gives what is wrong with it where it is no event with a name and a beginning. */
export function readEntry(block: FeedBlock, { zones }: FeedSetting): FeedEntry | FeedFailure {
  const { lines } = block;
  const title = toFeedLine(valueIn(lines, 'SUMMARY'), SUBMISSION_LIMITS.title);
  const begins = lines.find(({ name, value }) => name === 'DTSTART' && value !== '');
  if (begins === undefined) return fail('no_start', block);
  const start = toMoment(begins.value, begins.params.get('TZID'), zones);
  if (start === null) return fail('bad_start', block, begins.value);
  if (!/[\p{L}\p{N}]/u.test(title.text)) return fail('no_title', block);
  const description = toFeedText(valueIn(lines, 'DESCRIPTION'), SUBMISSION_LIMITS.description);
  const location = toFeedLine(valueIn(lines, 'LOCATION'), SUBMISSION_LIMITS.line);
  const { lasts, is_ignored } = readLength(block, start, zones);
  const status = valueIn(lines, 'STATUS').toUpperCase();
  const url = valueIn(lines, 'URL');
  const stand = lines.find(({ name }) => name === 'RECURRENCE-ID');
  const doubts: FeedDoubt[] = [
    ...(start.unknown_zone === null ? [] : [doubt('zone_unknown', start.unknown_zone)]),
    ...(is_ignored ? [doubt('end_ignored')] : []),
    ...(block.is_closed ? [] : [doubt('not_closed')]),
    ...(block.skipped.length === 0 ? [] : [doubt('line_skipped', block.skipped.join(', '))]),
    ...(title.is_whole && description.is_whole && location.is_whole ? [] : [doubt('text_cut')]),
    ...(description.is_call ? [doubt('call_cut')] : []),
    ...([description.text, location.text, url].some(hasJoinLink) ? [doubt('join_link')] : []),
    ...(status === 'TENTATIVE' ? [doubt('tentative')] : []),
    ...(/^(PRIVATE|CONFIDENTIAL)$/i.test(valueIn(lines, 'CLASS')) ? [doubt('private')] : []),
  ];
  return {
    uid: toUid(lines),
    sequence: Number.parseInt(valueIn(lines, 'SEQUENCE'), 10) || 0,
    line: block.line,
    start,
    also: [],
    lasts,
    instead_of: stand === undefined ? null : toMoment(stand.value, stand.params.get('TZID'), zones),
    block,
    doubts,
    facts: {
      title: title.text,
      description: description.text,
      location: location.text,
      url: /^https?:\/\/\S+$/i.test(url) && url.length <= SUBMISSION_LIMITS.url ? url : null,
      categories: valueIn(lines, 'CATEGORIES')
        .split(',')
        .slice(0, 8)
        .map((one) => toFeedLine(one, SUBMISSION_LIMITS.slug).text),
      is_cancelled: status === 'CANCELLED',
    },
  };
}

/** A doubt, with as much of the line as is shown. */
export const doubt = (rule: FeedDoubt['rule'], text = ''): FeedDoubt => ({
  rule,
  text: shown(text),
});

/** What has no name of its own has one of what it says, so that it is known again. */
function toUid(lines: readonly FeedLine[]): string {
  const own = valueIn(lines, 'UID');
  const said =
    own === '' ? ['SUMMARY', 'DTSTART', 'LOCATION'].map((n) => valueIn(lines, n)) : [own];
  return toDigest(said.join('\n'));
}
export const toDigest = (said: string): string => hash('sha256', said, 'base64url').slice(0, 24);

/** From DTEND or DURATION; an end that nobody understands, or before the beginning, is passed over. */
function readLength(
  { lines }: FeedBlock,
  start: FeedMoment,
  zones: FeedZones,
): { readonly lasts: Temporal.Duration | null; readonly is_ignored: boolean } {
  const ends = lines.find(({ name, value }) => name === 'DTEND' && value !== '');
  const length = valueIn(lines, 'DURATION');
  if (ends === undefined && length === '') return { lasts: null, is_ignored: false };
  const end = ends && toMoment(ends.value, ends.params.get('TZID') ?? zoneOf(start), zones);
  const seconds = end
    ? toLocal(start)
        .until(toLocal({ ...end, is_day: start.is_day }))
        .total('seconds')
    : readDuration(length);
  // Some programs say of a day without hours, or of an hour alone, that it ends when it begins.
  if (seconds === 0) return { lasts: null, is_ignored: false };
  const is_sound = Number.isFinite(seconds) && seconds > 0;
  return {
    lasts: is_sound ? Temporal.Duration.from({ seconds: Math.round(seconds) }) : null,
    is_ignored: !is_sound,
  };
}

const zoneOf = ({ zone, is_day }: FeedMoment): string | undefined =>
  is_day || zone === null ? undefined : zone;

function readDuration(text: string): number {
  try {
    return ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds();
  } catch {
    return Number.NaN;
  }
}
