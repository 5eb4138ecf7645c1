// npm run review: what waits, by urgency; whose it is; and what is sent back, one or several.
import { AppError } from '../src/domain/app-error.ts';
import { findRejection, findWish, REJECTIONS, WISHES } from '../src/domain/canned.ts';
import { toCleanLine } from '../src/domain/clean-text.ts';
import type { Actor } from '../src/domain/decision.ts';
import type { Lang } from '../src/domain/lang.ts';
import { readQueueQuestion } from '../src/domain/queue/question.ts';
import { QUEUE_GROUPS, type QueueItem } from '../src/domain/queue/waiting.ts';
import type { Site } from '../src/domain/site.ts';
import { listWaiting, refuseBatch } from '../src/desk/batch-review.ts';
import { claimItem, releaseItem } from '../src/desk/claims.ts';
import { findNext, readQueue, rejectSeveral } from '../src/desk/queue.ts';
import { refuse } from '../src/desk/review.ts';
import { toReason } from '../src/i18n/canned.ts';
import { listClaims } from '../src/inbox/claims.ts';
import { getBatch } from '../src/inbox/batches.ts';
import { getCorrection } from '../src/inbox/corrections.ts';
import type { Inbox } from '../src/inbox/open.ts';
import { getSubmission } from '../src/inbox/submissions.ts';
import { toDuplicateReason } from '../src/site/desk/duplicate-of.ts';
import type { Snapshot } from '../src/snapshot/open.ts';

export interface QueueTerminal {
  readonly inbox: Inbox;
  readonly snapshot: Snapshot;
  readonly actor: Actor;
  readonly site: Site;
}
type Values = Readonly<Record<string, string | boolean | undefined>>;

const TEXT = { type: 'string' } as const;
export const QUEUE_OPTIONS = {
  words: TEXT,
  group: TEXT,
  kind: TEXT,
  channel: TEXT,
  day: TEXT,
  sort: TEXT,
  page: TEXT,
  because: TEXT,
  'duplicate-of': TEXT,
} as const;

export const QUEUE_HELP = `  list                         what waits, the most urgent first: what is cancelled or postponed, what is within 48 hours, what waits
                               longest, what is doubtful. --words "…" --group urgent|soon|waiting|doubtful
                               --kind request|change|new|batch|report --channel form|agent|report --day 2026-12-05
                               --sort urgency|day|place|age --page 2
  next                         the most urgent that nobody else looks at
  claim ID · leave ID          takes one for ten minutes, whoever had it; gives it back
  reject ID … --because WHY    one or several, a calendar with all that waits of it: ${REJECTIONS.join(', ')}; with or without
                               --reason "…". Each sender reads it in their own language
  reject ID --duplicate-of X   of an event or submission, by reference, id, slug or address
  ask ID --because WHAT        ${WISHES.join(', ')}`;

