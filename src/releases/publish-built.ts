// Letting a built release serve. What the desk decided while it was built is laid over it before it
// does: a build never brings back what was called off meanwhile (contract 14.9).
import type { History } from '../domain/history.ts';
import type { Ledger } from '../domain/ledger.ts';
import { readLastChange } from '../inbox/histories.ts';
import { listRevisedSince, writeLedger } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { toStamp } from '../sources/to-histories.ts';
import { type AmendedRelease, amendRelease } from './amend-release.ts';
import type { Amendment } from './amend-snapshot.ts';
import type { Layout } from './layout.ts';
import { takePublishLock } from './lock.ts';
import { place, publish } from './publish.ts';
import type { ReleaseFacts } from './release-facts.ts';
import { requestRelease } from './request-release.ts';
import { passSmokeTest, type TestAmended } from './smoke-tests.ts';

export interface BuiltRelease {
  readonly layout: Layout;
  readonly inbox: Inbox;
  readonly facts: ReleaseFacts;
  readonly dir: string;
  /** The ledger that it was made with, and the one after it. */
  readonly before: Ledger;
  readonly ledger: Ledger;
  readonly testAmended: TestAmended;
}

/** Lets it serve, amended where it must be; gives the amended release, or null where it serves as built. */
export async function publishBuilt(
  built: BuiltRelease,
  now_ms: number,
): Promise<AmendedRelease | null> {
  const { layout, inbox, facts, dir, before, ledger } = built;
  const unlock = takePublishLock(layout.publish_lock_file);
  try {
    const amended = await amendRelease({
      ...{ layout, inbox, base: facts, base_dir: dir, now_ms },
      also: listRevisedSince(inbox, before),
      restamped: restamp(built, now_ms),
    });
    if (amended === null) {
      publish(layout, inbox, { id: facts.id, dir, ledger, before });
      return null;
    }
    await passSmokeTest(built.testAmended(amended.dir, amended.amendments));
    place(layout, { id: facts.id, dir });
    writeLedger(inbox, withoutEvents(ledger, amended.amendments));
    publish(layout, inbox, amended);
    // What only counts it follows.
    requestRelease(layout);
    return amended;
  } finally {
    unlock();
  }
}

/**
 * What it tells, stamped after what was told while it was built: whoever has read up to then misses
 * nothing. None where nothing was.
 */
function restamp({ inbox, before, ledger }: BuiltRelease, now_ms: number): History[] {
  const last = readLastChange(inbox);
  for (const { changed_at } of before.histories.values()) if (changed_at >= last) return [];
  if (last === '') return [];
  const now = toStamp(last, now_ms);
  return [...ledger.histories.values()].flatMap((history) => {
    if (history === before.histories.get(history.id)) return [];
    const is_added = history.added_at === history.changed_at;
    return [{ ...history, changed_at: now, added_at: is_added ? now : history.added_at }];
  });
}

/** What it says of events that are amended is not said. */
function withoutEvents(
  { revisions, slugs, histories }: Ledger,
  gone: readonly Amendment[],
): Ledger {
  const ids = new Set(gone.map(({ event }) => event));
  const isSaid = ([id]: readonly [string, unknown]): boolean => !ids.has(id.split('-', 1)[0] ?? id);
  return {
    revisions: new Map([...revisions].filter(isSaid)),
    slugs,
    histories: new Map([...histories].filter(isSaid)),
  };
}
