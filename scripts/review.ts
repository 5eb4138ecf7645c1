// npm run review: the review desk in a terminal.
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { AppError } from '../src/domain/app-error.ts';
import { toCleanLine } from '../src/domain/clean-text.ts';
import type { StoredSubmission } from '../src/domain/submission/state.ts';
import { listWarnings } from '../src/domain/submission/warnings.ts';
import { readCurrent, toLayout, toReleasePaths } from '../src/releases/layout.ts';
import { getEvent } from '../src/snapshot/get-event.ts';
import { getVenue } from '../src/snapshot/get-venue.ts';
import { listOrganizers } from '../src/snapshot/list-pages.ts';
import { closeSnapshot, openSnapshot, type Snapshot } from '../src/snapshot/open.ts';
import { approveSubmission, grantRequest, undoLast } from '../src/desk/approve.ts';
import { readReviewedText, toDraft } from '../src/desk/reviewed-text.ts';
import { closeNotice } from '../src/desk/notices.ts';
import { overrideEvent } from '../src/desk/override.ts';
import { withdrawEvent } from '../src/desk/withdraw.ts';
import { getUndoable } from '../src/inbox/decisions.ts';
import { countPending, getSubmission, listPending } from '../src/inbox/submissions.ts';
import { type Inbox, openInbox } from '../src/inbox/open.ts';
import { refuseSubmission } from '../src/desk/review.ts';
import { toNoticeLines, writeByFields } from './review-notices.ts';

const HELP = `npm run review -- list · show ID · approve ID · reject ID · ask ID · undo · cancel EVENT · postpone EVENT · restore EVENT · withdraw EVENT
                 notices · notice FIELD=TEXT … · close NOTICE

What the desk at /revision does, in a terminal; decisions are logged under the name of this user.
  list                         what waits
  show ID                      one submission, by its reference (HC-7K3M9Q)
  approve ID                   into the next release. The other language must be there: kept at the desk, or given here with
                               --other-title "…" --summary "…" --other-summary "…"
  reject ID --reason "…"       for good
  ask ID --reason "…"          back to the sender, to be changed
  undo                         the newest decision, whoever made it
  cancel EVENT --reason "…"    a published event, by id or slug: cancelled everywhere from the next release on
  postpone EVENT --reason "…"  the same, to a day that is not known yet
  restore EVENT                takes place after all
  withdraw EVENT --reason "…"  a published event, by id or slug, for legal reasons: 410 everywhere from the next release on
  notices                      those written here and at the desk
  notice FIELD=TEXT …          writes one: type=traffic severity=warning title_es="…" title_en="…" body_es="…" body_en="…"
                               source_url=https://…, and zone, start_date, start_time, end_date, end_time, source where there are;
                               without an end it lasts until it is closed
  close NOTICE                 ends one now
`;

const TEXT = { type: 'string' } as const;
const {
  values,
  positionals: [command = '', id = '', ...rest],
} = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    reason: TEXT,
    'other-title': TEXT,
    summary: TEXT,
    'other-summary': TEXT,
  },
  allowPositionals: true,
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Table {
  readonly inbox: Inbox;
  readonly snapshot: Snapshot;
  readonly editor: string;
  readonly now_ms: number;
}

function find({ inbox }: Table): StoredSubmission {
  const stored = getSubmission(inbox, id);
  if (stored === null)
    throw new Error(`There is no submission '${id}'. npm run review -- list shows those that wait`);
  return stored;
}

function show(table: Table): void {
  const { draft, ...stored } = find(table);
  say(
    JSON.stringify(
      { ...stored, warnings: listWarnings(stored.submission, table.now_ms), draft },
      null,
      2,
    ),
  );
}

function approve(table: Table): void {
  const { inbox, snapshot, now_ms, editor } = table;
  const stored = find(table);
  const review = { reference: stored.reference, revision: stored.revision, editor, now_ms };
  if (stored.asks === 'cancel' || stored.asks === 'postpone') {
    grantRequest(inbox, review, stored);
    return;
  }
  const given = {
    other_title: values['other-title'],
    summary: values.summary,
    other_summary: values['other-summary'],
  };
  const places = {
    taxonomy: snapshot.taxonomy,
    findVenue: (slug: string) => getVenue(snapshot, slug)?.id ?? null,
  };
  // What a reviewer kept at the desk, emptied controls as well, and over that what is given here.
  const stored_text = readReviewedText(stored, null, places, now_ms);
  const edits = toDraft({
    ...stored_text.values,
    ...stored_text.additions,
    ...Object.fromEntries(
      Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    ),
  });
  const { submission, additions, issues } = readReviewedText(stored, edits, places, now_ms);
  if (submission === null)
    throw new Error(
      `It cannot be approved:\n${issues.map(({ field, rule }) => `  ${field}: ${rule}`).join('\n')}`,
    );
  const missing = approveSubmission(
    inbox,
    review,
    stored,
    submission,
    additions,
    listOrganizers(snapshot),
  );
  if (missing.length > 0)
    throw new Error(
      `It cannot be approved:\n${missing.map(({ field, message }) => `  ${field}: ${message}`).join('\n')}`,
    );
}

