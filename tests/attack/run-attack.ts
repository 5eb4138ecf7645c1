// The whole attack on a service of its own: one line for each thing that was tried.
import { join } from 'node:path';
import { addEditor } from '../../src/desk/editors.ts';
import { openInbox } from '../../src/inbox/open.ts';
import type { ServerSettings } from '../fixtures/built-server.ts';
import { readQuiet, tryKeys, tryLogins, tryPages, trySlow } from './crowds.ts';
import { tryDamaged, tryKills, tryLocked } from './faults.ts';
import { type AttackPlan, type Finding, type Say, startFindings } from './finding.ts';
import { tryFixation, tryForms, tryPoison } from './forgeries.ts';
import { tryHostile } from './hostile-requests.ts';
import { askAs, readSize, startBehindProxy, startPoor } from './places.ts';
import { trySecond } from './second-service.ts';

/** What a process may have grown by, and may have at most. */
const MOST_MB = { grown: 250, all: 700 } as const;
/** Connections that a client keeps for the next request. */
const MOST_KEPT = 64;
/** For a service of few descriptors: 440 connections at most, and 2 MB in a file. */
const POOR = 'ulimit -n 600; ulimit -f 4096';

/** Attacks the release in `data_dir`; gives a line for each thing that was tried. */
export async function runAttack(
  settings: ServerSettings,
  plan: AttackPlan,
  say: Say,
): Promise<readonly Finding[]> {
  const { findings, note } = startFindings(say);
  const path = join(settings.data_dir, 'inbox.db');
  const inbox = openInbox(path);
  const password = await addEditor(inbox, 'ana', 0);
  const server = await startBehindProxy(settings, 1);
  try {
    const before = readSize(settings.data_dir);
    note(await tryForms(server, inbox, password));
    note(await tryFixation(server, password));
    note(await tryPoison(server, askAs));
    note(await tryHostile(server, plan.requests, say));
    note(await tryKeys(server, 200));
    const quiet = await readQuiet(server);
    note(await tryPages(server, quiet, plan.pages));
    note(await tryLogins(server, quiet, plan.logins));
    note(await tryLocked(server, quiet, path, 3_200));
    const after = readSize(settings.data_dir);
    const faults = server.output().match(/"level":(50|60)[^\n]*/g) ?? [];
    for (const line of faults.slice(0, 3)) say(`  ${line.slice(0, 300)}`);
    note({
      what: 'after all that',
      figures: `${after.mb} MB (${before.mb} before), ${after.descriptors} descriptors (${before.descriptors}), ${faults.length} faults in the log`,
      is_held:
        after.mb <= MOST_MB.all &&
        after.mb - before.mb <= MOST_MB.grown &&
        after.descriptors <= before.descriptors + MOST_KEPT &&
        faults.length === 0,
    });
    const poor = await startPoor(settings, POOR);
    try {
      note(await trySlow(poor, plan.connections));
      note(await trySecond(server, poor, inbox));
    } finally {
      await poor.stop();
    }
  } finally {
    await server.stop();
  }
  note(await tryDamaged(settings));
  note(await tryKills(settings, inbox, plan.kills, say));
  inbox.close();
  return findings;
}
