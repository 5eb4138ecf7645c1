// Forgetting: what is private of a submission or a correction ends by itself some time after its event,
// and at once where somebody asks for it (contract 14.26).
import * as v from 'valibot';
import { parseDay, startOfDayMs, toLocalDay } from '../domain/local-time.ts';
import type { Actor, ChangeState } from '../domain/change.ts';
import { getImportByReference, listImportReferences } from '../inbox/calendar-imports.ts';
import { erasePrivateColumns, listPrivateHolders, type PrivateHolder } from '../inbox/erase.ts';
import { deleteUnconfirmedSubscribers } from '../inbox/subscribers.ts';
import { listUnparsableChanges } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { recordDecisionWithoutChanges } from './decisions.ts';
import { refusal } from '../domain/app-error.ts';
import { type PrivateData, PRIVATE_RETENTION_DAYS } from '../domain/submission/submission.ts';

const WhenSchema = v.object({
  event: v.object({
    when: v.array(
      v.object({ dates: v.optional(v.array(v.string())), until: v.optional(v.string()) }),
    ),
  }),
});

/** The days (or moments) that a stored text and its publication name; of that none that it cannot read. */
const listDays = ({ change, publication }: PrivateHolder): readonly string[] => [
  ...(change.maker === 'sender'
    ? [change.text.start, change.text.end ?? '', ...change.text.dates]
    : []),
  ...(v.is(WhenSchema, publication)
    ? publication.event.when.flatMap(({ dates = [], until }) => [...dates, until ?? ''])
    : []),
];

/** How what was never published is over, when its decision is made. */
const ENDED = {
  sender: ['refused', 'taken_back'],
  reader: ['applied', 'refused'],
} satisfies Record<string, readonly ChangeState[]>;

/** From when on what is private of it is not held any more, epoch ms. */
function toEndMs(holder: PrivateHolder): number {
  const { change, publication, decided_at } = holder;
  const ended: readonly ChangeState[] = ENDED[change.maker];
  const is_over = publication === null && ended.includes(change.state);
  const days = is_over ? [decided_at ?? ''] : listDays(holder);
  return days.length === 0 ? Number.POSITIVE_INFINITY : toHeldUntil([change.at, ...days]);
}

/** From the last of some moments; for ever where that is no day. */
function toHeldUntil(moments: readonly string[]): number {
  const last = moments.map((moment) => moment.slice(0, 10)).sort();
  const day = parseDay(last.at(-1) ?? '');
  return day === null
    ? Number.POSITIVE_INFINITY
    : startOfDayMs(day.add({ days: PRIVATE_RETENTION_DAYS + 1 }));
}

/** Forgets what is due; how many submissions, corrections and readers that were. To be called now and then. */
export async function eraseExpired(inbox: Inbox, now_ms: number): Promise<number> {
  const listDue = async (): Promise<readonly string[]> => {
    const held = (await listPrivateHolders(inbox)).filter((holder) => toEndMs(holder) <= now_ms);
    const lost = (await listUnparsableChanges(inbox)).filter(
      ({ at }) => toHeldUntil([at]) <= now_ms,
    );
    return [
      ...new Set([
        ...held.map(({ change }) => change.reference),
        ...lost.map(({ reference }) => reference),
      ]),
    ];
  };
  const readers = await deleteUnconfirmedSubscribers(inbox, now_ms);
  if ((await listDue()).length === 0) return readers;
  return inbox.transaction(async () => {
    // Its sender may have written anew meanwhile.
    const due = await listDue();
    for (const reference of due) await erasePrivateColumns(inbox, reference);
    return due.length + readers;
  });
}

/** Of submissions or corrections, until the last of it goes; null where nothing private is held. */
export async function getPrivateData(
  inbox: Inbox,
  ...references: readonly string[]
): Promise<PrivateData | null> {
  const held = await Array.fromAsync(references, (reference) =>
    listPrivateHolders(inbox, reference),
  );
  const holders = held.flat();
  if (holders.length === 0) return null;
  const end_ms = Math.max(...holders.map(toEndMs));
  return { until: Number.isFinite(end_ms) ? toLocalDay(end_ms - 1).toString() : null };
}

/** Forgets it now, of all of a calendar too: the desk does, which is logged, or (null) its sender. */
export async function erasePrivateData(
  inbox: Inbox,
  reference: string,
  actor: Actor | null,
): Promise<void> {
  const subject = reference.toUpperCase();
  const clear = async (): Promise<void> => {
    const batch = await getImportByReference(inbox, subject);
    const references = batch === null ? [subject] : await listImportReferences(inbox, batch);
    const here = await Array.fromAsync(references, (one) => erasePrivateColumns(inbox, one));
    if (!here.includes(true)) throw refusal('no_such_submission');
  };
  if (actor === null) await inbox.transaction(clear);
  else await recordDecisionWithoutChanges(inbox, { ...actor, action: 'erase', subject }, clear);
}
