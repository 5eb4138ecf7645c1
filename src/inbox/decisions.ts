// The table of decisions: who decided what, when and why, and how each change stood before and after it.
import { sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import {
  CHANGE_STATES,
  type Outcome,
  type Decision,
  type DecisionAction,
} from '../domain/change.ts';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

/** The largest number of a decision. */
const MOST = 2 ** 31 - 1;
const STATED = ['at', 'editor', 'action', 'subject', 'reason'] as const;
const COLUMNS = ['id', ...STATED, 'undone_at', 'undoes'] as const;

/** Which decisions; null is any. */
export interface LogFilter {
  readonly editor: string | null;
  readonly action: DecisionAction | null;
  /** References and ids. */
  readonly subjects: readonly string[] | null;
}

const filterLog = (inbox: Inbox, { editor, action, subjects }: Partial<LogFilter>) =>
  inbox.db
    .selectFrom('decisions')
    .$if(editor != null, (query) => query.where('editor', '=', editor ?? ''))
    .$if(action != null, (query) => query.where('action', '=', action ?? 'undo'))
    .$if(subjects != null, (query) => query.where('subject', 'in', subjects ?? []));

/** Those that a filter lets pass, the newest first. */
export const listLog = (inbox: Inbox, filter: Partial<LogFilter>, limit: number, offset = 0) =>
  filterLog(inbox, filter)
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** The newest decisions first. */
export const listDecisions = (inbox: Inbox, limit: number) => listLog(inbox, {}, limit);

/** What was decided on one submission, correction, event or notice, the newest first. */
export const listDecisionsOn = (inbox: Inbox, subject: string, limit: number) =>
  listLog(inbox, { subjects: [subject] }, limit);

/** How many a filter lets pass. */
export async function countLog(inbox: Inbox, filter: LogFilter): Promise<number> {
  const counted = filterLog(inbox, filter).select((is) => is.fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** By its number; null where there is none. */
export async function getDecision(inbox: Inbox, id: number): Promise<Decision | null> {
  // No number of anybody's: PostgreSQL would not even look.
  if (!Number.isInteger(id) || Math.abs(id) > MOST) return null;
  const decision = inbox.db.selectFrom('decisions').select(COLUMNS).where('id', '=', id);
  return (await decision.executeTakeFirst()) ?? null;
}

/** Everybody who ever decided something. */
export async function listDeciders(inbox: Inbox): Promise<readonly string[]> {
  const editors = inbox.db.selectFrom('decisions').select('editor').distinct().orderBy('editor');
  return (await editors.execute()).map(({ editor }) => editor);
}

const selectReferences = (inbox: Inbox) =>
  inbox.db.selectFrom('changes').select('reference').distinct().where('reference', 'is not', null);

/** References of what has these words in its title. */
export async function findSubjects(inbox: Inbox, words: string, limit: number) {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await selectReferences(inbox)
    .where(sql<boolean>`lower(title) like lower(${pattern}) escape '\\'`)
    .limit(limit)
    .execute();
  return rows.map(({ reference }) => reference ?? '');
}

/** What a decision means for the agenda: nothing, something, something that is called off or warned of. */
export type Weight = 'none' | 'agenda' | 'urgent';

/** The number of the newest decision that the agenda depends on; 0 where nothing was decided. */
export async function readAgendaDecision(inbox: Inbox): Promise<number> {
  const weighty = inbox.db.selectFrom('decisions').select('id').where('weight', '<>', 'none');
  return (await weighty.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0;
}

/** Whether something was called off, or warned of, after a decision. */
export async function isUrgentSince(inbox: Inbox, decision: number): Promise<boolean> {
  const urgent = inbox.db.selectFrom('decisions').select('id').where('weight', '=', 'urgent');
  return (await urgent.where('id', '>', decision).limit(1).executeTakeFirst()) !== undefined;
}

/** Logs a decision; gives its number. */
export async function insertDecision(
  inbox: Inbox,
  decision: Omit<Decision, 'id' | 'undone_at'>,
): Promise<number> {
  const { at, editor, action, subject, reason, undoes } = decision;
  const row = { at, editor, action, subject, reason, undoes };
  const inserted = inbox.db.insertInto('decisions').values(row).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

const update = async (inbox: Inbox, id: number, changed: Updateable<Tables['decisions']>) =>
  void (await inbox.db.updateTable('decisions').set(changed).where('id', '=', id).execute());

/** What came of it. */
export const setOutcomes = (
  inbox: Inbox,
  id: number,
  outcomes: readonly Outcome[],
  weight: Weight,
): Promise<void> => update(inbox, id, { outcomes: JSON.stringify(outcomes), weight });

/** Marks that a decision was undone; null, that it stands again. */
export const markUndone = (inbox: Inbox, id: number, undone_at: string | null): Promise<void> =>
  update(inbox, id, { undone_at });

const StandingSchema = v.object({
  state: v.picklist(CHANGE_STATES),
  decided: v.nullable(v.number()),
  reason: v.nullable(v.string()),
});
const OutcomesSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ id: v.number(), before: StandingSchema, after: StandingSchema })),
);

/** What a decision did, change by change; nothing where it is none. */
export async function listOutcomes(inbox: Inbox, id: number): Promise<readonly Outcome[]> {
  const decision = inbox.db.selectFrom('decisions').select('outcomes').where('id', '=', id);
  const found = await decision.executeTakeFirst();
  return found === undefined ? [] : v.parse(OutcomesSchema, found.outcomes);
}

/** The decision that undid this one; null where none did, or an older version. */
export async function findUndoing(inbox: Inbox, id: number): Promise<number | null> {
  const undoing = inbox.db.selectFrom('decisions').select('id').where('undoes', '=', id);
  const standing = undoing.where('undone_at', 'is', null).orderBy('id', 'desc');
  return (await standing.executeTakeFirst())?.id ?? null;
}
