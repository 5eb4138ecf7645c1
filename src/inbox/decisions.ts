// The table of decisions: who decided what, when and why, with the rows that each changed as they
// stood before and after it.
import * as v from 'valibot';
import { type Decision, type DecisionAction, DECISIONS } from '../domain/decision.ts';
import { type RowChange, RowChangeSchema } from './decided-rows.ts';
import type { Inbox } from './open.ts';

const DecisionRow = v.object({
  id: v.number(),
  at: v.string(),
  editor: v.string(),
  action: v.picklist(DECISIONS),
  subject: v.string(),
  reason: v.nullable(v.string()),
  undone_at: v.nullable(v.string()),
  undoes: v.nullable(v.number()),
});
const SELECT = 'select id, at, editor, action, subject, reason, undone_at, undoes from decisions';

/** The newest decisions first. */
export function listDecisions(inbox: Inbox, limit: number): readonly Decision[] {
  return listLog(inbox, ANYTHING, limit);
}

/** Tables whose rows the agenda is made of, and those of them that call off or warn. */
const AGENDA_TABLES = "('publications', 'overrides', 'desk_notices', 'edits')";
const URGENT_TABLES = "('overrides', 'desk_notices')";

/** The number of the newest decision that the agenda depends on; 0 where nothing was decided. */
export const readAgendaDecision = (inbox: Inbox): number =>
  v.parse(
    v.number(),
    inbox
      .prepare(`select coalesce(max(decision), 0) from decision_rows where tbl in ${AGENDA_TABLES}`)
      .pluck()
      .get(),
  );

/** Whether something was called off, or warned of, after a decision. */
export const isUrgentSince = (inbox: Inbox, decision: number): boolean =>
  inbox
    .prepare(`select 1 from decision_rows where decision > ? and tbl in ${URGENT_TABLES} limit 1`)
    .get(decision) !== undefined;

/** What was decided on one submission, correction, event or notice, the newest first. */
export function listDecisionsOn(inbox: Inbox, subject: string, limit: number): readonly Decision[] {
  return listLog(inbox, { ...ANYTHING, subjects: [subject] }, limit);
}

/** Which decisions; null is any. */
export interface LogFilter {
  readonly editor: string | null;
  readonly action: DecisionAction | null;
  /** References and ids. */
  readonly subjects: readonly string[] | null;
}
const ANYTHING: LogFilter = { editor: null, action: null, subjects: null };

const SUBJECTS = 'select value from json_each(@subjects)';

/** Its conditions, and what is bound in them. */
function toWhere({ editor, action, subjects }: LogFilter): [string, Record<string, string>] {
  const parts = [
    ...(editor === null ? [] : [['editor = @editor', { editor }] as const]),
    ...(action === null ? [] : [['action = @action', { action }] as const]),
    ...(subjects === null
      ? []
      : [[`subject in (${SUBJECTS})`, { subjects: JSON.stringify(subjects) }] as const]),
  ];
  const where = parts.length > 0 ? `where ${parts.map(([text]) => text).join(' and ')}` : '';
  return [where, Object.assign({}, ...parts.map(([, bound]) => bound))];
}

/** Those that a filter lets pass, the newest first. */
export function listLog(
  inbox: Inbox,
  filter: LogFilter,
  limit: number,
  offset = 0,
): readonly Decision[] {
  const [where, bound] = toWhere(filter);
  return v.parse(
    v.array(DecisionRow),
    inbox
      .prepare(`${SELECT} ${where} order by id desc limit @limit offset @offset`)
      .all({ ...bound, limit, offset }),
  );
}

/** How many a filter lets pass. */
export function countLog(inbox: Inbox, filter: LogFilter): number {
  const [where, bound] = toWhere(filter);
  return v.parse(
    v.number(),
    inbox.prepare(`select count(*) from decisions ${where}`).pluck().get(bound),
  );
}

/** Everybody who ever decided something. */
export const listDeciders = (inbox: Inbox): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox.prepare('select distinct editor from decisions order by editor').pluck().all(),
  );

/** References of what has these words in its title. */
export const findSubjects = (inbox: Inbox, words: string, limit: number): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox
      .prepare(
        `select reference from submissions where instr(lower(record ->> '$.title'), lower(?1)) > 0
         union select reference from corrections where instr(lower(title), lower(?1)) > 0 limit ?2`,
      )
      .pluck()
      .all({ 1: words, 2: limit }),
  );

