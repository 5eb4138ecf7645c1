// A calendar that somebody brings in: what was read of it while they choose, what is asked for all of it at once
// and for each of its places, and what was sent of it under one reference (contract 14.34, 14.35).
import * as v from 'valibot';
import { parseDay, toCancunDay } from './cancun-time.ts';
import { isSentOnline } from './event/event.ts';
import type { Lang } from './lang.ts';
import type { FormField } from './submission/controls.ts';
import { toPrice } from './submission/form.ts';
import {
  issue,
  type KnownPlaces,
  readSubmission,
  type SubmissionIssue,
} from './submission/read-submission.ts';
import type { Submission } from './submission/submission.ts';
import type { SenderChange } from './change.ts';
import { FeedEventSchema, FeedFailureSchema } from './feed.ts';

/**
 * Calendars that somebody still chooses from: of one address, of all; how long each is kept. Places
 * that are asked for, each once.
 */
export const BATCH_LIMITS = {
  drafts_of_sender: 5,
  drafts: 200,
  draft_ms: 24 * 3_600_000,
  places: 60,
} as const;

/**
 * What an event of a calendar is to us: new; like one that is in the agenda or waits; sent with this
 * very calendar before, the same or changed; called off in its calendar.
 */
export const BATCH_STANDINGS = ['new', 'known', 'same', 'changed', 'cancelled'] as const;

const RowSchema = v.object({
  event: FeedEventSchema,
  standing: v.picklist(BATCH_STANDINGS),
  /** The event of the agenda that it is like; null where it only waits, or is new. */
  like: v.nullable(v.object({ id: v.string(), title: v.string() })),
  /** What was sent of it with this calendar before. */
  reference: v.nullable(v.string()),
  /** Which of the places. */
  place: v.number(),
});
export type BatchRow = Readonly<v.InferOutput<typeof RowSchema>>;

export const BatchDraftSchema = v.object({
  rows: v.array(RowSchema),
  failures: v.array(FeedFailureSchema),
  over: v.number(),
  /** As the calendar says them, each once; empty for none. */
  places: v.array(v.string()),
  /** Sent with this calendar before, not in it any more. */
  gone: v.array(v.string()),
});
export type BatchDraft = Readonly<v.InferOutput<typeof BatchDraftSchema>>;

export interface StoredBatch {
  readonly id: number;
  /** `HC-7K3M9Q`, once something of it was sent. */
  readonly reference: string | null;
  /** What the calendar calls itself; may be empty. */
  readonly name: string;
  /** Where it was fetched; null for a file. */
  readonly url: string | null;
  readonly lang: Lang;
  /** Timestamp of the reading or the sending. */
  readonly at: string;
  /** What somebody chooses from; null where nothing is being chosen. */
  readonly draft: BatchDraft | null;
  /** What stood in the controls when it was sent, for the next time. */
  readonly choices: Readonly<Record<string, string>>;
  /** What its token is made of; null of one from before that was stored. */
  readonly seed: string | null;
}

export interface BatchItem {
  readonly uid: string;
  /** Of what its calendar said when it was sent. */
  readonly digest: string;
  readonly stored: SenderChange;
}

/** Whether an event is ticked unless somebody says otherwise. */
export const isPicked = ({ standing, event }: BatchRow): boolean =>
  (standing === 'new' || standing === 'changed') &&
  !event.doubts.some(({ rule }) => rule === 'private');

/** Whether it can be ticked at all. */
export const isPickable = ({ standing, reference }: BatchRow): boolean =>
  standing === 'new' ||
  standing === 'known' ||
  standing === 'changed' ||
  (standing === 'cancelled' && reference !== null);

/** What the desk may change of an event in its row of a calendar; the rest on its own screen. */
export const ROW_FIELDS = [
  'category',
  'venue_name',
  'start_date',
  'start_time',
  'end_time',
  'end_date',
  'price_kind',
  'price_min',
  'price_max',
  'description',
] as const satisfies readonly FormField[];
/** What is added to it there. */
export const ROW_ADDITIONS = ['other_title', 'summary', 'other_summary'] as const;

