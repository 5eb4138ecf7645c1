// What became of each thing that was ever published, as a release left it.
import * as v from 'valibot';
import { type Histories, HistorySchema } from '../domain/history.ts';
import { inParts } from './in-parts.ts';
import type { Inbox } from './open.ts';

/** All of them. */
export async function readHistories(inbox: Inbox): Promise<Histories> {
  const rows = await inbox.db.selectFrom('histories').select('record').execute();
  return new Map(
    rows.map(({ record }) => {
      const history = v.parse(HistorySchema, JSON.parse(record));
      return [history.id, history];
    }),
  );
}

/** Writes those that changed, and are not as known, inside the transaction of the caller. */
export async function writeHistories(
  inbox: Inbox,
  histories: Histories,
  known: Histories,
): Promise<void> {
  const changed = [...histories.values()].filter((history) => known.get(history.id) !== history);
  const rows = changed.map((history) => {
    const { id, digest, changed_at } = history;
    return { id, digest, changed_at, record: JSON.stringify(history) };
  });
  for (const part of inParts(rows))
    await inbox.db
      .insertInto('histories')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          digest: row.ref('excluded.digest'),
          changed_at: row.ref('excluded.changed_at'),
          record: row.ref('excluded.record'),
        })),
      )
      .execute();
}
