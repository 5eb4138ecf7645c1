// The ledger: revisions, slugs and histories that outlive every release.
import * as v from 'valibot';
import { type Histories, HistorySchema } from '../domain/history.ts';
import { EMPTY_LEDGER, type Ledger } from '../domain/ledger.ts';
import type { Inbox } from './open.ts';

/** Rows in parts that one statement takes: neither store takes any number of values in one. */
export const inParts = <T>(rows: readonly T[], size = 500): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  );

/** All that is remembered. */
export async function readLedger(inbox: Inbox): Promise<Ledger> {
  const revisions = await inbox.db.selectFrom('revisions').selectAll().execute();
  const histories = await inbox.db.selectFrom('histories').select('record').execute();
  return {
    revisions: new Map(revisions.map(({ id, ...revision }) => [id, revision])),
    slugs: await readSlugs(inbox),
    histories: new Map(
      histories.map(({ record }) => {
        const history = v.parse(HistorySchema, JSON.parse(record));
        return [history.id, history];
      }),
    ),
  };
}

/** Every address that was ever given, and whose it is. */
export const readSlugs = (inbox: Inbox): Promise<Ledger['slugs']> =>
  inbox.db.selectFrom('slugs').select(['kind', 'slug', 'id']).execute();

/** In one transaction, and only what changed: what is as `known`, which was read here, is not compared. */
export const writeLedger = (inbox: Inbox, ledger: Ledger, known: Ledger = EMPTY_LEDGER) =>
  inbox.transaction(async () => {
    const revisions = [...ledger.revisions]
      .filter(([id, { digest }]) => known.revisions.get(id)?.digest !== digest)
      .map(([id, { digest, updated_at, sequence, status, status_since_ms }]) => {
        return { id, digest, updated_at, sequence, status, status_since_ms };
      });
    for (const part of inParts(revisions))
      await inbox.db
        .insertInto('revisions')
        .values(part)
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((row) => ({
              digest: row.ref('excluded.digest'),
              updated_at: row.ref('excluded.updated_at'),
              sequence: row.ref('excluded.sequence'),
              status: row.ref('excluded.status'),
              status_since_ms: row.ref('excluded.status_since_ms'),
            }))
            .where((is) => is('revisions.digest', '<>', is.ref('excluded.digest'))),
        )
        .execute();
    const known_slugs = new Set(known.slugs.map(toSlugText));
    const slugs = ledger.slugs.filter((slug) => !known_slugs.has(toSlugText(slug)));
    for (const part of inParts(slugs))
      await inbox.db
        .insertInto('slugs')
        .values(part.map(({ kind, slug, id }) => ({ kind, slug, id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await writeHistories(inbox, ledger.histories, known.histories);
  });

const toSlugText = ({ kind, slug }: Ledger['slugs'][number]): string => `${kind} ${slug}`;

async function writeHistories(inbox: Inbox, histories: Histories, known: Histories): Promise<void> {
  const rows = [...histories.values()]
    .filter((history) => known.get(history.id) !== history)
    .map((history) => {
      const { id, digest, changed_at } = history;
      return { id, digest, changed_at, record: JSON.stringify(history) };
    });
  for (const part of inParts(rows)) {
    const ids = part.map(({ id }) => id);
    await inbox.db.deleteFrom('histories').where('id', 'in', ids).execute();
    await inbox.db.insertInto('histories').values(part).execute();
  }
}

/** Whether an id was in a release: its slugs are remembered permanently. */
export const isReleased = async (inbox: Inbox, id: string): Promise<boolean> => {
  const slugs = inbox.db.selectFrom('slugs').select('id').where('id', '=', id);
  return (await slugs.limit(1).executeTakeFirst()) !== undefined;
};

/** Whether a notice of this id was in a release: each of its days was, under the id with the day. */
export const isNoticeReleased = async (inbox: Inbox, id: string): Promise<boolean> => {
  const revisions = inbox.db.selectFrom('revisions').select('id').where('id', '>=', `${id}-`);
  return (await revisions.where('id', '<', `${id}.`).limit(1).executeTakeFirst()) !== undefined;
};
