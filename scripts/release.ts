// npm run release: builds a release, makes it live and warms its page cache.
import { formatDuration } from '../src/releases/build-log.ts';
import { RELEASE_IS_LIVE } from '../src/server/process/release-builder.ts';
import { runReleaseCommand, warmRelease } from '../src/server/release-command.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run release -- [--allow-loss] [--strict] [--for CAUSE] [--warm NAME]

Builds a release from CONTENT_DIR and the inbox, checks it, sends it about thirty test requests, makes it live and warms its page cache.
A running server switches within a second. If anything fails, the live release stays and the command exits with 1.
For an invalid content file the last valid version is used, or the file is left out if there is none; all issues are printed.
  --allow-loss   publish it even if it lacks more than a tenth of the events of the live release
  --strict       fail with all issues if a content file is invalid, as npm run snapshot does
  --for CAUSE    why the release is built; set by the server when it runs this command
  --warm NAME    only warm the page cache of a release that another machine has built; the other options are ignored
`;

await runScript(HELP, async ({ config, now_ms, options }) => {
  if (options.warm !== undefined) return warmRelease(config, now_ms, options.warm, printLine);
  const started_ms = performance.now();
  printLine(`Building a release from ${config.content_dir}`);
  const built = await runReleaseCommand({
    config,
    now_ms,
    log: printLine,
    cause: options.for ?? 'manual',
    is_strict: 'strict' in options,
    allow_loss: 'allow-loss' in options,
    // Only a server that runs this command has a channel.
    onLive: () => process.send?.(RELEASE_IS_LIVE),
  });
  printLine(`Done in ${formatDuration(performance.now() - started_ms)}: ${built.summary}`);
});
