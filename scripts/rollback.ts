// npm run rollback: lets the release before serve again.
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { formatTimestamp } from '../src/domain/cancun-time.ts';
import { toLayout } from '../src/releases/layout.ts';
import { rollBack } from '../src/releases/rollback.ts';
import { nextDueMs } from '../src/releases/schedule.ts';
import { toKeptLines } from '../src/releases/tell-kept.ts';
import { smokeTestCandidate } from '../src/server/process/smoke-candidate.ts';

const HELP = `npm run rollback -- [--to ID]

Lets the release that served before this one serve again, after it has answered some hundred questions. A running server follows
within a second. What the desk has cancelled, postponed, withdrawn or restored since stays so, and the lines say what.
Nothing is built and nothing removed; the next release is built anew from the sources, so mend them first.
  --to ID   a certain release: the name of a folder in DATA_DIR/releases
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, to: { type: 'string' } },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  const config = readConfig();
  const now_ms = startClock(config.clock_start)();
  const { from, to, tested, keeps } = await rollBack(
    toLayout(config.data_dir),
    values.to ?? null,
    now_ms,
    (dir, asked) => smokeTestCandidate(config, dir, now_ms, { asked }),
  );
  const next_ms = nextDueMs(now_ms, config.rebuild_hours);
  process.stdout.write(
    `${[
      `Release ${to.id} of ${to.generated_at} serves again${from === null ? '' : ` in place of ${from}`}: ${to.events} events, ${tested} questions answered.`,
      ...toKeptLines(keeps).map((line) => `  ${line}`),
      next_ms === null
        ? 'REBUILD_HOURS is 0: it serves until somebody builds a new one.'
        : `The next release is due at ${formatTimestamp(next_ms)} and is built anew from the sources: mend them before, or stop the schedule with REBUILD_HOURS=0.`,
      ...(from === null ? [] : [`To undo this: npm run rollback -- --to ${from}`]),
    ].join('\n')}\n`,
  );
}
