// A release beside a service that owns the data folder: one of other code waits until its own service has
// taken over, and is not made at all by a command of a person's.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { toLayout } from './layout.ts';
import { findOwner, readOwner } from './owner.ts';
import type { Say } from './progress.ts';

/** What a release says once it could serve; its service takes over then. */
export const WAITS = '  ready, and waits for its service to take over';
const POLL_MS = 100;
/** Longer than any service takes to give way. */
const LONGEST_MS = 120_000;

/** Resolves when the service of the code with a digest owns the folder. Throws where it never does. */
export async function waitForTurn(
  { data_dir }: Config,
  made_with: string,
  say: Say,
): Promise<void> {
  const layout = toLayout(data_dir);
  say(WAITS);
  for (let waited_ms = 0; waited_ms < LONGEST_MS; waited_ms += POLL_MS) {
    if (readOwner(layout)?.made_with === made_with) return;
    await sleep(POLL_MS);
  }
  throw new Error(
    'The service that runs did not give way within two minutes. End it, or try again',
  );
}

/** Throws, with what to do, where a service of other code or settings owns the folder; `is_meant` where those are new. */
export function checkOwner({ data_dir }: Config, made_with: string, is_meant = false): void {
  const owner = findOwner(toLayout(data_dir));
  if (owner === null || owner.made_with === made_with) return;
  const issue = `The service on port ${owner.port} runs with other code or settings than these.`;
  throw new Error(
    is_meant
      ? `${issue} Stop it first, so that its pages and its answers never name two addresses; then this command, then start it again`
      : `${issue} Start this code beside it on another port, or start it again (docs/operations.md, Upgrading); "npm run release" is for when they are the same`,
  );
}
