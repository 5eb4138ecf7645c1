// The table of decisions: who decided what, when and why, and how each change stood before and after it.
import * as v from 'valibot';
import { CHANGE_STATES, type Outcome } from '../domain/change.ts';
import { type Decision, type DecisionAction, DECISIONS } from '../domain/decision.ts';
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

/** What a decision means for the agenda: nothing, something, something that is called off or warned of. */
export type Weight = 'none' | 'agenda' | 'urgent';

/** The number of the newest decision that the agenda depends on; 0 where nothing was decided. */
export const readAgendaDecision = (inbox: Inbox): number =>
  v.parse(
    v.number(),
    inbox
      .prepare("select coalesce(max(id), 0) from decisions where weight <> 'none'")
      .pluck()
      .get(),
  );

/** Whether something was called off, or warned of, after a decision. */
export const isUrgentSince = (inbox: Inbox, decision: number): boolean =>
  inbox
    .prepare("select 1 from decisions where id > ? and weight = 'urgent' limit 1")
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
        `select distinct reference from changes
         where reference is not null and instr(lower(title), lower(?1)) > 0 limit ?2`,
      )
      .pluck()
      .all({ 1: words, 2: limit }),
  );

/** By its number; null where there is none. */
export function getDecision(inbox: Inbox, id: number): Decision | null {
  const row: unknown = inbox.prepare(`${SELECT} where id = ?`).get(id);
  return row === undefined ? null : v.parse(DecisionRow, row);
}

/** Logs a decision; gives its number. */
export function insertDecision(
  inbox: Inbox,
  { at, editor, action, subject, reason, undoes }: Omit<Decision, 'id' | 'undone_at'>,
): number {
  const { lastInsertRowid } = inbox
    .prepare(
      'insert into decisions (at, editor, action, subject, reason, undoes) values (?, ?, ?, ?, ?, ?)',
    )
    .run(at, editor, action, subject, reason, undoes);
  return Number(lastInsertRowid);
}

/** What came of it. */
export const setOutcomes = (
  inbox: Inbox,
  id: number,
  outcomes: readonly Outcome[],
  weight: Weight,
): void =>
  void inbox
    .prepare('update decisions set outcomes = ?, weight = ? where id = ?')
    .run(JSON.stringify(outcomes), weight, id);

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
export function listOutcomes(inbox: Inbox, id: number): readonly Outcome[] {
  const stored: unknown = inbox
    .prepare('select outcomes from decisions where id = ?')
    .pluck()
    .get(id);
  return stored === undefined ? [] : v.parse(OutcomesSchema, stored);
}

/** The references of what a decision was about. */
export const listDecidedReferences = (inbox: Inbox, id: number): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox
      .prepare(
        `select distinct reference from changes where reference is not null
           and id in (select value ->> '$.id' from decisions, json_each(outcomes) where decisions.id = ?)`,
      )
      .pluck()
      .all(id),
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
