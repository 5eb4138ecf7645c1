// What npm run review says and does with decisions that were made: the log, undo, reopen.
import { reopen } from '../src/desk/reopen.ts';
import { checkUndo, toUndoSentence, undo } from '../src/desk/undo.ts';
import { toCleanLine } from '../src/domain/clean-text.ts';
import { type Actor, type DecisionAction, DECISIONS } from '../src/domain/decision.ts';
import { countLog, listDecisions, listLog, type LogFilter } from '../src/inbox/decisions.ts';
import type { Inbox } from '../src/inbox/open.ts';

/** Where it works, and who asks. */
export interface LogTerminal {
  readonly inbox: Inbox;
  readonly actor: Actor;
  /** A release is being built. */
  readonly is_building: boolean;
}

/** The options of `log`, as typed. */
export interface LogOptions {
  readonly editor?: string | undefined;
  readonly action?: string | undefined;
  readonly page?: string | undefined;
}

const A_PAGE = 50;

/** Decisions as lines, on one subject or on all: what each was and whether it can be undone. */
export function toLogText(
  { inbox, is_building }: LogTerminal,
  subject: string,
  { editor, action, page = '1' }: LogOptions,
): string {
  const filter: LogFilter = {
    editor: editor ?? null,
    action: action === undefined ? null : toAction(action),
    subjects: subject === '' ? null : [subject, subject.toUpperCase()],
  };
  const number = Math.max(1, Math.floor(Number(page)) || 1);
  const count = countLog(inbox, filter);
  const lines = listLog(inbox, filter, A_PAGE, (number - 1) * A_PAGE).map((decision) => {
    const { refusal, by } = checkUndo(inbox, decision, is_building);
    const { id, at, action: done, subject: on, reason, undoes } = decision;
    return [
      `${id}  ${at.slice(0, 16)}  ${done}${undoes === null ? '' : ` of ${undoes}`}  ${on}  ${decision.editor}`,
      ...(reason === null ? [] : [`    ${toCleanLine(reason)}`]),
      `    ${refusal === null ? `npm run review -- undo ${id}` : `cannot be undone: ${toUndoSentence(refusal, by)}`}`,
    ].join('\n');
  });
  const pages = Math.max(1, Math.ceil(count / A_PAGE));
  return [`${count} decisions, the newest first; page ${number} of ${pages}`, ...lines].join('\n');
}

function toAction(text: string): DecisionAction {
  const action = DECISIONS.find((one) => one === text);
  if (action === undefined)
    throw new Error(`--action '${text}' is none of ${DECISIONS.join(', ')}`);
  return action;
}

/** The newest decision: twice the same command must not give back what it took. */
function findNewest(inbox: Inbox): number {
  const [last] = listDecisions(inbox, 1);
  if (last === undefined) throw new Error('There is no decision that could be undone');
  if (last.action === 'undo')
    throw new Error('The newest was undone. Say a number: npm run review -- log shows them');
  return last.id;
}

/** Undoes the decision of a number, or the newest; gives the sentence to say. */
export function undoInTerminal(
  { inbox, actor, is_building }: LogTerminal,
  number: string,
  reason: string,
): string {
  const id = number === '' ? findNewest(inbox) : Number(number);
  if (!Number.isSafeInteger(id))
    throw new Error(`'${number}' is no number of a decision. npm run review -- log shows them`);
  const { action, subject, editor } = undo(inbox, id, actor, { is_building, reason });
  return `Undone: ${action} of ${subject} by ${editor}. It is as it was before.`;
}

/** Lets a decided submission or report wait again; gives the sentence to say. */
export function reopenInTerminal(
  { inbox, actor }: LogTerminal,
  reference: string,
  reason: string,
): string {
  return `${reopen(inbox, actor, reference, reason)} waits again; what is published of it stays so until the next decision.`;
}
