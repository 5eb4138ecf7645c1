// What became of each thing that was ever published, as a release left it.
import * as v from 'valibot';
import { type Histories, HistorySchema } from '../domain/history.ts';
import type { Inbox } from './open.ts';

/** All of them. */
export function readHistories(inbox: Inbox): Histories {
  const rows = inbox.prepare('select record from histories').pluck().all();
  return new Map(
    rows.map((row) => {
      const history = v.parse(HistorySchema, JSON.parse(v.parse(v.string(), row)));
      return [history.id, history];
    }),
  );
}

/** Writes those that changed, and are not as known, inside the transaction of the caller. */
export function writeHistories(inbox: Inbox, histories: Histories, known: Histories): void {
  const write = inbox.prepare(`
    insert into histories values (?, ?, ?, ?)
    on conflict (id) do update set digest = excluded.digest, changed_at = excluded.changed_at, record = excluded.record
    where digest <> excluded.digest or changed_at <> excluded.changed_at`);
  for (const [id, history] of histories)
    if (known.get(id) !== history)
      write.run(id, history.digest, history.changed_at, JSON.stringify(history));
}
