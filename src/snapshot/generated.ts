// When what a snapshot says was put together. It stands in the snapshot; where nothing has changed since
// the release before, the same snapshot serves again and a small file beside it has the new time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { formatTimestamp } from '../domain/cancun-time.ts';

const GeneratedSchema = v.object({
  /** Timestamp with offset. */
  generated_at: v.string(),
  /** The same, epoch ms. */
  generated_ms: v.number(),
});
export type Generated = v.InferOutput<typeof GeneratedSchema>;

/** An instant, to the second. */
export function toGenerated(now_ms: number): Generated {
  const generated_ms = Math.floor(now_ms / 1000) * 1000;
  return { generated_at: formatTimestamp(generated_ms), generated_ms };
}

const toFile = (snapshot: string): string => join(dirname(snapshot), 'generated.json');

/** Says of the snapshot at a path that it is of an instant, whatever stands in it. */
export function writeGenerated(snapshot: string, now_ms: number): void {
  writeFileSync(toFile(snapshot), JSON.stringify(toGenerated(now_ms)));
}

/** What is said of the snapshot at a path; null where it speaks for itself. */
export function readGenerated(snapshot: string): Generated | null {
  const file = toFile(snapshot);
  return existsSync(file) ? v.parse(GeneratedSchema, JSON.parse(readFileSync(file, 'utf8'))) : null;
}
