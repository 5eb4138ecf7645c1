// The table of decisions: who decided what, when and why, and how each change stood before and after it.
import { sql } from 'kysely';
import * as v from 'valibot';
import { CHANGE_STATES, type Outcome } from '../domain/change.ts';
import type { Decision, DecisionAction } from '../domain/decision.ts';
import type { Inbox } from './open.ts';

/** The largest number of a decision. */
const MOST = 2 ** 31 - 1;

const COLUMNS = [
  'id',
  'at',
  'editor',
  'action',
  'subject',
  'reason',
  'undone_at',
  'undoes',
] as const;

/** The newest decisions first. */
export const listDecisions = (inbox: Inbox, limit: number): Promise<readonly Decision[]> =>
  listLog(inbox, ANYTHING, limit);

/** What a decision means for the agenda: nothing, something, something that is called off or warned of. */
export type Weight = 'none' | 'agenda' | 'urgent';

/** The number of the newest decision that the agenda depends on; 0 where nothing was decided. */
export async function readAgendaDecision(inbox: Inbox): Promise<number> {
  const newest = await inbox.db
    .selectFrom('decisions')
    .select('id')
    .where('weight', '<>', 'none')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.id ?? 0;
}

/** Whether something was called off, or warned of, after a decision. */
export const isUrgentSince = async (inbox: Inbox, decision: number): Promise<boolean> =>
  (await inbox.db
    .selectFrom('decisions')
    .select('id')
    .where('id', '>', decision)
    .where('weight', '=', 'urgent')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** What was decided on one submission, correction, event or notice, the newest first. */
export const listDecisionsOn = (
  inbox: Inbox,
  subject: string,
  limit: number,
): Promise<readonly Decision[]> => listLog(inbox, { ...ANYTHING, subjects: [subject] }, limit);

/** Which decisions; null is any. */
export interface LogFilter {
  readonly editor: string | null;
  readonly action: DecisionAction | null;
  /** References and ids. */
  readonly subjects: readonly string[] | null;
}
const ANYTHING: LogFilter = { editor: null, action: null, subjects: null };

const filterLog = (inbox: Inbox, { editor, action, subjects }: LogFilter) =>
  inbox.db
    .selectFrom('decisions')
    .$if(editor !== null, (query) => query.where('editor', '=', editor ?? ''))
    .$if(action !== null, (query) => query.where('action', '=', action ?? 'undo'))
    .$if(subjects !== null, (query) => query.where('subject', 'in', subjects ?? []));

/** Those that a filter lets pass, the newest first. */
export const listLog = (
  inbox: Inbox,
  filter: LogFilter,
  limit: number,
  offset = 0,
): Promise<readonly Decision[]> =>
  filterLog(inbox, filter)
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** How many a filter lets pass. */
export async function countLog(inbox: Inbox, filter: LogFilter): Promise<number> {
  const { count } = await filterLog(inbox, filter)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Everybody who ever decided something. */
export async function listDeciders(inbox: Inbox): Promise<readonly string[]> {
  const rows = await inbox.db
    .selectFrom('decisions')
    .select('editor')
    .distinct()
    .orderBy('editor')
    .execute();
  return rows.map(({ editor }) => editor);
}

/** References of what has these words in its title. */
export async function findSubjects(
  inbox: Inbox,
  words: string,
  limit: number,
): Promise<readonly string[]> {
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

/** By its number; null where there is none. */
export async function getDecision(inbox: Inbox, id: number): Promise<Decision | null> {
  // No number of anybody's: PostgreSQL would not even look.
  if (!Number.isInteger(id) || Math.abs(id) > MOST) return null;
  const found = await inbox.db
    .selectFrom('decisions')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return found ?? null;
}

/** Logs a decision; gives its number. */
export async function insertDecision(
  inbox: Inbox,
  { at, editor, action, subject, reason, undoes }: Omit<Decision, 'id' | 'undone_at'>,
): Promise<number> {
  const { id } = await inbox.db
    .insertInto('decisions')
    .values({ at, editor, action, subject, reason, undoes })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What came of it. */
export async function setOutcomes(
  inbox: Inbox,
  id: number,
  outcomes: readonly Outcome[],
  weight: Weight,
): Promise<void> {
  await inbox.db
    .updateTable('decisions')
    .set({ outcomes: JSON.stringify(outcomes), weight })
    .where('id', '=', id)
    .execute();
}

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
  const found = await inbox.db
    .selectFrom('decisions')
    .select('outcomes')
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined ? [] : v.parse(OutcomesSchema, found.outcomes);
}

/** The references of what a decision was about. */
export async function listDecidedReferences(inbox: Inbox, id: number): Promise<readonly string[]> {
  const outcomes = await listOutcomes(inbox, id);
  const rows = await inbox.db
    .selectFrom('changes')
    .select('reference')
    .distinct()
    .where('reference', 'is not', null)
    .where(
      'id',
      'in',
      outcomes.map((outcome) => outcome.id),
    )
    .execute();
  return rows.map(({ reference }) => reference ?? '');
}

/** The decision that undid this one; null where none did, or an older version. */
export async function findUndoing(inbox: Inbox, id: number): Promise<number | null> {
  const found = await inbox.db
    .selectFrom('decisions')
    .select('id')
    .where('undoes', '=', id)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Marks that a decision was undone; null, that it stands again. */
export async function markUndone(inbox: Inbox, id: number, at: string | null): Promise<void> {
  await inbox.db.updateTable('decisions').set({ undone_at: at }).where('id', '=', id).execute();
}
