// What a build and the threads that render its pages say to each other.
import * as v from 'valibot';
import { TouchedSchema } from '../snapshot/find-touched.ts';
import type { FileEntry } from './manifest.ts';

/** What a thread is begun with, before there is a snapshot. */
export const ThreadSettingsSchema = v.object({
  /** The bundle's module. */
  entry: v.string(),
  /** Where the files go, and where those of the release before lie. */
  store_dir: v.string(),
});
export type ThreadSettings = v.InferOutput<typeof ThreadSettingsSchema>;

/** What pages are made from. */
const OpenedSchema = v.object({
  /** The path of the snapshot. */
  snapshot: v.string(),
  /** The instant at which every page is rendered, epoch ms. */
  now_ms: v.number(),
});
export type Opened = v.InferOutput<typeof OpenedSchema>;

/** What is known of the release before once there is a snapshot. */
const ComparisonSchema = v.object({
  /** Whether it has the same snapshot, made with the same code. */
  is_same: v.boolean(),
  /** Of what that one says otherwise; null where it may be of anything. */
  touched: v.nullable(TouchedSchema),
  /** The categories and zones that had something ahead when it was made. */
  ways_before: v.string(),
});
export type Comparison = v.InferOutput<typeof ComparisonSchema>;

/** A page to be made, and what the release before had in its place. */
export interface Task {
  readonly path: string;
  readonly earlier: FileEntry | null;
  /** The digest of what that was made of; null where nothing but its bytes can tell. */
  readonly made_of: string | null;
}

/** Thousands in a message, by the same code on both sides: that it is a list is all that is looked at. */
const listOf = <T>() => v.custom<readonly T[]>(Array.isArray);

/**
 * What a thread is asked: which files of a list are whole; to open a snapshot; for the list of all paths; to
 * know what the release before had; for pages; to try some, of which nothing is kept; to end.
 */
export const QuestionSchema = v.variant('kind', [
  v.object({ kind: v.literal('look'), manifest: v.string() }),
  v.object({ kind: v.literal('open'), from: OpenedSchema }),
  v.object({ kind: v.literal('compare'), comparison: ComparisonSchema }),
  v.object({ kind: v.literal('list') }),
  v.object({ kind: v.literal('make'), tasks: listOf<Task>() }),
  v.object({ kind: v.literal('try'), paths: v.array(v.string()) }),
  v.object({ kind: v.literal('end') }),
]);
export type Question = v.InferOutput<typeof QuestionSchema>;

/** Of a page: it is as its task has it. Most are, and whoever asked knows the rest. */
export const AS_BEFORE = 'as_before';

/** A page that is there now. */
export interface Made {
  readonly entry: FileEntry;
  readonly made_of: string | null;
  /** The events that it names; null where it may say something of all of them. */
  readonly events: typeof AS_BEFORE | readonly string[] | null;
  /** Whether its bytes are others than they were. */
  readonly is_new: boolean;
}

/**
 * A thread's answer: the files that are there and not cut; that it is open; all paths, with the categories and zones
 * that have something ahead; what it made.
 */
export const AnswerSchema = v.variant('kind', [
  v.object({ kind: v.literal('look'), whole: listOf<FileEntry>() }),
  v.object({ kind: v.literal('open') }),
  v.object({ kind: v.literal('compare') }),
  v.object({ kind: v.literal('list'), paths: v.array(v.string()), ways_in: v.string() }),
  v.object({ kind: v.literal('make'), made: listOf<Made | typeof AS_BEFORE>() }),
  v.object({ kind: v.literal('try') }),
  v.object({ kind: v.literal('end') }),
  v.object({ kind: v.literal('failed'), message: v.string() }),
]);
export type Answer = v.InferOutput<typeof AnswerSchema>;
/** The answer to a question of one kind. */
export type AnswerTo<K extends Question['kind']> = Extract<Answer, { readonly kind: K }>;
