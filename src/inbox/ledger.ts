// The ledger: revisions, slugs and histories that outlive every release.
import * as v from 'valibot';
import { HistorySchema } from '../domain/record-history.ts';
import { EMPTY_LEDGER, type Ledger, type PublishedSlug } from '../domain/ledger.ts';
import type { Inbox } from './open.ts';

/** Neither store takes any number of values in one statement. */
const MOST_ROWS = 500;
export const chunk = <T>(rows: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, at) =>
    rows.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS),
  );

const HistoryRow = v.object({ record: v.pipe(v.string(), v.parseJson(), HistorySchema) });

export async function loadLedger(inbox: Inbox): Promise<Ledger> {
  const revisions = await inbox.db.selectFrom('revisions').selectAll().execute();
  const histories = await inbox.db.selectFrom('histories').select(['id', 'record']).execute();
  return {
    revisions: new Map(revisions.map(({ id, ...revision }) => [id, revision])),
    slugs: await loadSlugs(inbox),
    histories: new Map(
      // A history that is left out would begin anew.
      v.parse(v.array(HistoryRow), histories).map(({ record }) => [record.id, record]),
    ),
  };
}

/** Every address that was ever given, and whose it is. */
export const loadSlugs = (inbox: Inbox): Promise<Ledger['slugs']> =>
  inbox.db.selectFrom('slugs').select(['kind', 'slug', 'id']).execute();

/** In one transaction, and only what changed: what is as `known`, which was read here, is not compared. */
export const saveLedger = (inbox: Inbox, ledger: Ledger, known: Ledger = EMPTY_LEDGER) =>
  inbox.transaction(async () => {
    const revisions = [...ledger.revisions]
      .filter(([id, { digest }]) => known.revisions.get(id)?.digest !== digest)
      .map(([id, { former_digest: _, ...revision }]) => ({ id, ...revision }));
    const histories = [...ledger.histories.values()]
      .filter((history) => known.histories.get(history.id) !== history)
      .map((history) => {
        const { id, digest, changed_at } = history;
        return { id, digest, changed_at, record: JSON.stringify(history) };
      });
    const toIds = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    for (const part of chunk(revisions)) {
      await inbox.db.deleteFrom('revisions').where('id', 'in', toIds(part)).execute();
      await inbox.db.insertInto('revisions').values(part).execute();
    }
    for (const part of chunk(histories)) {
      await inbox.db.deleteFrom('histories').where('id', 'in', toIds(part)).execute();
      await inbox.db.insertInto('histories').values(part).execute();
    }
    const toText = ({ kind, slug }: PublishedSlug): string => `${kind} ${slug}`;
    const known_slugs = new Set(known.slugs.map(toText));
    const slugs = ledger.slugs.filter((slug) => !known_slugs.has(toText(slug)));
    for (const part of chunk(slugs))
      await inbox.db
        .insertInto('slugs')
        .values(part.map(({ kind, slug, id }) => ({ kind, slug, id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  });

/** Whether an id was in a release: its slugs are remembered permanently. */
export const wasReleased = async (inbox: Inbox, id: string): Promise<boolean> => {
  const slugs = inbox.db.selectFrom('slugs').select('id').where('id', '=', id);
  return (await slugs.limit(1).executeTakeFirst()) !== undefined;
};

/** Whether a notice of this id was in a release: each of its days was, under the id with the day. */
export const wasNoticeReleased = async (inbox: Inbox, id: string): Promise<boolean> => {
  const revisions = inbox.db.selectFrom('revisions').select('id').where('id', '>=', `${id}-`);
  return (await revisions.where('id', '<', `${id}.`).limit(1).executeTakeFirst()) !== undefined;
};
