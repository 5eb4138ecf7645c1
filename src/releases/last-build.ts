// Last build: stores the last success and failure of a build for the schedule, /healthz and desk.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { PublishedContentIssue } from '../domain/health.ts';
import { ContentError } from '../yaml.ts';
import { writeFileDurably } from './durable-file.ts';
import { type DataLayout, PROJECT_DIR } from './snapshots.ts';

/** Content issues that are stored; the build log lists all. */
const MAX_ISSUES = 100;

/** Content issues, stored as `faults`. Missing in files of older versions. */
const IssuesSchema = v.optional(
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
  /** Timestamp at which its sources were read. */
  generated_at: v.string(),
  summary: v.string(),
  /** Numbers of the summary, with the duration. Missing in files of older versions. */
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
  /** Issues of content files that did not stop the build. */
  faults: IssuesSchema,
});
const LastBuildSchema = v.object({
  success: v.nullable(SuccessSchema),
  /** Start of the build, first line of the error, and the content issues that stopped it. */
  failure: v.nullable(v.object({ at: v.string(), reason: v.string(), faults: IssuesSchema })),
});

export type LastBuild = v.InferOutput<typeof LastBuildSchema>;

/** Loads the last build; without success and failure if the file is missing or damaged. */
export function loadLastBuild(layout: DataLayout): LastBuild {
  try {
    return v.parse(LastBuildSchema, JSON.parse(readFileSync(layout.last_build_file, 'utf8')));
  } catch {
    return { success: null, failure: null };
  }
}

/** Records a live release, and removes the previous failure. */
export const recordBuildSuccess = (
  layout: DataLayout,
  success: NonNullable<LastBuild['success']>,
): void =>
  saveLastBuild(layout, {
    success: { ...success, faults: success.faults?.slice(0, MAX_ISSUES) },
    failure: null,
  });

/** Records why a build failed. Never throws, because the caller reports the failure itself. */
export function recordBuildFailure(layout: DataLayout, at: string, thrown: unknown): void {
  const issues = thrown instanceof ContentError ? thrown.issues : undefined;
  const faults = issues
    ?.slice(0, MAX_ISSUES)
    .map(({ file, line, field, message }) => ({ file, line, field, message, is_left_out: false }));
  try {
    const reason = formatPublicReason(layout, thrown);
    saveLastBuild(layout, { ...loadLastBuild(layout), failure: { at, reason, faults } });
  } catch {
    // A full disk, for example.
  }
}

/** Lists the content issues of the last build, failed or not. */
export const listPublishedContentIssues = ({
  success,
  failure,
}: LastBuild): readonly PublishedContentIssue[] => failure?.faults ?? success?.faults ?? [];

const saveLastBuild = (layout: DataLayout, last_build: LastBuild): void =>
  writeFileDurably(layout.last_build_file, `${JSON.stringify(last_build, null, 2)}\n`);

/** Formats an error for public output: its first line, without paths of this machine. */
export function formatPublicReason(layout: DataLayout, thrown: unknown): string {
  const [first_line = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split(
    '\n',
    1,
  );
  return first_line
    .replaceAll('file://', '')
    .replaceAll(layout.data_dir, 'DATA_DIR')
    .replaceAll(PROJECT_DIR, '')
    .slice(0, 300);
}
