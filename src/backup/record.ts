// data/last-backup.json: when the last backup was made and when one was last tried, for /metrics, the
// doctor and the schedule.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeDurably } from '../releases/durable-file.ts';

const RecordSchema = v.object({
  made_ms: v.nullable(v.number()),
  /** When the drill last proved one. */
  tried_ms: v.nullable(v.number()),
});
/** Epoch ms; null for never. */
export type BackupRecord = v.InferOutput<typeof RecordSchema>;

const toPath = (data_dir: string): string => join(data_dir, 'last-backup.json');

/** Never in both where there is no record, or it cannot be read. */
export function readBackupRecord(data_dir: string): BackupRecord {
  try {
    return v.parse(RecordSchema, JSON.parse(readFileSync(toPath(data_dir), 'utf8')));
  } catch {
    return { made_ms: null, tried_ms: null };
  }
}

/** Remembers one of both. */
export function noteBackup(data_dir: string, changed: Partial<BackupRecord>): void {
  const record = { ...readBackupRecord(data_dir), ...changed };
  writeDurably(toPath(data_dir), `${JSON.stringify(record)}\n`);
}
