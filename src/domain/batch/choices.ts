// What is asked for a whole calendar at once, and once for each of its places; and with it each event
// as a submission, with what is missing (contract 14.34).
import { parseDay, toCancunDay } from '../cancun-time.ts';
import { isSentOnline } from '../event/event.ts';
import type { Lang } from '../lang.ts';
import { toPrice } from '../submission/form.ts';
import {
  issue,
  type KnownPlaces,
  readSubmission,
  type SubmissionIssue,
} from '../submission/read-submission.ts';
import type { Submission } from '../submission/submission.ts';
import type { BatchRow } from './batch.ts';

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
export type CommonControl = (typeof COMMON_CONTROLS)[number];
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
