// What waits for a decision, each as one item of the queue.
import { sql } from 'kysely';
import * as v from 'valibot';
import type { Correctable } from '../domain/correction.ts';
import type { QueueKind, Waiting } from '../domain/queue.ts';
import type { Change } from './changes.ts';
import type { Inbox } from './open.ts';
import { ChangeRow } from './tables.ts';

/** A flood of thousands is ordered without reading each row whole. */
const { reference, title, asks, door, kind, thing, at, is_doubtful, batch } = ChangeRow.entries;
const COLUMNS = { reference, title, asks, door, kind, thing, at, is_doubtful, batch };
const names = <T extends object>(of: T) => Object.keys(of) as (keyof T)[];
/** What is read of a text of any kind; what is not there is not said. */
const TextSchema = v.object({
  venue: v.nullish(v.string(), null),
  venue_name: v.nullish(v.string(), null),
  start: v.nullish(v.string(), null),
  end: v.nullish(v.string(), null),
  dates: v.nullish(v.array(v.string()), []),
  organizer: v.nullish(v.object({ name: v.nullish(v.string(), null) }), {}),
  contact_email: v.nullish(v.string(), null),
  category: v.nullish(v.string(), null),
  change: v.nullish(v.string(), null),
});

const KINDS: Readonly<Partial<Record<Change['asks'], QueueKind>>> = {
  publish: 'new',
  edit: 'change',
  check: 'report',
};

const Row = v.object({ ...COLUMNS, text: v.pipe(v.string(), v.parseJson(), TextSchema) });

/** An item, with what a reader's report is about. */
export interface WaitingItem extends Waiting {
  readonly about: { readonly kind: Correctable; readonly id: string } | null;
  /** The calendar that it came with and is decided with. */
  readonly batch: number | null;
}

function toItem(change: v.InferOutput<typeof Row>): WaitingItem {
  const { asks, door, kind, thing, text: said } = change;
  const { start, end, venue, venue_name, dates, organizer } = said;
  const hour = start?.slice(10) ?? '';
  const words = [organizer.name, said.contact_email, said.category, said.change];
  const is_report = asks === 'check';
  return {
    reference: change.reference ?? '',
    kind: KINDS[asks] ?? 'request',
    title: change.title,
    words: words.filter((word) => word !== null),
    venue: is_report && kind === 'venue' ? thing : venue,
    place: venue_name,
    starts:
      start === null
        ? []
        : [start, ...dates.map((day) => (day.length > 10 ? day : `${day}${hour}`))],
    end,
    channel: is_report ? 'report' : door === 'agent' ? 'agent' : 'form',
    received_at: change.at,
    is_doubtful: change.is_doubtful,
    about: is_report && thing !== null ? { kind, id: thing } : null,
    batch: asks === 'publish' ? change.batch : null,
  };
}

/** All that waits; what came with a calendar and is to be published is one item. */
export async function listWaiting(inbox: Inbox): Promise<readonly WaitingItem[]> {
  const rows = await inbox.db
    .selectFrom('changes')
    .select([...names(COLUMNS), 'text'])
    .where('state', '=', 'waiting')
    .orderBy('at')
    .orderBy('id')
    .execute();
  const items = v.parse(v.array(Row), rows).map(toItem);
  const of_batches = Map.groupBy(items, ({ batch }) => batch);
  const ids = [...of_batches.keys()].filter((id) => id !== null);
  const kept = inbox.db.selectFrom('batches').select(['id', 'reference', 'name']);
  const known = await kept.where('id', 'in', ids).execute();
  const batches = known.flatMap((batch): WaitingItem[] => {
    const own = of_batches.get(batch.id) ?? [];
    const [first] = own;
    if (first === undefined) return [];
    return [
      {
        ...first,
        kind: 'batch',
        reference: batch.reference ?? '',
        title: batch.name,
        words: own.map(({ title }) => title),
        venue: null,
        place: null,
        starts: own.flatMap(({ starts }) => starts.slice(0, 1)),
        end: null,
        received_at: own.map(({ received_at }) => received_at).sort()[0] ?? '',
        is_doubtful: own.some(({ is_doubtful }) => is_doubtful),
      },
    ];
  });
  // What has no calendar, or none that is kept any more, waits by itself.
  const own = new Set<number | null>(known.map(({ id }) => id));
  return [...items.filter(({ batch }) => !own.has(batch)), ...batches];
}

const IS_URGENT = sql`asks in ('cancel', 'postpone')`;
const IN_BATCH = sql`asks = 'publish' and batch is not null`;

/**
 * How much waits, a calendar counted once; how many of that are requests to cancel or postpone, and since
 * when the oldest of those (timestamp; null where there is none).
 */
export const countWaiting = (inbox: Inbox) =>
  // In one pass over the index of those that wait: an alarm asks for this again and again.
  inbox.db
    .selectFrom('changes')
    .select([
      sql<number>`count(*) filter (where not (${IN_BATCH})) + count(distinct batch) filter (where ${IN_BATCH})`.as(
        'waiting',
      ),
      sql<number>`count(*) filter (where ${IS_URGENT})`.as('urgent'),
      sql<string | null>`min(at) filter (where ${IS_URGENT})`.as('oldest_urgent_at'),
    ])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
