// What is mailed once a day: to editors what waits, to senders whether their event is still on.
import { toCancun, toCancunDay } from '../domain/cancun-time.ts';
import { isRequest } from '../domain/submission/submission.ts';
import { countPendingCorrections } from '../inbox/corrections.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { beginMailRun, insertMail } from '../inbox/outbox.ts';
import { listPublishedReferences } from '../inbox/publications.ts';
import { countPending, getSubmission, listPending } from '../inbox/submissions.ts';
import type { ReleasedEvents } from '../snapshot/released-events.ts';
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

/** What waits at the desk, the most pressing first. */
export function readWaiting(inbox: Inbox): Waiting {
  const pending = listPending(inbox);
  const urgent = pending.filter(isRequest);
  const others = pending.filter((stored) => !isRequest(stored));
  return {
    submissions: countPending(inbox),
    urgent: urgent.length,
    corrections: countPendingCorrections(inbox),
    first: [...urgent, ...others].slice(0, NAMED).map(({ reference, submission }) => ({
      reference,
      title: submission.title,
      start: submission.start,
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
    if (countPending(inbox) + countPendingCorrections(inbox) === 0) return;
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
    for (const reference of listPublishedReferences(inbox)) {
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
