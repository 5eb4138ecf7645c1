// How every event stands: what a release compares with the one before it.
import * as v from 'valibot';
import type { Snapshot } from './open.ts';

const StandingSchema = v.object({
  id: v.string(),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  updated_at: v.string(),
});

export type Standing = v.InferOutput<typeof StandingSchema>;

/** Every event by id, past ones too. */
export function listStandings(snapshot: Snapshot): ReadonlyMap<string, Standing> {
  const rows = v.parse(
    v.array(StandingSchema),
    snapshot.db.prepare('select id, status, updated_at from events').all(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
