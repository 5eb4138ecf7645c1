// npm run review: the review desk in a terminal.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { settleCorrection, type SettleAction } from '../src/desk/corrections.ts';
import { erase } from '../src/desk/forget.ts';
import { toKnown } from '../src/desk/known.ts';
import { changeStatus, type StatusAction, withdrawEvent } from '../src/desk/override.ts';
import { approve, changeEdits, grant, type Review } from '../src/desk/review.ts';
import { AppError } from '../src/domain/app-error.ts';
import type { LocalText } from '../src/domain/lang.ts';
import { toSite } from '../src/domain/site.ts';
import { isRequest, type StoredSubmission } from '../src/domain/submission/submission.ts';
import { listWarnings } from '../src/domain/submission/warnings.ts';
import { getCorrection } from '../src/inbox/corrections.ts';
import { type Inbox, openInbox } from '../src/inbox/open.ts';
import { getSubmission } from '../src/inbox/submissions.ts';
import { sweep } from '../src/inbox/sweep.ts';
import { EDIT_HELP, toEditCommands } from './review-edits.ts';
import { readCurrent, toLayout, toReleasePaths } from '../src/releases/layout.ts';
import { getEvent } from '../src/snapshot/get-thing.ts';
import { isLocked } from '../src/releases/lock.ts';
import { closeSnapshot, openSnapshot } from '../src/snapshot/open.ts';
import { type LogTerminal, reopenInTerminal, toLogText, undoInTerminal } from './review-log.ts';
import { approveBatchInTerminal, showBatchInTerminal } from './review-batch.ts';
import { closeInTerminal, NOTICE_HELP, toNoticesText, writeInTerminal } from './review-notices.ts';
import {
  askInTerminal,
  leaveOne,
  QUEUE_HELP,
  QUEUE_OPTIONS,
  type QueueTerminal,
  rejectInTerminal,
  takeNext,
  takeOne,
  toQueueText,
} from './review-queue.ts';
import { nameEditor } from './terminal-editor.ts';

const HELP = `npm run review -- list · next · claim ID · leave ID · show ID · approve ID · reject ID … · ask ID · reopen ID · undo [NUMBER] · log [SUBJECT] · cancel EVENT · postpone EVENT · restore EVENT · withdraw EVENT
                 done ID · dismiss ID · erase ID · sweep · notices · notice FIELD=TEXT … · close NOTICE

What the desk at /revision does, in a terminal; decisions are logged under the name of this user.
${QUEUE_HELP}
  show ID                      one submission or report, by its reference (HC-7K3M9Q)
  approve ID                   into the next release. The other language must be there: kept at the desk, or given here with
                               --other-title "…" --summary "…" --other-summary "…"; what a sender asks to cancel or postpone is
                               granted, and readers are told --note-es "…" --note-en "…"
  approve CALENDAR [ID …]      all that waits of a calendar as one decision, but for those named, with what the desk suggests
                               in the other language
  done ID [--reason "…"]       a reader's report is handled
  dismiss ID --reason "…"      a reader's report leads to nothing
  reopen ID --reason "…"       what was decided waits again; what is published stays so until the next decision
  undo [NUMBER]                the decision of that number, or the newest, whoever made it: as long as what it left still stands
  log [SUBJECT]                who decided what, when and why, and what can be undone; of one submission, event or notice, and by
                               --editor NAME, --action approve, --page 2
  cancel EVENT --reason "…"    a published event, by id or slug: cancelled everywhere within seconds; what readers are
                               told of it with --note-es "…" --note-en "…"
  postpone EVENT --reason "…"  the same, to a day that is not known yet
  restore EVENT                takes place after all
  withdraw EVENT --reason "…"  a published event, by id or slug, for legal reasons: 410 everywhere within seconds
  erase ID                     what is private of a submission or a report, at once: e-mail and messages. What is public stays,
                               and so do backups made before, until they are replaced
  sweep                        writes anew what erased words stood in, so that no byte of them is left in inbox.db; erase does
                               it, too, and the service within ten minutes
${NOTICE_HELP}${EDIT_HELP}`;

