// A calendar that somebody brings in: what was read of it while they choose, and what was sent of it,
// which stands under one reference (contract 14.34, 14.35).
import * as v from 'valibot';
import type { Lang } from '../lang.ts';
import type { FormField } from '../submission/controls.ts';
import type { StoredSubmission } from '../submission/submission.ts';
import { FeedEventSchema, FeedFailureSchema } from './feed-event.ts';

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
  readonly stored: StoredSubmission;
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
export type RowAddition = (typeof ROW_ADDITIONS)[number];

export const toRowControl = (name: string, reference: string): string => `${name}_${reference}`;
