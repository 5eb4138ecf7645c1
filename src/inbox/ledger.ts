// Ledger storage: loads and saves the data of records that outlives every release: revisions (digest, modification time
// and sequence number), all published slugs, and histories (when a record was added, changed or removed).
import * as v from 'valibot';
import { HistorySchema } from '../domain/record-history.ts';
import { EMPTY_LEDGER, type Ledger, type PublishedSlug } from '../domain/ledger.ts';
import type { Inbox } from './open.ts';

/** Rows per statement: both databases limit the number of bound values. */
const MAX_ROWS = 500;
/** Splits rows into parts that fit into one statement. */
export const chunk = <T>(rows: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, index) =>
    rows.slice(index * MAX_ROWS, (index + 1) * MAX_ROWS),
  );

/** Row of `histories`: `record` is the history as JSON. */
const HistoryRow = v.object({ record: v.pipe(v.string(), v.parseJson(), HistorySchema) });

export async function loadLedger(inbox: Inbox): Promise<Ledger> {
  const revisions = await inbox.db.selectFrom('revisions').selectAll().execute();
  const histories = await inbox.db.selectFrom('histories').select(['id', 'record']).execute();
  return {
    revisions: new Map(revisions.map(({ id, ...revision }) => [id, revision])),
    slugs: await loadSlugs(inbox),
    histories: new Map(
      // One invalid history fails the whole load: a skipped one would start over.
      v.parse(v.array(HistoryRow), histories).map(({ record }) => [record.id, record]),
    ),
  };
}

/** Loads all slugs ever published, with the ids of their records. */
export const loadSlugs = (inbox: Inbox): Promise<Ledger['slugs']> =>
  inbox.db.selectFrom('slugs').select(['kind', 'slug', 'id']).execute();

/**
 * Saves the changed entries of a ledger in one transaction.
 * @param previous Ledger loaded before; entries equal to its entries are not written.
 */
export const saveLedger = (inbox: Inbox, ledger: Ledger, previous: Ledger = EMPTY_LEDGER) =>
  inbox.transaction(async () => {
    const revisions = [...ledger.revisions]
      .filter(([id, { digest }]) => previous.revisions.get(id)?.digest !== digest)
      .map(([id, revision]) => ({ id, ...revision }));
    const histories = [...ledger.histories.values()]
      .filter((history) => previous.histories.get(history.id) !== history)
      .map((history) => {
        const { id, digest, changed_at } = history;
        return { id, digest, changed_at, record: JSON.stringify(history) };
      });
    const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    for (const part of chunk(revisions)) {
      await inbox.db.deleteFrom('revisions').where('id', 'in', idsOf(part)).execute();
      await inbox.db.insertInto('revisions').values(part).execute();
    }
    for (const part of chunk(histories)) {
      await inbox.db.deleteFrom('histories').where('id', 'in', idsOf(part)).execute();
      await inbox.db.insertInto('histories').values(part).execute();
    }
    const slugKey = ({ kind, slug }: Omit<PublishedSlug, 'id'>): string => `${kind} ${slug}`;
    const previous_owners = new Map(previous.slugs.map((entry) => [slugKey(entry), entry.id]));
    const slugs = ledger.slugs.filter((entry) => !previous_owners.has(slugKey(entry)));
    for (const part of chunk(slugs))
      await inbox.db
        .insertInto('slugs')
        .values(part.map(({ kind, slug, id }) => ({ kind, slug, id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    // Only an id moves to the record that it was merged into, and back. The slugs of a merged record
    // stay with its id, and return with it.
    const previous_ids = new Set(previous_owners.values());
    for (const { kind, slug, id } of ledger.slugs) {
      const owner = previous_owners.get(slugKey({ kind, slug }));
      if (owner === undefined || owner === id || !previous_ids.has(slug)) continue;
      const update = inbox.db.updateTable('slugs').set({ id });
      await update.where('kind', '=', kind).where('slug', '=', slug).execute();
    }
  });

/** Tells if an id was ever in a release, because slugs are never deleted. */
export const wasReleased = async (inbox: Inbox, id: string): Promise<boolean> => {
  const slugs = inbox.db.selectFrom('slugs').select('id').where('id', '=', id);
  return (await slugs.limit(1).executeTakeFirst()) !== undefined;
};

/** Tells if a notice was ever in a release. Each of its days has a revision `ID-DAY`; `.` follows `-` in ASCII. */
export const wasNoticeReleased = async (inbox: Inbox, id: string): Promise<boolean> => {
  const revisions = inbox.db.selectFrom('revisions').select('id').where('id', '>=', `${id}-`);
  return (await revisions.where('id', '<', `${id}.`).limit(1).executeTakeFirst()) !== undefined;
};
