// npm run rollback: the content before this one serves again.
import { formatTimestamp } from '../src/domain/cancun-time.ts';
import { nextDueMs } from '../src/releases/due.ts';
import { release } from '../src/server/release.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run rollback

Builds a release of the content that served before the present one, and lets it serve. What the desk has decided since stays
so. The next release that is due is built from CONTENT_DIR again, so mend the files first.
`;

await runScript(HELP, async ({ config, now_ms }) => {
  const order = { config, now_ms, say, cause: 'rollback', allow_loss: true } as const;
  const { back_to, summary } = await release({ ...order, origin: 'before' });
  const next_ms = nextDueMs(now_ms, config.rebuild_hours);
  say(`The content of ${back_to} serves again: ${summary}`);
  say(
    next_ms === null
      ? 'REBUILD_HOURS is 0: it serves until somebody runs npm run release.'
      : `The next release is due at ${formatTimestamp(next_ms)} and is built from CONTENT_DIR: mend the files before.`,
  );
});