const textOf = (values: Values, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

const toLine = (item: QueueItem, editor: string | undefined): string =>
  [
    item.reference,
    item.group.padEnd(8),
    item.kind.padEnd(7),
    (item.day ?? '').padEnd(10),
    item.received_at.slice(0, 16),
    toCleanLine(item.title).slice(0, 80),
    ...(item.place === null ? [] : [`@ ${toCleanLine(item.place)}`]),
    ...(item.crowd === null ? [] : [`(one of ${item.crowd})`]),
    ...(editor === undefined ? [] : [`[${editor}]`]),
  ].join('  ');

/** What waits, a line each, with how many of each group. */
export function toQueueText({ inbox, snapshot, actor }: QueueTerminal, values: Values): string {
  const names = ['group', 'kind', 'channel', 'day', 'sort', 'page'];
  const fields = Object.fromEntries(names.map((name) => [name, textOf(values, name)]));
  const question = readQueueQuestion({ ...fields, q: textOf(values, 'words') });
  for (const name of names)
    if (fields[name] && !Object.values(question).map(String).includes(fields[name]))
      throw new Error(`--${name}: '${fields[name]}' is none. See npm run review -- --help`);
  const queue = readQueue(inbox, snapshot, question, actor.now_ms);
  if (queue.total === 0) return 'Nothing is waiting.';
  const claims = listClaims(inbox, actor.now_ms);
  const counts = QUEUE_GROUPS.map((group) => `${queue.counts[group]} ${group}`).join(', ');
  return [
    `${counts}. Page ${queue.page} of ${queue.pages}. npm run review -- show ID says more of one.`,
    ...queue.items.map((item) => toLine(item, claims.get(item.reference)?.editor)),
  ].join('\n');
}

/** The next to look at, taken by who asks. */
export function takeNext({ inbox, snapshot, actor }: QueueTerminal): string {
  const next = findNext(inbox, snapshot, readQueueQuestion({}), actor, null);
  if (next === null) return 'Nothing is waiting.';
  claimItem(inbox, actor, next.reference);
  return toLine(next, actor.editor);
}

export function takeOne({ inbox, actor }: QueueTerminal, id: string): string {
  const reference = (getSubmission(inbox, id) ?? getBatch(inbox, id) ?? getCorrection(inbox, id))
    ?.reference;
  if (!reference) throw new Error(`There is nothing called '${id}'`);
  const { until_ms } = claimItem(inbox, actor, reference, true);
  return `${reference} is yours until ${new Date(until_ms).toISOString().slice(11, 16)} UTC.`;
}

export function leaveOne({ inbox }: QueueTerminal, id: string): string {
  releaseItem(inbox, id.toUpperCase());
  return `${id} is free.`;
}

/** The reason that the options give, for a sender who reads `lang`. */
function readReason(
  { inbox, snapshot, actor, site }: QueueTerminal,
  action: 'ask' | 'reject',
  values: Values,
): (lang: Lang) => string {
  const because = textOf(values, 'because');
  const chosen = action === 'ask' ? findWish(because) : findRejection(because);
  const known = action === 'ask' ? WISHES : REJECTIONS;
  if (because !== '' && chosen === null)
    throw new Error(`--because: '${because}' is none. Use ${known.join(', ')}`);
  const named = textOf(values, 'duplicate-of');
  const state = { snapshot, now_ms: actor.now_ms, site };
  return (lang) => {
    const why = named === '' ? '' : toDuplicateReason(inbox, state, named, lang);
    if (why === null)
      throw new AppError('invalid_parameter', `duplicate-of: nothing is called '${named}'`);
    return toReason(chosen, `${why} ${textOf(values, 'reason')}`, lang);
  };
}

/** Rejects one or several. */
export function rejectInTerminal(
  terminal: QueueTerminal,
  ids: readonly string[],
  values: Values,
): string {
  const { inbox, actor } = terminal;
  const picked = ids.map((id) => ({
    reference: id.toUpperCase(),
    revision: getSubmission(inbox, id)?.revision ?? 1,
  }));
  const toOwn = readReason(terminal, 'reject', values);
  const { decided, passed_over } = rejectSeveral(inbox, actor, picked, toOwn);
  const over = passed_over.map((id) => `${id} does not wait: nothing was done.`);
  if (decided.length === 0) throw new Error(over.join('\n'));
  const is = decided.length === 1 ? 'is' : 'are';
  return [
    `${decided.join(', ')} ${is} rejected; who sent it sees the reason. npm run review -- undo takes that back.`,
    ...over,
  ].join('\n');
}

/** Sends one back to be changed, or all that waits of a calendar. */
export function askInTerminal(terminal: QueueTerminal, id: string, values: Values): string {
  const { inbox, actor } = terminal;
  const batch = getBatch(inbox, id);
  if (batch !== null) {
    const chosen = listWaiting(inbox, batch).map((one) => ({ ...one, edits: {} }));
    const words = readReason(terminal, 'ask', values)(batch.lang);
    refuseBatch(inbox, actor, batch, chosen, 'ask', words);
    return `${chosen.length} of ${batch.reference} wait for a change of their sender.`;
  }
  const stored = getSubmission(inbox, id);
  if (stored === null) throw new Error(`There is no submission '${id}'`);
  const { reference, revision, submission } = stored;
  const reason = readReason(terminal, 'ask', values)(submission.lang);
  refuse(inbox, { ...actor, reference, revision }, 'ask', reason);
  return `${id} waits for a change of its sender.`;
}
