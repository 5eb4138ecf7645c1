// The gate of the inbox: whoever is to read or write there waits outside while another program has it to
// itself, and this process serves everybody else meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Inbox, withoutWaiting } from '../../inbox/open.ts';

/** How long one waits, and how often is looked. */
const PATIENCE_MS = 3_000;
const LOOK_MS = 50;

/** Whether it can be read now, or within the patience there is. */
export const untilReadable = (inbox: Inbox, patience_ms = PATIENCE_MS): Promise<boolean> =>
  until(inbox, patience_ms, () => inbox.prepare('select 1 from sessions limit 1').all());

/** Whether it can be written to now, or within the patience there is. */
export const untilWritable = (inbox: Inbox, patience_ms = PATIENCE_MS): Promise<boolean> =>
  until(inbox, patience_ms, () => inbox.exec('begin immediate; rollback'));

async function until(inbox: Inbox, patience_ms: number, look: () => unknown): Promise<boolean> {
  const end_ms = performance.now() + patience_ms;
  for (;;) {
    if (withoutWaiting(inbox, () => [look()]) !== null) return true;
    if (performance.now() >= end_ms) return false;
    await sleep(LOOK_MS);
    if (!inbox.open) return false;
  }
}
