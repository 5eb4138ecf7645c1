// Decisions table: logs each decision with its editor, time and reason, and the status of each change before and after.
import { sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import { CHANGE_STATES, type Decision } from '../domain/change.ts';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

/** Largest integer of a PostgreSQL id column. */
const MAX_ID = 2 ** 31 - 1;
const LOGGED_COLUMNS = ['at', 'editor', 'action', 'subject', 'reason', 'undoes'] as const;
const COLUMNS = ['id', ...LOGGED_COLUMNS, 'undone_at', 'outcomes'] as const;

const ChangeStatusColumn = v.object({
  state: v.picklist(CHANGE_STATES),
  decided: v.nullable(v.number()),
  reason: v.nullable(v.string()),
});
/** Column `outcomes`. If it is unreadable, it counts as empty, so that the decision cannot be undone. */
const OutcomesColumn = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.array(v.object({ id: v.number(), before: ChangeStatusColumn, after: ChangeStatusColumn })),
  ),
  [],
);

/** Lists decisions, newest first, optionally of one editor, or about certain subjects (see Decision). */
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
  return rows.map((row) => ({ ...row, outcomes: v.parse(OutcomesColumn, row.outcomes) }));
}

/** Returns a decision, or null if no decision has this id. */
export async function getDecision(inbox: Inbox, id: number): Promise<Decision | null> {
  // PostgreSQL throws on ids that are not 32-bit integers.
  if (!Number.isInteger(id) || Math.abs(id) > MAX_ID) return null;
  const decision = inbox.db.selectFrom('decisions').select(COLUMNS).where('id', '=', id);
  const row = await decision.executeTakeFirst();
  return row === undefined ? null : { ...row, outcomes: v.parse(OutcomesColumn, row.outcomes) };
}

/** Finds the references of changes whose title contains a text, in any case. */
export async function findReferencesByTitle(inbox: Inbox, title_part: string, limit: number) {
  const pattern = `%${title_part.replace(/[\\%_]/g, '\\$&')}%`;
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

/** Returns the id of the newest decision that affects the agenda, or 0 before the first one. */
export async function getLastAgendaDecisionId(inbox: Inbox): Promise<number> {
  const decisions = inbox.db.selectFrom('decisions').select('id').where('weight', '<>', 'none');
  return (await decisions.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0;
}

/** Tells if an urgent decision (a cancellation or a notice) came after the decision with this id. */
export async function hasUrgentDecisionSince(inbox: Inbox, decision_id: number): Promise<boolean> {
  const urgent = inbox.db.selectFrom('decisions').select('id').where('weight', '=', 'urgent');
  return (await urgent.where('id', '>', decision_id).limit(1).executeTakeFirst()) !== undefined;
}

/** Decisions are published within seconds; /statusz and the desk name one that waits longer. */
const DECISION_LATE_MS = 2 * 60_000;

/**
 * Returns the timestamp of the oldest decision after the one with this id that affects the agenda, if it is late.
 * @returns null if all decisions are published, or will be soon.
 */
export async function findLateDecision(
  inbox: Inbox,
  decision_id: number,
  now_ms: number,
): Promise<string | null> {
  const decisions = inbox.db.selectFrom('decisions').select('at').where('weight', '<>', 'none');
  const oldest = decisions.where('id', '>', decision_id).orderBy('id').limit(1);
  const { at } = (await oldest.executeTakeFirst()) ?? {};
  return at !== undefined && now_ms - Date.parse(at) > DECISION_LATE_MS ? at : null;
}

/** Logs a decision and returns its id. */
export async function insertDecision(
  inbox: Inbox,
  { at, editor, action, subject, reason, undoes }: Pick<Decision, (typeof LOGGED_COLUMNS)[number]>,
): Promise<number> {
  const row = { at, editor, action, subject, reason, undoes };
  const inserted = inbox.db.insertInto('decisions').values(row).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

/** Stores the outcomes of a decision, or when it was undone (null if the undo was itself undone). */
export async function updateDecision(
  inbox: Inbox,
  id: number,
  changed: Pick<Updateable<Tables['decisions']>, 'outcomes' | 'weight' | 'undone_at'>,
): Promise<void> {
  await inbox.db.updateTable('decisions').set(changed).where('id', '=', id).execute();
}

/** Returns the id of the decision that undid this one. @returns null if none did. */
export async function findUndoDecision(inbox: Inbox, id: number): Promise<number | null> {
  const undoing = inbox.db.selectFrom('decisions').select('id').where('undoes', '=', id);
  const effective = undoing.where('undone_at', 'is', null).orderBy('id', 'desc');
  return (await effective.executeTakeFirst())?.id ?? null;
}
