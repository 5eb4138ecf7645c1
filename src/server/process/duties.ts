// What only the owner of a data folder does: releases by schedule, what the desk decides at once, backups,
// mail and forgetting.
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { RunCounters } from '../metrics/primary-figures.ts';
import { type AmendmentWatch, watchDecisions } from './amendments.ts';
import { startBackups } from './backups.ts';
import { startSchedule } from './schedule.ts';
import { startUpkeep } from './upkeep.ts';

/** They may be begun and ended several times. */
export interface Duties {
  /** What was decided while nobody did them; to be awaited before anything serves. */
  readonly catchUp: () => Promise<void>;
  readonly begin: () => void;
  readonly end: () => Promise<void>;
}

/** None of them is done yet. `run_script` runs a command by its name. */
export function createDuties(
  config: Config,
  clock: () => number,
  log: Logger,
  run_script: string,
  counters: RunCounters,
): Duties {
  let decisions: AmendmentWatch | null = null;
  let endOthers = async (): Promise<void> => {};
  const watch = (): AmendmentWatch => {
    decisions ??= watchDecisions(config, clock, log, run_script, counters.amendments.count);
    return decisions;
  };
  return {
    catchUp: () => watch().check(),
    begin: () => {
      watch();
      const endSchedule = startSchedule(config, clock, log, run_script, counters.releases.count);
      const endBackups = startBackups(config, clock, log, run_script);
      const endUpkeep = startUpkeep(config, clock, log, run_script);
      endOthers = async () => {
        endSchedule();
        endBackups();
        await endUpkeep();
      };
    },
    end: async () => {
      decisions?.stop();
      decisions = null;
      await endOthers();
      endOthers = async () => {};
    },
  };
}
