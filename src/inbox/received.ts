// How much there is: what was ever taken in, for no row of a submission or a correction goes; and the rows
// by which a copy is compared with its original.
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

const RowCounts = v.object({
  submissions: v.number(),
  publications: v.number(),
  decisions: v.number(),
  uploads: v.number(),
});

/** Rows of the tables that tell a whole copy from a part of one. */
export const countRows = (inbox: Inbox): v.InferOutput<typeof RowCounts> =>
  v.parse(
    RowCounts,
    inbox
      .prepare(
        `select (select count(*) from submissions) as submissions, (select count(*) from publications) as publications,
           (select count(*) from decisions) as decisions, (select count(*) from uploads) as uploads`,
      )
      .get(),
  );
