// What is mailed once a day: to editors what waits, to senders whether their event is still on.
import { toCancun, toCancunDay } from '../domain/cancun-time.ts';
import {
  QUEUE_GROUPS,
  QUEUE_SORTS,
  type QueueGroup,
  type QueueItem,
  type QueueKind,
  toQueueItem,
} from '../domain/queue/waiting.ts';
import { DESK_PATHS } from '../i18n/paths.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { beginMailRun, insertMail } from '../inbox/outbox.ts';
import { getSubmission, listPublications } from '../inbox/submissions.ts';
import { listWaiting } from '../inbox/waiting.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';
import { toEventId } from '../desk/known.ts';
import { toMailReader } from '../desk/mail.ts';
import type { Waiting } from './letter.ts';

/** The hour in Cancún from which senders are asked. */
const REMINDER_HOUR = 10;
/** Days before the event. */
const DAYS_BEFORE = 2;
/** Days after which somebody's word is old enough to ask again. */
const OLD_DAYS = 30;
/** Named in a digest. */
const NAMED = 10;

/** All that waits at the desk, as its queue has it: the most urgent first. */
const listQueue = (inbox: Inbox, now_ms: number): readonly QueueItem[] =>
  listWaiting(inbox)
    .map((waiting) => toQueueItem(waiting, now_ms))
    .sort(QUEUE_SORTS.urgency);

const FOLDERS: Readonly<Record<QueueKind, string>> = {
  ...{ request: DESK_PATHS.items, change: DESK_PATHS.items, new: DESK_PATHS.items },
  ...{ batch: DESK_PATHS.batches, report: DESK_PATHS.corrections },
};

/** What editors are told of it. */
export function readWaiting(inbox: Inbox, now_ms: number): Waiting {
  const items = listQueue(inbox, now_ms);
  const count = (group: QueueGroup): number => items.filter((item) => item.group === group).length;
  return {
    total: items.length,
    groups: QUEUE_GROUPS.map((group) => ({ group, count: count(group) })),
    first: items.slice(0, NAMED).map(({ kind, reference, title, day }) => ({
      ...{ title, day, path: `${FOLDERS[kind]}/${reference}` },
    })),
  };
}

/** Queues what this day's editors are told, once a day from an hour on, where anything waits. */
export function queueDigest(
  inbox: Inbox,
  { editors, hour }: { readonly editors: readonly string[]; readonly hour: number },
  now_ms: number,
): void {
  if (editors.length === 0 || toCancun(now_ms).hour < hour) return;
  const day = toCancunDay(now_ms).toString();
  inTransaction(inbox, () => {
    if (!beginMailRun(inbox, 'digest', day)) return;
    if (listWaiting(inbox).length === 0) return;
    for (const editor of editors)
      insertMail(inbox, {
        ...{ kind: 'digest', subject: day, revision: 0, detail: toMailReader(inbox, editor) },
        ...{ queued_ms: now_ms, next_ms: now_ms },
      });
  });
}

/** Queues, once a day, the question to the senders of what begins in two days and is not sure. */
export function queueReminders(inbox: Inbox, release: ReleasedEvents, now_ms: number): void {
  if (toCancun(now_ms).hour < REMINDER_HOUR) return;
  const today = toCancunDay(now_ms);
  const day = today.add({ days: DAYS_BEFORE });
  inTransaction(inbox, () => {
    if (!beginMailRun(inbox, 'reminders', today.toString())) return;
    const unsure = new Set(release.listUnsure(day, today.subtract({ days: OLD_DAYS })));
    for (const { reference } of listPublications(inbox)) {
      const stored = unsure.has(toEventId(reference)) ? getSubmission(inbox, reference) : null;
      // Who has just written knows.
      if (stored === null || stored.state === 'pending') continue;
      insertMail(inbox, {
        ...{ kind: 'reminder', subject: reference, revision: stored.revision },
        ...{ detail: day.toString(), queued_ms: now_ms, next_ms: now_ms },
      });
    }
  });
}
