// Erasure of private data: clears it from all changes of a reference, and then rewrites the database files so that no
// erased bytes remain (contract 14.26).
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Change } from '../domain/change.ts';
import { definesContent, listChanges, updateChange } from './changes.ts';
import type { Inbox } from './open.ts';

/**
 * Name of the mark: a row of the table `secrets` that exists while the files may contain erased bytes. Each erasure sets
 * a new random value, so that a compaction removes only the mark that it has seen.
 */
const MARK = 'erased';

/** Requests a compaction, which rewrites the database files. Call it in the transaction that erases. */
export async function markErased(inbox: Inbox): Promise<void> {
  await inbox.db.deleteFrom('secrets').where('name', '=', MARK).execute();
  const mark = { name: MARK, value: randomBytes(16) };
  await inbox.db.insertInto('secrets').values(mark).execute();
}

const getMark = (inbox: Inbox) =>
  inbox.db.selectFrom('secrets').select('value').where('name', '=', MARK).executeTakeFirst();

/** Tells if something was erased since the last complete compaction. */
export const isCompactionDue = async (inbox: Inbox) => (await getMark(inbox)) !== undefined;

/**
 * Rewrites the inbox if something was erased. With 10,000 submissions this takes a second, blocks other writers, and
 * needs the size of the inbox in memory and in the journal.
 * @returns false if a reader still uses an older state, so that erased bytes remain; retry later.
 * @throws AppError not_stored, inbox_busy.
 */
export async function compactStore(inbox: Inbox): Promise<boolean> {
  const mark = await getMark(inbox);
  if (mark === undefined) return true;
  if (!(await inbox.compact())) return false;
  await inbox.transaction(async () => {
    // A mark set meanwhile has another value and stays.
    const marks = inbox.db.deleteFrom('secrets').where('name', '=', MARK);
    await marks.where('value', '=', mark.value).execute();
  });
  return true;
}

/** Tells if a change contains an email address, a message to the desk, or the text of a correction. */
const hasPrivateData = ({ maker, text, message, draft }: Change): boolean =>
  message !== null ||
  (maker === 'reader' && text.change !== '') ||
  (text?.contact_email ?? draft?.contact_email ?? null) !== null;

/** Column of JSON; invalid JSON counts as empty, so that it is erased as a whole. */
const JsonFields = v.fallback(v.pipe(v.string(), v.parseJson(), v.looseObject({})), {});

/**
 * Erases the private data of all changes of a reference. Call it in a transaction. Also erases the digest of the
 * submission, because guessed email addresses could be tested against it.
 * @returns false if the reference has no changes.
 */
export async function erasePrivateColumns(inbox: Inbox, reference: string): Promise<boolean> {
  const changes = inbox.db.selectFrom('changes').select(['id', 'maker', 'text', 'draft']);
  const rows = await changes.where('reference', '=', reference).execute();
  for (const { id, maker, text, draft } of rows) {
    const { contact_email: _, ...public_draft } = v.parse(JsonFields, draft);
    // The text of a correction is private as a whole.
    const cleared = { contact_email: null, ...(maker === 'reader' && { change: '' }) };
    await updateChange(inbox, id, {
      text: text && JSON.stringify({ ...v.parse(JsonFields, text), ...cleared }),
      draft: draft && JSON.stringify(public_draft),
      message: null,
      digest: null,
      is_forgotten: 1,
    });
  }
  await markErased(inbox);
  return rows.length > 0;
}

/** Reference with private data, and the facts that decide its retention. */
export type PrivateHolder = Awaited<ReturnType<typeof listPrivateHolders>>[number];

/** Lists the submissions and corrections that contain private data: all, or only those with a reference. */
export async function listPrivateHolders(inbox: Inbox, reference: string | null = null) {
  const changes = await listChanges(inbox, (query) => {
    const ordered = query.orderBy('id');
    return reference === null
      ? ordered.where('reference', 'is not', null).where('is_forgotten', '=', 0)
      : ordered.where('reference', '=', reference);
  });
  const last_decision_rows = await inbox.db
    .selectFrom('changes')
    .innerJoin('decisions', 'decisions.id', 'changes.decided')
    .select((is) => ['reference', is.fn.max('decisions.at').as('at')])
    .$if(reference !== null, (query) => query.where('reference', '=', reference))
    .groupBy('reference')
    .execute();
  const last_decisions = new Map(last_decision_rows.map((row) => [row.reference, row.at]));
  return [...Map.groupBy(changes, (change) => change.reference)].flatMap(([key, versions]) => {
    const change = versions.findLast(({ state }) => state !== 'replaced' && state !== 'undone');
    if (change === undefined || change.maker === 'editor' || !versions.some(hasPrivateData))
      return [];
    const published = versions.find(
      (version) => version.state === 'applied' && definesContent(version) && version.record,
    );
    return [
      {
        /** Current version. */
        change,
        /** Timestamp of the newest decision on any version. */
        decided_at: last_decisions.get(key) ?? null,
        /** Record on the agenda; null if unpublished. */
        publication: published?.record ?? null,
      },
    ];
  });
}

/** Lists the references of all changes that were erased. */
export async function listErasedReferences(inbox: Inbox): Promise<readonly string[]> {
  const changes = inbox.db.selectFrom('changes').select('reference').distinct();
  const rows = await changes.where('is_forgotten', '=', 1).execute();
  return rows.map(({ reference }) => reference ?? '');
}
