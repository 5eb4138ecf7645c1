// How builds went: the last that serves or served, and the last that failed. Read by the schedule,
// /healthz and the desk.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { PublishedContentIssue } from '../domain/health.ts';
import { ContentError } from '../yaml.ts';
import { writeFileDurably } from './durable-file.ts';
import { type DataLayout, PROJECT_DIR } from './snapshots.ts';

/** Most faults that are remembered; a build says all of them. */
const MAX_FAULTS = 100;

/** Not in records of older versions. */
const FaultsSchema = v.optional(
  v.array(
    v.object({
      file: v.string(),
      line: v.nullable(v.number()),
      field: v.string(),
      message: v.string(),
      is_left_out: v.boolean(),
    }),
  ),
);
const SuccessSchema = v.object({
  release: v.string(),
  /** When its sources were read, with offset. */
  generated_at: v.string(),
  summary: v.string(),
  /** The same in numbers, with how long it took; not in records of older versions. */
  changes: v.optional(
    v.object({
      read: v.number(),
      new: v.number(),
      changed: v.number(),
      cancelled: v.number(),
      gone: v.number(),
      duration_s: v.number(),
    }),
  ),
  /** What of content could not be taken as it stands. */
  faults: FaultsSchema,
});
const LastBuildSchema = v.object({
  success: v.nullable(SuccessSchema),
  /** When it began, its first line, and what of content stopped it. */
  failure: v.nullable(v.object({ at: v.string(), reason: v.string(), faults: FaultsSchema })),
});

export type LastBuild = v.InferOutput<typeof LastBuildSchema>;

export function loadLastBuild(layout: DataLayout): LastBuild {
  try {
    return v.parse(LastBuildSchema, JSON.parse(readFileSync(layout.last_build_file, 'utf8')));
  } catch {
    return { success: null, failure: null };
  }
}

/** Remembers a release that serves. The failure before it is forgotten: nothing is wrong any more. */
export const recordBuildSuccess = (
  layout: DataLayout,
  success: NonNullable<LastBuild['success']>,
): void =>
  write(layout, {
    success: { ...success, faults: success.faults?.slice(0, MAX_FAULTS) },
    failure: null,
  });

/** Remembers why a build failed. Never throws: on a full disk the log must do. */
export function recordBuildFailure(layout: DataLayout, at: string, thrown: unknown): void {
  const issues = thrown instanceof ContentError ? thrown.issues : undefined;
  const faults = issues
    ?.slice(0, MAX_FAULTS)
    .map(({ file, line, field, message }) => ({ file, line, field, message, is_left_out: false }));
  try {
    const reason = formatPublicReason(layout, thrown);
    write(layout, { ...loadLastBuild(layout), failure: { at, reason, faults } });
  } catch {
    // The caller has a failure to report already.
  }
}

export const listPublishedContentIssues = ({
  success,
  failure,
}: LastBuild): readonly PublishedContentIssue[] => failure?.faults ?? success?.faults ?? [];

const write = (layout: DataLayout, last: LastBuild): void =>
  writeFileDurably(layout.last_build_file, `${JSON.stringify(last, null, 2)}\n`);

/** Why something failed, as anyone may read it: one line, no paths of this machine. */
export function formatPublicReason(layout: DataLayout, thrown: unknown): string {
  const [first = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1);
  return first
    .replaceAll('file://', '')
    .replaceAll(layout.data_dir, 'DATA_DIR')
    .replaceAll(PROJECT_DIR, '')
    .slice(0, 300);
}
