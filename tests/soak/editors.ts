// The desk during a soak: approves what came in, cancels and restores what is published, lets releases
// be built.
import { setTimeout as sleep } from 'node:timers/promises';
import { changeStatus } from '../../src/desk/override.ts';
import { refuse } from '../../src/desk/review.ts';
import type { Inbox } from '../../src/inbox/open.ts';
import { listPending } from '../../src/inbox/submissions.ts';
import { type Layout, readCurrent } from '../../src/releases/layout.ts';
import { requestRelease } from '../../src/releases/request-release.ts';
import { approve } from '../fixtures/approved.ts';

/** How often each was done. */
export interface Deeds {
  approved: number;
  rejected: number;
  cancelled: number;
  restored: number;
  /** Whole ones and amended ones that came to serve. */
  releases: number;
}

const ROUND_MS = 2_000;
/** Approved in a round. */
const AT_ONCE = 2;
/** Rounds between two releases that are asked for. */
const ROUNDS_A_RELEASE = 20;
const EDITOR = 'ana';

/** Decides until `isOver`. `events` are ids that are cancelled and restored in turn. */
export async function decideOn(
  { inbox, layout }: { readonly inbox: Inbox; readonly layout: Layout },
  events: readonly string[],
  clock: () => number,
  deeds: Deeds,
  isOver: () => boolean,
): Promise<void> {
  let served = readCurrent(layout);
  for (let round = 0; !isOver(); round++) {
    await sleep(ROUND_MS);
    const now = readCurrent(layout);
    if (now !== served) deeds.releases += 1;
    served = now;
    const waiting = listPending(inbox).filter(({ asks }) => asks === 'publish');
    for (const [at, { reference, revision }] of waiting.slice(0, AT_ONCE).entries()) {
      const actor = { editor: EDITOR, now_ms: clock() };
      if (at === 0) {
        approve(inbox, reference, undefined, actor.now_ms);
        deeds.approved += 1;
      } else {
        refuse(inbox, { ...actor, reference, revision }, 'reject', 'No es de la zona.');
        deeds.rejected += 1;
      }
    }
    const event = events[Math.floor(round / 10) % events.length];
    const actor = { editor: EDITOR, now_ms: clock() };
    if (event !== undefined && round % 10 === 3) {
      changeStatus(inbox, actor, event, 'cancel', 'Llueve.');
      deeds.cancelled += 1;
    }
    if (event !== undefined && round % 10 === 8) {
      changeStatus(inbox, actor, event, 'restore', 'Ya no llueve.');
      deeds.restored += 1;
    }
    if (round % ROUNDS_A_RELEASE === ROUNDS_A_RELEASE - 1) requestRelease(layout);
  }
}
