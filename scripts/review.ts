// npm run review: what waits, listed and decided in a terminal. The rest of the desk is on the web.
import { erase } from '../src/desk/forget.ts';
import { toKnown } from '../src/desk/known.ts';
import { changeDay, changeStatus, type StatusAction, withdrawEvent } from '../src/desk/status.ts';
import { readQueue } from '../src/desk/queue.ts';
import { approve, changeEdits, grant, refuse } from '../src/desk/review.ts';
import { compact } from '../src/inbox/erase.ts';
import { getSubmission } from '../src/inbox/submissions.ts';
import type { EventDetail } from '../src/domain/agenda.ts';
import { toCleanLine } from '../src/domain/clean-text.ts';
import { readQueueQuestion } from '../src/domain/queue.ts';
import { isRequest, type StoredSubmission } from '../src/domain/submission/submission.ts';
import { DESK_PATHS } from '../src/i18n/paths.ts';
import { readCurrent, toLayout, toSnapshotPath } from '../src/releases/snapshots.ts';
import { getEvent } from '../src/snapshot/get-thing.ts';
import { closeSnapshot, openSnapshot, type Snapshot } from '../src/snapshot/open.ts';
import { type Desk, runInboxCommand } from './commands.ts';

const SOON = 'A running server publishes it within seconds; where none runs: npm run release.';

async function read<T>({ config }: Desk, question: (snapshot: Snapshot) => T | Promise<T>) {
  const layout = toLayout(config.data_dir);
  const current = readCurrent(layout);
  if (current === null) throw new Error('There is no release yet. npm run release builds one');
  const snapshot = openSnapshot(toSnapshotPath(layout, current));
  try {
    return await question(snapshot);
  } finally {
    closeSnapshot(snapshot);
  }
}

async function find({ inbox, config }: Desk, id: string): Promise<StoredSubmission> {
  const stored = await getSubmission(inbox, id);
  if (stored !== null) return stored;
  const desk = `${config.site_url}${DESK_PATHS.queue}`;
  throw new Error(`There is no submission '${id}'; calendars and readers' reports are at ${desk}`);
}

async function findEvent(desk: Desk, name: string): Promise<EventDetail> {
  const detail = await read(desk, (snapshot) => getEvent(snapshot, name, desk.actor.now_ms));
  if (detail === null) throw new Error(`There is no published event '${name}'`);
  if (detail !== 'gone') return detail;
  throw new Error(`'${name}' was withdrawn: undo that at ${desk.config.site_url}${DESK_PATHS.log}`);
}

async function list(desk: Desk): Promise<string> {
  const { items, total, page, pages } = await read(desk, (snapshot) =>
    readQueue(desk.inbox, snapshot, readQueueQuestion(desk.options), desk.actor.now_ms),
  );
  const lines = items.map(({ reference, group, kind, day, received_at, is_doubtful, title }) => {
    const columns = [reference, group.padEnd(7), kind.padEnd(7), (day ?? '').padEnd(10)];
    const doubt = is_doubtful ? ['doubtful'] : [];
    return [...columns, received_at.slice(0, 16), ...doubt, toCleanLine(title)].join('  ');
  });
  return [`${total} wait, the most urgent first; page ${page} of ${pages}`, ...lines].join('\n');
}

async function approveOne(desk: Desk, id: string): Promise<string> {
  const stored = await find(desk, id);
  const { reference, revision } = stored;
  const review = { ...desk.actor, reference, revision };
  if (isRequest(stored)) await grant(desk.inbox, review);
  else {
    const { text, issues } = await read(desk, (snapshot) =>
      approve(desk.inbox, toKnown(snapshot), review, changeEdits(stored, {})),
    );
    const faults = [...text.issues, ...issues].map(({ field, rule }) => `${field}: ${rule}`);
    const page = `${desk.config.site_url}${DESK_PATHS.items}/${reference}`;
    if (faults.length > 0)
      throw new Error(`It cannot be approved (${faults.join(', ')}); mend it at ${page}`);
  }
  return `${reference} is approved. ${SOON}`;
}

async function refuseOne(desk: Desk, id: string, action: 'ask' | 'reject'): Promise<string> {
  const { reference, revision } = await find(desk, id);
  const review = { ...desk.actor, reference, revision };
  await refuse(desk.inbox, review, action, desk.options.reason ?? '');
  return `${reference} is ${action === 'ask' ? 'sent back to be changed' : 'rejected'}; its sender reads why.`;
}

const setStatus =
  (action: StatusAction) =>
  async (desk: Desk, name: string): Promise<string> => {
    const { date, reason = '' } = desk.options;
    const detail = await findEvent(desk, name);
    if (date === undefined)
      await changeStatus(desk.inbox, desk.actor, detail.event.id, action, reason);
    else await changeDay(desk.inbox, desk.actor, detail, { action, date, note: {} }, reason);
    return `Done: ${action} ${name}${date === undefined ? '' : ` on ${date}`}. ${SOON}`;
  };

async function withdraw(desk: Desk, name: string): Promise<string> {
  const { event } = await findEvent(desk, name);
  await withdrawEvent(desk.inbox, desk.actor, event.id, desk.options.reason ?? '');
  return `${name} is withdrawn. ${SOON}`;
}

async function compactInbox({ inbox }: Desk): Promise<string> {
  if (await compact(inbox)) return 'No byte of what was erased is left in the inbox.';
  throw new Error('Another program still reads what was erased; again, soon: review -- compact');
}

async function eraseOne(desk: Desk, id: string): Promise<string> {
  await erase(desk.inbox, id, desk.actor);
  return `What was private of ${id} is erased; backups made before still hold it. ${await compactInbox(desk)}`;
}

const DATED = 'EVENT [--date DAY]';
await runInboxCommand(
  `Lists and decides what waits, logged under this user's name. Everything else (editing, notices, calendars, reports,
the log, undoing, what readers are told of a cancellation) is done in the desk on the web, at ${DESK_PATHS.queue}.`,
  {
    'list [--page N]': ['what waits, the most urgent first', list],
    'show ID': ['a submission', async (desk, id) => JSON.stringify(await find(desk, id), null, 2)],
    'approve ID': ['as it was sent or edited at the desk; or grants a request', approveOne],
    'reject ID --reason TEXT': ['for good', (desk, id) => refuseOne(desk, id, 'reject')],
    'ask ID --reason TEXT': ['back, to be changed', (desk, id) => refuseOne(desk, id, 'ask')],
    [`cancel ${DATED} --reason TEXT`]: ['whole, or one day of it', setStatus('cancel')],
    [`postpone ${DATED} --reason TEXT`]: ['to a day not known yet', setStatus('postpone')],
    [`restore ${DATED} [--reason TEXT]`]: ['takes place after all', setStatus('restore')],
    'withdraw EVENT --reason TEXT': ['off every surface, for legal reasons', withdraw],
    'erase ID': ['what is private, at once; what is public stays', eraseOne],
    compact: [
      'leaves no byte of what was erased in the inbox; a server does so, too',
      compactInbox,
    ],
  },
);
