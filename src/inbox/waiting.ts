// What waits for a decision, from every table that has some, as light rows: a flood of thousands is
// ordered without reading each text whole.
import * as v from 'valibot';
import type { Waiting } from '../domain/queue/waiting.ts';
import { WAITS_IN_BATCH } from './batches.ts';
import type { Inbox } from './open.ts';
import { SUBMISSION_ASKS } from '../domain/submission/submission.ts';
import { CORRECTABLE, type Correctable } from '../domain/correction.ts';

const Strings = v.array(v.nullable(v.string()));
const JsonStrings = v.pipe(
  v.string(),
  v.transform((json): unknown => JSON.parse(json)),
  v.fallback(Strings, []),
);

/** What SQL says of a condition. */
const Flag = v.pipe(
  v.number(),
  v.transform((flag) => flag === 1),
);

const SubmissionRow = v.object({
  reference: v.string(),
  asks: v.picklist(SUBMISSION_ASKS),
  channel: v.picklist(['form', 'agent']),
  received_at: v.string(),
  is_doubtful: Flag,
  title: v.string(),
  venue: v.nullable(v.string()),
  place: v.nullable(v.string()),
  start: v.string(),
  end: v.nullable(v.string()),
  dates: JsonStrings,
  words: JsonStrings,
});

/** What came with a calendar waits and is decided with that. */
const WAITS_ALONE = `state = 'pending' and not (${WAITS_IN_BATCH})`;

const SUBMISSIONS = `select reference, asks, channel, received_at, reference in doubts as is_doubtful,
    record ->> '$.title' as title, record ->> '$.venue' as venue, record ->> '$.venue_name' as place,
    record ->> '$.start' as start, record ->> '$.end' as "end", coalesce(record -> '$.dates', '[]') as dates,
    json_array(record ->> '$.organizer.name', record ->> '$.contact_email', record ->> '$.category') as words
  from submissions where ${WAITS_ALONE}`;

/** The submissions, corrections of submissions and requests that wait. */
export function listWaitingSubmissions(inbox: Inbox): Waiting[] {
  return v.parse(v.array(SubmissionRow), inbox.prepare(SUBMISSIONS).all()).map((row) => {
    const { asks, start, dates, words, ...rest } = row;
    const hour = start.slice(10);
    const further = dates.filter((day) => day !== null);
    return {
      ...rest,
      kind: asks === 'publish' ? 'new' : asks === 'change' ? 'change' : 'request',
      words: words.filter((word) => word !== null),
      starts: [start, ...further.map((day) => (day.length > 10 ? day : `${day}${hour}`))],
    };
  });
}

const ReportRow = v.object({
  reference: v.string(),
  received_at: v.string(),
  is_doubtful: Flag,
  title: v.string(),
  about: v.picklist(CORRECTABLE),
  thing: v.string(),
  change: v.string(),
});

const REPORTS = `select reference, received_at, reference in doubts as is_doubtful, title, kind as about, thing, record ->> '$.change' as change
  from corrections where state = 'pending'`;

const BatchRow = v.object({
  reference: v.string(),
  title: v.string(),
  received_at: v.string(),
  is_doubtful: Flag,
  starts: JsonStrings,
  words: JsonStrings,
});

const BATCHES = `select b.reference, b.name as title, min(s.received_at) as received_at, b.reference in doubts as is_doubtful,
    json_group_array(s.record ->> '$.start') as starts, json_group_array(s.record ->> '$.title') as words
  from batches b join batch_items i on i.batch = b.id
    join submissions s on s.reference = i.reference
  where s.state = 'pending' and s.asks = 'publish' group by b.id`;

/** Calendars of which something waits, with the first day of each of its events. */
export const listWaitingBatches = (inbox: Inbox): Waiting[] =>
  v.parse(v.array(BatchRow), inbox.prepare(BATCHES).all()).map(({ starts, words, ...rest }) => ({
    ...rest,
    kind: 'batch',
    channel: 'form',
    words: words.filter((word) => word !== null),
    venue: null,
    place: null,
    starts: starts.filter((start) => start !== null),
    end: null,
  }));

/** A report with what it is about. */
export interface WaitingReport extends Waiting {
  readonly about: { readonly kind: Correctable; readonly id: string };
}

/** What readers report and waits; the days of what it is about are for whoever knows the agenda. */
export const listWaitingReports = (inbox: Inbox): WaitingReport[] =>
  v
    .parse(v.array(ReportRow), inbox.prepare(REPORTS).all())
    .map(({ about, thing, change, ...rest }) => ({
      ...rest,
      about: { kind: about, id: thing },
      kind: 'report',
      channel: 'report',
      words: [change],
      venue: about === 'venue' ? thing : null,
      place: null,
      starts: [],
      end: null,
    }));

const CountsRow = v.object({
  waiting: v.number(),
  urgent: v.number(),
  oldest_urgent_at: v.nullable(v.string()),
});

const IS_URGENT = "asks not in ('publish', 'change')";
/** In one pass over the index of those that wait: an alarm asks for this again and again. */
const COUNTS = `select count(*) + (select count(*) from corrections where state = 'pending')
      + (select count(distinct batch) - count(*) from submissions join batch_items using (reference)
          where state = 'pending' and asks = 'publish') as waiting,
    count(*) filter (where ${IS_URGENT}) as urgent,
    min(received_at) filter (where ${IS_URGENT}) as oldest_urgent_at
  from submissions where state = 'pending'`;

/**
 * How much waits, a calendar counted once; how many of that are requests to cancel or postpone, and since
 * when the oldest of those (timestamp; null where there is none).
 */
export const countWaiting = (inbox: Inbox): v.InferOutput<typeof CountsRow> =>
  v.parse(CountsRow, inbox.prepare(COUNTS).get());
