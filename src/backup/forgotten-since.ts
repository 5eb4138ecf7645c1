// What was forgotten after a backup was made: it holds it still, and whoever puts it back has it forgotten
// again (contract 14.27).
import type { Inbox } from '../inbox/open.ts';
import { clearPrivate, listForgotten } from '../inbox/private.ts';
import { sweep } from '../inbox/sweep.ts';
import { insertMailStop, listMailStops } from '../inbox/outbox.ts';
import { inTransaction } from '../inbox/open.ts';
import { listKeys, revokeKey } from '../inbox/api-keys.ts';
import { deleteAllSessions } from '../inbox/sessions.ts';
import type { Backup } from './backup-folder.ts';

/** References that a backup holds private words of though they were forgotten since. */
export function listHeldStill(inbox: Inbox, { list }: Backup): readonly string[] {
  const holds = new Set(list.holds);
  return listForgotten(inbox).filter((reference) => holds.has(reference));
}

/** What was made good in an inbox that is put back. */
export interface MadeGood {
  /** References that were forgotten again. */
  readonly forgotten: readonly string[];
  /** Names of the keys that were revoked again. */
  readonly revoked: readonly string[];
  /** How many want no more mail. */
  readonly mail_stops: number;
}

/**
 * Does in `old` again what was done since for somebody's protection, as `newer` ones know it: what was
 * forgotten goes, revoked keys stay revoked, who wants no mail gets none. Everybody logs in anew.
 */
export function makeGood(old: Inbox, newer: readonly Inbox[], now_ms: number): MadeGood {
  const done = inTransaction(old, () => {
    const before = new Set(listForgotten(old));
    const forgotten = unique(newer.flatMap(listForgotten))
      .filter((reference) => !before.has(reference))
      .filter((reference) => clearPrivate(old, reference));
    const live = new Map(
      listKeys(old).flatMap(({ id, name, revoked_at }) =>
        revoked_at === null ? [[id, name]] : [],
      ),
    );
    const revoked = newer
      .flatMap(listKeys)
      .filter(({ id, revoked_at }) => revoked_at !== null && live.has(id))
      .filter(({ id }) => revokeKey(old, id, now_ms));
    const stops = new Set(listMailStops(old));
    const added = unique(newer.flatMap(listMailStops)).filter((reader) => !stops.has(reader));
    for (const reader of added) insertMailStop(old, reader);
    deleteAllSessions(old);
    return { forgotten, revoked: revoked.map(({ name }) => name), mail_stops: added.length };
  });
  sweep(old);
  return done;
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
