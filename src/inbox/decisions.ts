// The table of decisions: who decided what, when and why, and how each change stood before and after it.
import { sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import { CHANGE_STATES, type Decision } from '../domain/change.ts';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

const MOST = 2 ** 31 - 1;
const STATED = ['at', 'editor', 'action', 'subject', 'reason', 'undoes'] as const;
const COLUMNS = ['id', ...STATED, 'undone_at', 'outcomes'] as const;

const Standing = v.object({
  state: v.picklist(CHANGE_STATES),
  decided: v.nullable(v.number()),
  reason: v.nullable(v.string()),
});
/** What cannot be read of it, nobody can undo. */
const Outcomes = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.array(v.object({ id: v.number(), before: Standing, after: Standing })),
  ),
  [],
);

/** Those by an editor, and on some subjects where any are named: the newest first. */
export async function listDecisions(
  inbox: Inbox,
  limit: number,
  { editor, subjects }: { editor?: string; subjects?: readonly string[] | null } = {},
  offset = 0,
): Promise<readonly Decision[]> {
  const rows = await inbox.db
    .selectFrom('decisions')
    .$if(editor !== undefined, (query) => query.where('editor', '=', editor ?? ''))
    .$if(subjects != null, (query) => query.where('subject', 'in', subjects ?? []))
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => ({ ...row, outcomes: v.parse(Outcomes, row.outcomes) }));
}

export async function getDecision(inbox: Inbox, id: number): Promise<Decision | null> {
  // No number of anybody's: PostgreSQL would not even look.
  if (!Number.isInteger(id) || Math.abs(id) > MOST) return null;
  const decision = inbox.db.selectFrom('decisions').select(COLUMNS).where('id', '=', id);
  const row = await decision.executeTakeFirst();
  return row === undefined ? null : { ...row, outcomes: v.parse(Outcomes, row.outcomes) };
}

/** References of what has these words in its title. */
export async function findReferencesByTitle(inbox: Inbox, words: string, limit: number) {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await inbox.db
    .selectFrom('changes')
    .select('reference')
    .distinct()
    .where('reference', 'is not', null)
    .where(sql<boolean>`lower(title) like lower(${pattern}) escape '\\'`)
    .limit(limit)
    .execute();
  return rows.map(({ reference }) => reference ?? '');
}

/** The number of the newest decision that the agenda depends on; 0 where nothing was decided. */
export async function getLastAgendaDecisionId(inbox: Inbox): Promise<number> {
  const weighty = inbox.db.selectFrom('decisions').select('id').where('weight', '<>', 'none');
  return (await weighty.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0;
}

/** Whether something was called off, or warned of, after a decision. */
export async function hasUrgentDecisionSince(inbox: Inbox, decision: number): Promise<boolean> {
  const urgent = inbox.db.selectFrom('decisions').select('id').where('weight', '=', 'urgent');
  return (await urgent.where('id', '>', decision).limit(1).executeTakeFirst()) !== undefined;
}

/** Logs a decision; gives its number. */
export async function insertDecision(
  inbox: Inbox,
  { at, editor, action, subject, reason, undoes }: Pick<Decision, (typeof STATED)[number]>,
): Promise<number> {
  const row = { at, editor, action, subject, reason, undoes };
  const inserted = inbox.db.insertInto('decisions').values(row).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

/** What came of it, or that it was undone (null: that it stands again). */
export async function updateDecision(
  inbox: Inbox,
  id: number,
  changed: Pick<Updateable<Tables['decisions']>, 'outcomes' | 'weight' | 'undone_at'>,
): Promise<void> {
  await inbox.db.updateTable('decisions').set(changed).where('id', '=', id).execute();
}

/** The decision that undid this one; null where none did, or an older version. */
export async function findUndoDecision(inbox: Inbox, id: number): Promise<number | null> {
  const undoing = inbox.db.selectFrom('decisions').select('id').where('undoes', '=', id);
  const standing = undoing.where('undone_at', 'is', null).orderBy('id', 'desc');
  return (await standing.executeTakeFirst())?.id ?? null;
}