const TEXT = { type: 'string' } as const;
const {
  values,
  positionals: [command = '', id = '', ...rest],
} = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    reason: TEXT,
    'note-es': TEXT,
    'note-en': TEXT,
    'other-title': TEXT,
    summary: TEXT,
    'other-summary': TEXT,
    editor: TEXT,
    action: TEXT,
    picture: TEXT,
    ...QUEUE_OPTIONS,
  },
  allowPositionals: true,
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Where a command works, and who gives it. */
type Terminal = QueueTerminal & LogTerminal;

function find({ inbox }: Terminal): StoredSubmission {
  const stored = getSubmission(inbox, id);
  if (stored === null)
    throw new Error(`There is no submission '${id}'. npm run review -- list shows those that wait`);
  return stored;
}

const toReview = ({ actor }: Terminal, { reference, revision }: StoredSubmission): Review => ({
  ...actor,
  reference,
  revision,
});

function findEvent({ snapshot, actor }: Terminal): string {
  const detail = getEvent(snapshot, id, actor.now_ms);
  if (detail === 'gone')
    throw new Error(
      `'${id}' was withdrawn. npm run review -- log --action withdraw has the number of that; undo NUMBER brings it back`,
    );
  if (detail === null) throw new Error(`There is no published event '${id}'`);
  return detail.event.id;
}

/** Throws with every field that is wrong, and why. */
function failWith(what: string, issues: readonly { field: string; why: string }[]): void {
  if (issues.length > 0)
    throw new Error(
      `It cannot be ${what}:\n${issues.map(({ field, why }) => `  ${field}: ${why}`).join('\n')}`,
    );
}

/** What readers are to be told, by language. */
const readNote = (): LocalText => ({ es: values['note-es'] ?? '', en: values['note-en'] ?? '' });

/** Approves what waits, with the other language where it is given here; grants a request. */
function approveOrGrant(terminal: Terminal): void {
  const { inbox, snapshot } = terminal;
  const stored = find(terminal);
  const review = toReview(terminal, stored);
  if (isRequest(stored)) {
    grant(inbox, review, readNote());
    return;
  }
  const given = {
    other_title: values['other-title'],
    summary: values.summary,
    other_summary: values['other-summary'],
  };
  const changed = Object.entries(given).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text] as const],
  );
  const edits = changeEdits(stored, Object.fromEntries(changed));
  const { text, issues } = approve(inbox, toKnown(snapshot), review, edits);
  failWith('approved', [
    ...text.issues.map(({ field, rule }) => ({ field, why: rule })),
    ...issues.map(({ field, message }) => ({ field, why: message })),
  ]);
}

function settle({ inbox, actor }: Terminal, action: SettleAction): void {
  settleCorrection(inbox, actor, id, action, values.reason ?? '');
}

function setStatus(terminal: Terminal, action: StatusAction): void {
  const { inbox, actor } = terminal;
  changeStatus(inbox, actor, findEvent(terminal), action, values.reason ?? '', readNote());
}

/** Throws where it has to be done again. */
function sweepOut(inbox: Inbox): void {
  if (!sweep(inbox))
    throw new Error(
      'Bytes of it are still in the journal, for another program reads what stood there. Again, soon: npm run review -- sweep',
    );
}

const SOON = 'within seconds where the service runs (by hand: npm run amend)';
const NEXT = 'from the next release on: npm run release, or wait for the schedule';

const EDITS = Object.entries(
  toEditCommands([id, ...rest], { reason: values.reason ?? '', picture: values.picture }),
);

