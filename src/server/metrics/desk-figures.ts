// What the desk has to do, and what came in: read from the inbox, at most every few seconds.
import type { QueueGroup } from '../../domain/queue/waiting.ts';
import { countQueue } from '../../desk/queue.ts';
import { countReceived } from '../../inbox/received.ts';
import type { Inbox } from '../../inbox/open.ts';
import { readMailHealth } from '../../inbox/outbox.ts';
import type { Snapshot } from '../../snapshot/open.ts';
import { type Figure, toGauge } from './figure.ts';

/** A flood of thousands is not counted at every scrape. */
const KEPT_MS = 10_000;

/** Reads the figures, or gives those of a moment ago. */
export function createDeskFigures(
  inbox: Inbox,
): (snapshot: Snapshot, now_ms: number) => readonly Figure[] {
  let kept: { readonly at_ms: number; readonly figures: readonly Figure[] } | null = null;
  return (snapshot, now_ms) => {
    const at_ms = performance.now();
    if (kept === null || at_ms - kept.at_ms > KEPT_MS)
      kept = { at_ms, figures: readDesk(inbox, snapshot, now_ms) };
    return kept.figures;
  };
}

function readDesk(inbox: Inbox, snapshot: Snapshot, now_ms: number): readonly Figure[] {
  const queue = countQueue(inbox, snapshot, now_ms);
  const toGroups = (read: (group: QueueGroup) => number) =>
    queue.map(({ group }) => ({ value: read(group), labels: { group } }));
  const of = (group: QueueGroup) => queue.find((one) => one.group === group);
  const mail = readMailHealth(inbox, now_ms);
  return [
    {
      name: 'hoy_queue_items',
      help: 'What waits for a decision of the desk, by how urgent it is.',
      type: 'gauge',
      values: toGroups((group) => of(group)?.count ?? 0),
    },
    {
      name: 'hoy_queue_oldest_seconds',
      help: 'How long the oldest of each group has waited; 0 where none does.',
      type: 'gauge',
      values: toGroups((group) => (of(group)?.oldest_ms ?? 0) / 1000),
    },
    {
      name: 'hoy_submissions_total',
      help: 'Submissions and corrections that were ever taken in, by the way they came.',
      type: 'counter',
      values: countReceived(inbox).map(({ channel, count }) => ({
        value: count,
        labels: { channel },
      })),
    },
    toGauge('hoy_mail_waiting', 'Letters that wait to be sent.', mail.waiting),
    toGauge('hoy_mail_failed', 'Letters that were given up in the last days.', mail.failed),
  ];
}