export const toRowControl = (name: string, reference: string): string => `${name}_${reference}`;

/** The controls that stand there once for all events, in the order of the page. */
export const COMMON_CONTROLS = [
  'category',
  'price_kind',
  'price_min',
  'price_max',
  'price_note',
  'description',
  'organizer_name',
  'organizer_url',
  'contact_email',
] as const;
export const PLACE_CONTROLS = ['name', 'address', 'zone'] as const;
export type PlaceControl = (typeof PLACE_CONTROLS)[number];

export const toPlaceControl = (at: number, name: PlaceControl): string => `place_${at}_${name}`;
/** Of one event, where it differs from the rest. */
export const toCategoryControl = (at: number): string => `category_${at}`;
/** Ticked: the numbers of events, with commas. */
export const PICK_CONTROL = 'pick';

export type BatchChoices = Readonly<Record<string, string>>;

export const listPicked = (choices: BatchChoices): ReadonlySet<number> =>
  new Set((choices[PICK_CONTROL] ?? '').split(',').filter(Boolean).map(Number));

/** A submission needs as many characters. */
const MIN_DESCRIPTION = 20;

export interface RowReading {
  readonly submission: Submission | null;
  /** By control: one of the whole, of its place, or its own (`pick`). */
  readonly issues: readonly { readonly control: string; readonly issue: SubmissionIssue }[];
}

/** One event with what was chosen for it. Never throws. */
export function readBatchRow(
  row: BatchRow,
  at: number,
  choices: BatchChoices,
  lang: Lang,
  known: KnownPlaces,
  now_ms: number,
): RowReading {
  const { event } = row;
  const said = (name: string): string => (choices[name] ?? '').trim();
  const place = (name: PlaceControl): string => said(toPlaceControl(row.place, name));
  const venue = known.findVenueByName(place('name'), place('zone') || null);
  const of_price: SubmissionIssue[] = [];
  const own_text = event.description.length >= MIN_DESCRIPTION;
  const input = {
    lang,
    title: event.title,
    description: own_text
      ? event.description
      : [event.description, said('description')].filter(Boolean).join('\n\n'),
    category: said(toCategoryControl(at)) || said('category'),
    start: event.start,
    end: event.end ?? '',
    all_day: event.all_day ? '1' : '',
    dates: event.dates.join(','),
    ...(venue === null
      ? { venue_name: place('name'), venue_address: place('address'), zone: place('zone') }
      : { venue }),
    ...toPrice(choices, of_price),
    price_note: said('price_note'),
    organizer_name: said('organizer_name'),
    organizer_url: said('organizer_url'),
    source_url: event.url ?? '',
    contact_email: said('contact_email'),
  };
  const given = Object.fromEntries(Object.entries(input).filter(([, text]) => text !== ''));
  const reading = readSubmission(given, known, now_ms, hasBegun(row, now_ms));
  const issues = [
    ...reading.issues,
    ...of_price,
    ...(venue === null && place('name') !== '' && place('zone') === '' && !isSentOnline(input)
      ? [issue('zone', 'missing')]
      : []),
  ].map((found) => ({ control: toControl(found.field, row.place), issue: found }));
  return issues.length > 0 || reading.submission === null
    ? { submission: null, issues }
    : { submission: reading.submission, issues: [] };
}

/** What lasts for days may have begun before today, and is still on. */
function hasBegun({ event }: BatchRow, now_ms: number): boolean {
  const last = [event.end?.slice(0, 10) ?? '', event.start.slice(0, 10), ...event.dates]
    .sort()
    .at(-1);
  return parseDay(last ?? '') !== null && (last ?? '') >= toCancunDay(now_ms).toString();
}

function toControl(field: string, place: number): string {
  if (field === 'venue' || field === 'venue_name') return toPlaceControl(place, 'name');
  if (field === 'venue_address') return toPlaceControl(place, 'address');
  if (field === 'zone') return toPlaceControl(place, 'zone');
  if (field === 'free') return 'price_kind';
  return COMMON_CONTROLS.find((known) => known === field) ?? PICK_CONTROL;
}
