// All rows of an inbox into another: from PostgreSQL to the files of a backup, and back.
import { sql } from 'kysely';
import { inParts } from './in-parts.ts';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

/** In the order in which one needs the other. Nobody comes in by a copy: it has no sessions. */
const COPIED = [
  'revisions',
  'slugs',
  'histories',
  'secrets',
  'api_keys',
  'changes',
  'decisions',
  'batches',
  'submission_senders',
  'letters',
  'mail_stops',
  'login_attempts',
  'user',
  'account',
  'twoFactor',
] as const satisfies readonly (keyof Tables)[];
/** Those whose ids are counted. */
const COUNTED = ['changes', 'decisions', 'batches', 'letters', 'login_attempts'];

/** In one transaction on either side, in place of all that was there. */
export const copyInbox = (from: Inbox, to: Inbox): Promise<void> =>
  from.read(() =>
    to.transaction(async () => {
      for (const table of ['session', 'verification', 'uploads', ...COPIED.toReversed()] as const)
        await to.db.deleteFrom(table).execute();
      for (const table of COPIED) {
        const rows = await from.db.selectFrom(table).selectAll().execute();
        for (const part of inParts(rows)) await to.db.insertInto(table).values(part).execute();
      }
      // One by one: together they may be larger than memory.
      for (const { id } of await from.db.selectFrom('uploads').select('id').execute()) {
        const pictures = from.db.selectFrom('uploads').selectAll().where('id', '=', id);
        await to.db
          .insertInto('uploads')
          .values(await pictures.execute())
          .execute();
      }
      if (to.kind === 'postgres')
        for (const table of COUNTED)
          await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
            from ${sql.table(table)}`.execute(to.db);
    }),
  );

/** Whether anybody else is connected to the database of an inbox in PostgreSQL. */
export async function isShared(inbox: Inbox): Promise<boolean> {
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`.execute(inbox.db);
  return (rows[0]?.others ?? 0) > 0;
}
