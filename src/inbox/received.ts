// How much was ever taken in, for no row of a submission or a correction goes.
import * as v from 'valibot';
import type { QueueChannel } from '../domain/queue/waiting.ts';
import type { Inbox } from './open.ts';

const CHANNELS = ['form', 'agent', 'report'] as const satisfies readonly QueueChannel[];
const Rows = v.array(v.object({ channel: v.picklist(CHANNELS), count: v.number() }));

/** By the way it came; each way once. */
export function countReceived(inbox: Inbox): v.InferOutput<typeof Rows> {
  const rows = v.parse(
    Rows,
    inbox
      .prepare(
        `select channel, count(*) as count from submissions group by channel
           union all select 'report', count(*) from corrections`,
      )
      .all(),
  );
  return CHANNELS.map(
    (channel) => rows.find((row) => row.channel === channel) ?? { channel, count: 0 },
  );
}