const COMMANDS: Readonly<Record<string, (terminal: Terminal) => void | Promise<void>>> = {
  ...Object.fromEntries(
    EDITS.map(([name, does]) => [name, async (on: Terminal) => say(await does(on))]),
  ),
  list: (terminal) => say(toQueueText(terminal, values)),
  next: (terminal) => say(takeNext(terminal)),
  claim: (terminal) => say(takeOne(terminal, id)),
  leave: (terminal) => say(leaveOne(terminal, id)),
  show: (terminal) => {
    const batch = showBatchInTerminal(terminal, id);
    if (batch !== null) return say(batch);
    const correction = getCorrection(terminal.inbox, id);
    if (correction !== null) {
      say(JSON.stringify(correction, null, 2));
      return;
    }
    const { draft, ...stored } = find(terminal);
    const warnings = listWarnings(stored.submission, terminal.actor.now_ms);
    say(JSON.stringify({ ...stored, warnings, draft }, null, 2));
  },
  approve: (terminal) => {
    const batch = approveBatchInTerminal(terminal, id, rest);
    if (batch !== null) return say(batch);
    approveOrGrant(terminal);
    say(`${id} is approved; it appears ${NEXT}.`);
  },
  reject: (terminal) => say(rejectInTerminal(terminal, [id, ...rest], values)),
  ask: (terminal) => say(askInTerminal(terminal, id, values)),
  done: (terminal) => {
    settle(terminal, 'done');
    say(`${id} is marked done.`);
  },
  dismiss: (terminal) => {
    settle(terminal, 'dismiss');
    say(`${id} is dismissed; the reason stays in the log.`);
  },
  undo: (terminal) => say(undoInTerminal(terminal, id, values.reason ?? '')),
  reopen: (terminal) => say(reopenInTerminal(terminal, id, values.reason ?? '')),
  log: (terminal) => say(toLogText(terminal, id, values)),
  cancel: (terminal) => {
    setStatus(terminal, 'cancel');
    say(`${id} is cancelled ${SOON}.`);
  },
  postpone: (terminal) => {
    setStatus(terminal, 'postpone');
    say(`${id} is postponed ${SOON}.`);
  },
  restore: (terminal) => {
    setStatus(terminal, 'restore');
    say(`${id} takes place again ${SOON}.`);
  },
  erase: ({ inbox, actor }) => {
    erase(inbox, id, actor);
    say(
      `What was private of ${id} is erased. Backups made before hold it until they are replaced.`,
    );
    sweepOut(inbox);
  },
  sweep: ({ inbox }) => {
    sweepOut(inbox);
    say('No byte of what was erased is left in inbox.db.');
  },
  notices: (terminal) => say(toNoticesText(terminal)),
  notice: (terminal) => {
    failWith('written', writeInTerminal(terminal, [id, ...rest]));
    say(`Written; it appears ${NEXT}.`);
  },
  close: (terminal) => {
    closeInTerminal(terminal, id);
    say(`${id} is closed ${NEXT}.`);
  },
  withdraw: (terminal) => {
    const { inbox, actor } = terminal;
    withdrawEvent(inbox, actor, findEvent(terminal), values.reason ?? '');
    say(`${id} answers 410 ${SOON}.`);
  },
};

/** Those of nothing in particular. */
const ALONE: readonly string[] = ['list', 'next', 'notices', 'edits', 'sweep'];

/** A refusal as the terminal says it: what is wrong with a reason is wrong with an option. */
function toError(thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const is_option = thrown.reason === 'no_reason' || thrown.reason === 'reason_too_long';
  return new Error(is_option ? `--${thrown.message}` : thrown.message);
}

async function run(): Promise<void> {
  const config = readConfig();
  const { data_dir, clock_start } = config;
  const layout = toLayout(data_dir);
  const release = readCurrent(layout);
  if (release === null) throw new Error('There is no release yet. npm run release builds one');
  const snapshot = openSnapshot(toReleasePaths(join(layout.releases_dir, release)).snapshot);
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  const actor = { editor: nameEditor(), now_ms: startClock(clock_start)() };
  try {
    await COMMANDS[command]?.({
      inbox,
      snapshot,
      actor,
      site: toSite(config),
      is_building: isLocked(layout.lock_file),
    });
  } catch (thrown) {
    throw toError(thrown);
  } finally {
    inbox.close();
    closeSnapshot(snapshot);
  }
}

if (values.help) process.stdout.write(HELP);
else if (
  !Object.hasOwn(COMMANDS, command) ||
  (ALONE.includes(command) && id !== '') ||
  (id === '' && ![...ALONE, 'undo', 'log'].includes(command))
)
  throw new Error(`Say what to do.\n\n${HELP}`);
else await run();