function refuse(table: Table, action: 'ask' | 'reject'): void {
  const { inbox, editor, now_ms } = table;
  const stored = find(table);
  refuseSubmission(
    inbox,
    { reference: stored.reference, revision: stored.revision, editor, now_ms },
    action,
    values.reason ?? '',
  );
}

function findEvent({ snapshot, now_ms }: Table): string {
  const detail = getEvent(snapshot, id, now_ms);
  if (detail === null || detail === 'gone') throw new Error(`There is no published event '${id}'`);
  return detail.event.id;
}

const STATUSES = { cancel: 'cancelled', postpone: 'postponed', restore: 'published' } as const;

function setStatus(table: Table, action: keyof typeof STATUSES): void {
  const { inbox, editor, now_ms } = table;
  const reason = toCleanLine(values.reason ?? '');
  if (reason === '' && action !== 'restore')
    throw new Error('--reason: say why; it stays in the log');
  overrideEvent(inbox, { editor, action, reason: reason || null, now_ms }, findEvent(table), '', {
    status: STATUSES[action],
  });
}

function undo({ inbox, editor, now_ms }: Table): void {
  const last = getUndoable(inbox);
  if (last === null) throw new Error('There is no decision that could be undone');
  const { action, subject, editor: who } = undoLast(inbox, last.id, editor, now_ms);
  say(`Undone: ${action} of ${subject} by ${who}. It is as it was before.`);
}

const NEXT = 'from the next release on: npm run release, or wait for the schedule';

const COMMANDS: Readonly<Record<string, (table: Table) => void>> = {
  list: ({ inbox }) => {
    const waiting = listPending(inbox);
    const lines = waiting.map(
      (stored) =>
        `${stored.reference}  ${stored.received_at.slice(0, 16)}  ${stored.asks.padEnd(8)}  ${stored.submission.start}  ${stored.submission.title}`,
    );
    say(
      waiting.length === 0
        ? 'Nothing is waiting.'
        : [
            `${countPending(inbox)} waiting, the oldest first. npm run review -- show ID says more of one.`,
            ...lines,
          ].join('\n'),
    );
  },
  show,
  approve: (table) => {
    approve(table);
    say(`${id} is approved; it appears ${NEXT}.`);
  },
  reject: (table) => {
    refuse(table, 'reject');
    say(`${id} is rejected; its sender sees the reason. npm run review -- undo takes that back.`);
  },
  ask: (table) => {
    refuse(table, 'ask');
    say(`${id} waits for a change of its sender.`);
  },
  undo,
  cancel: (table) => {
    setStatus(table, 'cancel');
    say(`${id} is cancelled ${NEXT}.`);
  },
  postpone: (table) => {
    setStatus(table, 'postpone');
    say(`${id} is postponed ${NEXT}.`);
  },
  restore: (table) => {
    setStatus(table, 'restore');
    say(`${id} takes place again ${NEXT}.`);
  },
  notices: ({ inbox }) => {
    const lines = toNoticeLines(inbox);
    say(
      lines.length === 0
        ? 'No notice was written here. Those of content/notices stand in their files.'
        : lines.join('\n'),
    );
  },
  notice: (table) => {
    writeByFields(table.inbox, [id, ...rest], table);
    say(`Written; it appears ${NEXT}.`);
  },
  close: (table) => {
    closeNotice(table.inbox, id, table);
    say(`${id} is closed ${NEXT}.`);
  },
  withdraw: (table) => {
    withdrawEvent(table.inbox, findEvent(table), table.editor, values.reason ?? '', table.now_ms);
    say(`${id} answers 410 ${NEXT}.`);
  },
};

function run(): void {
  const { data_dir, clock_start } = readConfig();
  const layout = toLayout(data_dir);
  const release = readCurrent(layout);
  if (release === null) throw new Error('There is no release yet. npm run release builds one');
  const snapshot = openSnapshot(toReleasePaths(join(layout.releases_dir, release)).snapshot);
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    COMMANDS[command]?.({
      inbox,
      snapshot,
      editor: `${userInfo().username} (terminal)`,
      now_ms: startClock(clock_start)(),
    });
  } catch (thrown) {
    throw thrown instanceof AppError ? new Error(thrown.message) : thrown;
  } finally {
    inbox.close();
    closeSnapshot(snapshot);
  }
}

if (values.help) process.stdout.write(HELP);
else if (
  !Object.hasOwn(COMMANDS, command) ||
  ['list', 'notices', 'undo'].includes(command) !== (id === '')
)
  throw new Error(`Say what to do.\n\n${HELP}`);
else run();
