// Steps of a check, one after the other: each announced when it begins, timed when it ends, all run even
// where one fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toChildEnv } from '../src/config.ts';
import { formatDuration } from '../src/releases/progress.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { say } from './commands.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...parts: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export const LINT: Step = {
  name: 'lint',
  command: ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
};
export const TYPES: Step = {
  name: 'types',
  command: ['astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'warning'],
  env: { ASTRO_TELEMETRY_DISABLED: '1' },
};
export const UNUSED: Step = { name: 'nothing unused', command: ['knip/bin/knip.js'] };

/** One run of the tests; the quick ones of a project, or those of paths. */
export const toTests = (name: string, args: readonly string[], env: Step['env'] = {}): Step => ({
  name,
  env,
  command: ['vitest/vitest.mjs', 'run', ...args],
});

/** In another zone than the town's: no result may depend on where the machine stands. */
export const UNIT = toTests('unit tests', ['--project', 'unit'], { TZ: 'Asia/Tokyo' });

/** Runs all of them, says how each ended, and sets the exit code; gives whether all passed. */
export function runSteps(steps: readonly Step[]): boolean {
  const failed: string[] = [];
  for (const [at, { name, command, env }] of steps.entries()) {
    const place = `[${at + 1}/${steps.length}] ${name}`;
    say(`\n${place}`);
    const begun_ms = performance.now();
    const [program, ...parts] = command;
    const { status } = spawnSync(
      process.execPath,
      [join(PROJECT_DIR, 'node_modules', program), ...parts],
      {
        cwd: PROJECT_DIR,
        stdio: 'inherit',
        env: toChildEnv({ NODE_ENV: 'test', ENV_FILE: '', ...env }),
      },
    );
    if (status !== 0) failed.push(name);
    const how = status === 0 ? 'passed' : 'FAILED';
    say(`${place}: ${how} in ${formatDuration(performance.now() - begun_ms)}`);
  }
  const named = failed.length > 0 ? `: ${failed.join(', ')}` : '';
  say(`\n${steps.length - failed.length} passed, ${failed.length} failed${named}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
  return failed.length === 0;
}