/** By its number; null where there is none. */
export function getDecision(inbox: Inbox, id: number): Decision | null {
  const row: unknown = inbox.prepare(`${SELECT} where id = ?`).get(id);
  return row === undefined ? null : v.parse(DecisionRow, row);
}

/** Logs a decision with the rows that it changed; gives its number. */
export function insertDecision(
  inbox: Inbox,
  { at, editor, action, subject, reason, undoes }: Omit<Decision, 'id' | 'undone_at'>,
  changes: readonly RowChange[],
): number {
  const { lastInsertRowid } = inbox
    .prepare(
      'insert into decisions (at, editor, action, subject, reason, undoes, before) values (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(at, editor, action, subject, reason, undoes, JSON.stringify(changes));
  const insert = inbox.prepare('insert or ignore into decision_rows values (?, ?, ?)');
  for (const { table, key } of changes) insert.run(table, JSON.stringify(key), lastInsertRowid);
  return Number(lastInsertRowid);
}

/** The rows that a decision changed. Throws where there is no such decision. */
export function listChanges(inbox: Inbox, id: number): readonly RowChange[] {
  const stored: unknown = inbox
    .prepare('select before from decisions where id = ?')
    .pluck()
    .get(id);
  return v.parse(v.array(RowChangeSchema), JSON.parse(v.parse(v.string(), stored)));
}

const ChangesRows = v.array(
  v.object({
    id: v.number(),
    before: v.pipe(
      v.string(),
      v.transform((json): unknown => JSON.parse(json)),
      v.array(RowChangeSchema),
    ),
  }),
);

/** The decisions that hold rows of one submission or correction, with all that they hold. */
export const listChangesWith = (
  inbox: Inbox,
  reference: string,
): readonly { readonly id: number; readonly changes: readonly RowChange[] }[] =>
  v
    .parse(
      ChangesRows,
      inbox.prepare('select id, before from decisions where instr(before, ?) > 0').all(reference),
    )
    .map(({ id, before }) => ({ id, changes: before }));

/** What a decision holds, written anew. */
export function setChanges(inbox: Inbox, id: number, changes: readonly RowChange[]): void {
  inbox.prepare('update decisions set before = ? where id = ?').run(JSON.stringify(changes), id);
}

const LATER = `select max(d.id) from decision_rows mine
  join decision_rows other on other.tbl = mine.tbl and other.key = mine.key and other.decision > mine.decision
  join decisions d on d.id = other.decision
  where mine.decision = ? and d.undone_at is null and d.action <> 'undo'`;

/** The newest decision that stands and changed a row of this one after it; null where none did. */
export function findLater(inbox: Inbox, id: number): number | null {
  return v.parse(v.nullable(v.number()), inbox.prepare(LATER).pluck().get(id));
}

const SINCE = `select 1 from decision_rows r join decisions d on d.id = r.decision
  where r.tbl = 'submissions' and r.key = ? and r.decision > ? and d.undone_at is null and d.action <> 'undo'`;

/** Whether a submission was decided on after a decision, by one that stands. */
export const isDecidedSince = (inbox: Inbox, reference: string, id: number): boolean =>
  inbox.prepare(SINCE).get(JSON.stringify([reference]), id) !== undefined;

/** The references of the submissions that a decision changed. Throws where there is no such decision. */
export const listDecidedReferences = (inbox: Inbox, id: number): readonly string[] =>
  listChanges(inbox, id).flatMap(({ table, key: [reference] }) =>
    table === 'submissions' && reference !== undefined ? [reference] : [],
  );

/** The decision that undid this one; null where none did, or an older version. */
export function findUndoing(inbox: Inbox, id: number): number | null {
  return v.parse(
    v.nullable(v.number()),
    inbox
      .prepare('select max(id) from decisions where undoes = ? and undone_at is null')
      .pluck()
      .get(id),
  );
}

/** Marks that a decision was undone; null, that it stands again. */
export function markUndone(inbox: Inbox, id: number, at: string | null): void {
  inbox.prepare('update decisions set undone_at = ? where id = ?').run(at, id);
}
