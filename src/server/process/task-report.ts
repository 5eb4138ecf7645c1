// Task report: remembers which tasks beside the server failed last (backups, source fetching,
// erasure, email …), in a file, so that /statusz of every process on this machine shows them.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { formatTimestamp } from '../../domain/local-time.ts';
import { writeFileDurably } from '../../releases/durable-file.ts';

/** Tasks by the word with which /statusz names them. */
export const TASKS = [
  ...(['backup', 'compaction', 'erasure', 'mail'] as const),
  ...(['maintenance', 'sources', 'warm-up'] as const),
] as const;
export type Task = (typeof TASKS)[number];

const FailuresSchema = v.record(v.string(), v.object({ at: v.string(), reason: v.string() }));
type Failures = v.InferOutput<typeof FailuresSchema>;

/** `reason` is public: it contains no paths or addresses. Null after a success. */
export type ReportTask = (task: Task, reason: string | null) => void;

/** Creates the report of a process. @param file Shared by all processes of DATA_DIR. */
export function createTaskReport(file: string, clock: () => number) {
  /** Results that could not be saved, as on a full disk; null: the task succeeded. */
  const unsaved = new Map<string, Failures[string] | null>();
  const load = (): Failures => {
    try {
      return v.parse(FailuresSchema, JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return {};
    }
  };
  const list = (): Failures => {
    const merged = { ...load(), ...Object.fromEntries(unsaved) };
    return Object.fromEntries(
      Object.entries(merged).flatMap(([task, failure]) => (failure ? [[task, failure]] : [])),
    );
  };
  const report: ReportTask = (task, reason) => {
    if (reason === null && list()[task] === undefined) return;
    unsaved.set(task, reason === null ? null : { at: formatTimestamp(clock()), reason });
    try {
      writeFileDurably(file, JSON.stringify(list()));
      unsaved.clear();
    } catch {
      // This process reports it all the same.
    }
  };
  return {
    report,
    /** Forgets the failures of the previous primary process: its successor runs all tasks anew. */
    clear: (): void => {
      for (const task of TASKS) report(task, null);
    },
    /** Lists the failures as sentences for /statusz. */
    listProblems: (): readonly string[] =>
      Object.entries(list()).map(([task, { at, reason }]) => `${task}: failed at ${at}: ${reason}`),
  };
}
