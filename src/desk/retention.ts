// Retention: erases the private data (such as email addresses) of submissions and corrections
// some time after their event, or at once on request (contract 14.26). Every hour it also deletes
// all other data that is stored for a limited time, although nothing new arrives.
import * as v from 'valibot';
import { parseDay, startOfDayMs, toLocalDay } from '../domain/local-time.ts';
import type { Actor, ChangeState } from '../domain/change.ts';
import {
  getImportByReference,
  listImportReferences,
  pruneImportDrafts,
} from '../inbox/calendar-imports.ts';
import { deleteExpiredSessions, pruneLoginAttempts } from '../inbox/editors.ts';
import {
  erasePrivateColumns,
  listPrivateHolders,
  markErased,
  type PrivateHolder,
} from '../inbox/erase.ts';
import { deleteUnconfirmedSubscribers } from '../inbox/subscribers.ts';
import { listUnparsableChanges } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { expireUnusedUploads } from '../inbox/uploads.ts';
import { recordDecisionWithoutChanges } from './decisions.ts';
import { pruneSenders } from './submission-limits.ts';
import { refusal } from '../domain/app-error.ts';
import { type PrivateData, PRIVATE_RETENTION_DAYS } from '../domain/submission/submission.ts';

/** The schedules of a publication. */
const WhenSchema = v.object({
  event: v.object({
    when: v.array(
      v.object({ dates: v.optional(v.array(v.string())), until: v.optional(v.string()) }),
    ),
  }),
});

/**
 * Lists the days or local times of a submission and its publication; an invalid publication has
 * none.
 */
const listDays = ({ change, publication }: PrivateHolder): readonly string[] => [
  ...(change.maker === 'sender'
    ? [change.text.start, change.text.end ?? '', ...change.text.dates]
    : []),
  ...(v.is(WhenSchema, publication)
    ? publication.event.when.flatMap(({ dates = [], until }) => [...dates, until ?? ''])
    : []),
];

/**
 * States in which an unpublished change is final, so that its retention counts from the decision;
 * by role of its author (`reader`: a visitor with a correction).
 */
const FINAL_STATES = {
  sender: ['refused', 'taken_back'],
  reader: ['applied', 'refused'],
} satisfies Record<string, readonly ChangeState[]>;

/** Returns the instant at which private data expires, epoch ms; infinite if it has no known end. */
function computeExpiryMs(holder: PrivateHolder): number {
  const { change, publication, decided_at } = holder;
  const final_states: readonly ChangeState[] = FINAL_STATES[change.maker];
  const is_final = publication === null && final_states.includes(change.state);
  const days = is_final ? [decided_at ?? ''] : listDays(holder);
  return days.length === 0 ? Number.POSITIVE_INFINITY : computeRetentionEndMs([change.at, ...days]);
}

/** Computes the end of retention from the latest timestamp; infinite if that is not a valid day. */
function computeRetentionEndMs(timestamps: readonly string[]): number {
  const days = timestamps.map((timestamp) => timestamp.slice(0, 10)).sort();
  const day = parseDay(days.at(-1) ?? '');
  return day === null
    ? Number.POSITIVE_INFINITY
    : startOfDayMs(day.add({ days: PRIVATE_RETENTION_DAYS + 1 }));
}

/** Deletes drafts of imported calendars after a day, also their bytes in the files. */
const expireImportDrafts = (inbox: Inbox, now_ms: number): Promise<void> =>
  inbox.transaction(async () => {
    if ((await pruneImportDrafts(inbox, now_ms)) > 0) await markErased(inbox);
  });

/**
 * Erases expired private data, digests of addresses, drafts, pictures and sessions. One that fails
 * does not stop the others.
 * @returns how many submissions, corrections and subscribers lost their data.
 * @throws the first error, at the end.
 */
export async function eraseExpired(inbox: Inbox, now_ms: number): Promise<number> {
  const errors: unknown[] = [];
  let count = 0;
  for (const erase of [
    eraseExpiredPrivateData,
    deleteUnconfirmedSubscribers,
    pruneSenders,
    expireImportDrafts,
    expireUnusedUploads,
    pruneLoginAttempts,
    deleteExpiredSessions,
  ])
    try {
      count += (await erase(inbox, now_ms)) ?? 0;
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
  return count;
}

/** Erases expired private data of submissions and corrections, and returns their number. */
async function eraseExpiredPrivateData(inbox: Inbox, now_ms: number): Promise<number> {
  const listDueReferences = async (): Promise<readonly string[]> => {
    const expired = (await listPrivateHolders(inbox)).filter(
      (holder) => computeExpiryMs(holder) <= now_ms,
    );
    const unparsable = (await listUnparsableChanges(inbox)).filter(
      ({ at }) => computeRetentionEndMs([at]) <= now_ms,
    );
    return [
      ...new Set([
        ...expired.map(({ change }) => change.reference),
        ...unparsable.map(({ reference }) => reference),
      ]),
    ];
  };
  if ((await listDueReferences()).length === 0) return 0;
  return inbox.transaction(async () => {
    // List again: a sender may have amended a submission meanwhile.
    const references = await listDueReferences();
    for (const reference of references) await erasePrivateColumns(inbox, reference);
    return references.length;
  });
}

/**
 * Returns the last day on which private data of these submissions or corrections is stored.
 * @returns null if there is no private data; `until` is null if the end is unknown.
 */
export async function getPrivateData(
  inbox: Inbox,
  ...references: readonly string[]
): Promise<PrivateData | null> {
  const holders_by_reference = await Array.fromAsync(references, (reference) =>
    listPrivateHolders(inbox, reference),
  );
  const holders = holders_by_reference.flat();
  if (holders.length === 0) return null;
  const end_ms = Math.max(...holders.map(computeExpiryMs));
  return { until: Number.isFinite(end_ms) ? toLocalDay(end_ms - 1).toString() : null };
}

/**
 * Erases the private data of a submission, a correction or a whole imported calendar now.
 * @param actor The editor, for the decision log; null if the sender requests it.
 */
export async function erasePrivateData(
  inbox: Inbox,
  reference: string,
  actor: Actor | null,
): Promise<void> {
  const subject = reference.toUpperCase();
  const erase = async (): Promise<void> => {
    const batch = await getImportByReference(inbox, subject);
    const references = batch === null ? [subject] : await listImportReferences(inbox, batch);
    const are_erased = await Array.fromAsync(references, (erased_reference) =>
      erasePrivateColumns(inbox, erased_reference),
    );
    if (!are_erased.includes(true)) throw refusal('no_such_submission');
  };
  if (actor === null) await inbox.transaction(erase);
  else await recordDecisionWithoutChanges(inbox, { ...actor, action: 'erase', subject }, erase);
}
