// What is mailed once a day: to editors what waits, to senders whether their event is still on.
import { toCancun, toCancunDay } from '../domain/cancun-time.ts';
import { QUEUE_SORTS, type QueueItem, toQueueItem } from '../domain/queue/waiting.ts';
import { beginRun, insertLetter } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, listPublications } from '../inbox/submissions.ts';
import { listWaiting } from '../inbox/waiting.ts';
import { toEventId } from '../desk/known.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';

/** The hour in Cancún from which senders are asked. */
const REMINDER_HOUR = 10;
/** Days before the event. */
const DAYS_BEFORE = 2;
/** Days after which somebody's word is old enough to ask again. */
const OLD_DAYS = 30;

/** All that waits at the desk, as its queue has it: the most urgent first. */
export const listQueue = async (inbox: Inbox, now_ms: number): Promise<readonly QueueItem[]> =>
  (await listWaiting(inbox))
    .map((waiting) => toQueueItem(waiting, now_ms))
    .sort(QUEUE_SORTS.urgency);

/** Queues what editors are told, once a day from an hour on, where anything waits. */
export async function queueDigest(inbox: Inbox, hour: number, now_ms: number): Promise<void> {
  if (toCancun(now_ms).hour < hour) return;
  const subject = toCancunDay(now_ms).toString();
  await inbox.transaction(async () => {
    if (!(await beginRun(inbox, 'digest', subject)) || (await listWaiting(inbox)).length === 0)
      return;
    const at = { queued_ms: now_ms, at_ms: now_ms };
    await insertLetter(inbox, { kind: 'digest', subject, detail: '', ...at });
  });
}

/** Queues, once a day, the question to the senders of what begins in two days and is not sure. */
export async function queueReminders(
  inbox: Inbox,
  release: ReleasedEvents,
  now_ms: number,
): Promise<void> {
  if (toCancun(now_ms).hour < REMINDER_HOUR) return;
  const today = toCancunDay(now_ms);
  const day = today.add({ days: DAYS_BEFORE });
  await inbox.transaction(async () => {
    if (!(await beginRun(inbox, 'reminder', today.toString()))) return;
    const unsure = new Set(release.listUnsure(day, today.subtract({ days: OLD_DAYS })));
    for (const { reference: subject } of await listPublications(inbox)) {
      // Who has just written knows.
      if (
        !unsure.has(toEventId(subject)) ||
        (await getSubmission(inbox, subject))?.state === 'pending'
      )
        continue;
      const at = { queued_ms: now_ms, at_ms: now_ms };
      await insertLetter(inbox, { kind: 'reminder', subject, detail: day.toString(), ...at });
    }
  });
}
