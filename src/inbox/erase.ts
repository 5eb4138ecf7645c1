// Where private words stand in the inbox, and how they go: from every text under a reference, then from the files of
// the store, which are written anew (contract 14.26).
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Change } from '../domain/change.ts';
import { definesContent, listChanges, updateChange } from './changes.ts';
import type { Inbox } from './open.ts';

/** The row of `secrets` that is there while erased words may lie in the files: another value with each erasure. */
const MARK = 'erased';

/** Something was erased. Within the transaction that erases. */
export async function markErased(inbox: Inbox): Promise<void> {
  await inbox.db.deleteFrom('secrets').where('name', '=', MARK).execute();
  const mark = { name: MARK, value: randomBytes(16) };
  await inbox.db.insertInto('secrets').values(mark).execute();
}

const readMark = (inbox: Inbox) =>
  inbox.db.selectFrom('secrets').select('value').where('name', '=', MARK).executeTakeFirst();

export const isCompactionDue = async (inbox: Inbox) => (await readMark(inbox)) !== undefined;

/**
 * Writes the inbox anew where something was erased: a second with 10,000 submissions, in which nobody else writes,
 * and its size in memory and in the journal. False where somebody reads an older state just now, whose bytes
 * stay: to be done again. Throws AppError not_stored, inbox_busy.
 */
export async function compactStore(inbox: Inbox): Promise<boolean> {
  const mark = await readMark(inbox);
  if (mark === undefined) return true;
  if (!(await inbox.compact())) return false;
  await inbox.transaction(async () => {
    const done = inbox.db.deleteFrom('secrets').where('name', '=', MARK);
    await done.where('value', '=', mark.value).execute();
  });
  return true;
}

const isHeld = ({ maker, text, message, draft }: Change): boolean =>
  message !== null ||
  (maker === 'reader' && text.change !== '') ||
  (text?.contact_email ?? draft?.contact_email ?? null) !== null;

/** Of what cannot be read as JSON all goes. */
const Fields = v.fallback(v.pipe(v.string(), v.parseJson(), v.looseObject({})), {});

/** Within a transaction; whether there was something. A digest goes too: an address could be tried against it. */
export async function erasePrivateColumns(inbox: Inbox, reference: string): Promise<boolean> {
  const changes = inbox.db.selectFrom('changes').select(['id', 'maker', 'text', 'draft']);
  const rows = await changes.where('reference', '=', reference).execute();
  for (const { id, maker, text, draft } of rows) {
    const { contact_email: _, ...others } = v.parse(Fields, draft);
    // A reader's own words are private as a whole.
    const cleared = { contact_email: null, ...(maker === 'reader' && { change: '' }) };
    await updateChange(inbox, id, {
      text: text && JSON.stringify({ ...v.parse(Fields, text), ...cleared }),
      draft: draft && JSON.stringify(others),
      message: null,
      digest: null,
      is_forgotten: 1,
    });
  }
  await markErased(inbox);
  return rows.length > 0;
}

/** Of whom private words are held, with what says for how long. */
export type PrivateHolder = Awaited<ReturnType<typeof listPrivateHolders>>[number];

/** What was sent in and holds something private: all, or what has a reference. */
export async function listPrivateHolders(inbox: Inbox, reference: string | null = null) {
  const changes = await listChanges(inbox, (query) => {
    const all = query.orderBy('id');
    return reference === null
      ? all.where('reference', 'is not', null).where('is_forgotten', '=', 0)
      : all.where('reference', '=', reference);
  });
  const decided = await inbox.db
    .selectFrom('changes')
    .innerJoin('decisions', 'decisions.id', 'changes.decided')
    .select((is) => ['reference', is.fn.max('decisions.at').as('at')])
    .$if(reference !== null, (query) => query.where('reference', '=', reference))
    .groupBy('reference')
    .execute();
  const decided_at = new Map(decided.map(({ reference: own, at }) => [own, at]));
  return [...Map.groupBy(changes, (change) => change.reference)].flatMap(([own, all]) => {
    const change = all.findLast(({ state }) => state !== 'replaced' && state !== 'undone');
    if (change === undefined || change.maker === 'editor' || !all.some(isHeld)) return [];
    const published = all.find(
      (one) => one.state === 'applied' && definesContent(one) && one.record,
    );
    return [
      {
        /** The newest under its reference. */
        change,
        /** Timestamp of the newest decision on any of it. */
        decided_at: decided_at.get(own) ?? null,
        /** What the agenda is told of it; null where nothing is. */
        publication: published?.record ?? null,
      },
    ];
  });
}

export async function listErasedReferences(inbox: Inbox): Promise<readonly string[]> {
  const forgotten = inbox.db.selectFrom('changes').select('reference').distinct();
  const rows = await forgotten.where('is_forgotten', '=', 1).execute();
  return rows.map(({ reference }) => reference ?? '');
}
