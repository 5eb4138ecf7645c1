// Before serving: a release that this code can serve is there, is found among the older ones, or is
// built while the operator watches.
import type { Config } from '../../config.ts';
import { linkPackages, readCurrent, toLayout, writeCurrent } from '../../releases/layout.ts';
import { digestMakers } from '../../releases/digests.ts';
import { checkSettings, rememberSettings } from '../../releases/made-for.ts';
import { requestRelease } from '../../releases/request-release.ts';
import { findSoundRelease, inspectRelease } from '../../releases/check-release.ts';
import { spawnRelease } from '../../releases/spawn.ts';

type Say = (line: string) => void;

/**
 * Makes sure that there is a release to serve. Throws where one is needed and cannot be had; the
 * reason has been printed by then. `run_script` runs a command by its name.
 */
export async function ensureRelease(
  config: Config,
  clock: () => number,
  say: Say,
  run_script: string,
): Promise<void> {
  const layout = toLayout(config.data_dir);
  checkSettings(config, layout);
  linkPackages(layout);
  const reason = await findReason(config, say);
  if (reason === null) return rememberSettings(config, layout);
  say(reason);
  if (
    await spawnRelease({
      run_script,
      layout,
      now_ms: clock(),
      is_pinned: config.clock_start !== null,
      is_urgent: true,
      say,
    })
  )
    return;
  // Better an older agenda than none: it passes the smoke tests before a switch, or it does not serve.
  const current = readCurrent(layout);
  const old =
    current !== null && (await inspectRelease(layout, current)).issue === null
      ? current
      : (await findSoundRelease(layout, () => true))?.id;
  if (old === undefined)
    throw new Error(
      'No release could be built, so there is nothing to serve. What must be mended stands above',
    );
  say(
    `ATTENTION: no release could be built. Release ${old} serves, though it was made by other code or settings. What must be mended stands above.`,
  );
  writeCurrent(layout, old);
}

/** Why a release must be built before anything can be served; null where there is one. */
async function findReason(config: Config, say: Say): Promise<string | null> {
  const layout = toLayout(config.data_dir);
  const made_with = digestMakers(config);
  const id = readCurrent(layout);
  const { facts, issue } =
    id === null
      ? { facts: null, issue: 'data/current names no release' }
      : await inspectRelease(layout, id);
  if (facts?.made_with === made_with) return null;
  if (facts !== null)
    return 'The code or the address of the site has changed since the last release: building a new one.';
  const sound = await findSoundRelease(layout, (other) => other.made_with === made_with);
  if (sound === null)
    return id === null
      ? 'There is no release yet: building the first one.'
      : `Release ${id} cannot serve (${issue}): building a new one.`;
  say(
    `ATTENTION: ${id === null ? issue : `release ${id} cannot serve: ${issue}`}. The newest sound one, ${sound.id} of ${sound.generated_at}, serves instead.`,
  );
  writeCurrent(layout, sound.id);
  // A new one follows as soon as this serves, unless there is no schedule.
  if (config.rebuild_hours > 0) requestRelease(layout);
  return null;
}
