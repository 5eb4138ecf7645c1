// npm run release: builds, checks and switches to a new release, and makes its pages ahead.
import { formatDuration } from '../src/releases/build-log.ts';
import { runReleaseCommand, warmRelease } from '../src/server/release-command.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run release -- [--allow-loss] [--strict] [--for CAUSE] [--warm NAME]

Builds a release from CONTENT_DIR and the inbox, checks it, asks it some thirty questions, makes its pages, and lets it serve.
A running server follows within a second. Where anything fails, what serves stays as it is and the command ends with 1.
A file of content that is faulty says what it last said, and is left out where it never was good; each is named.
  --allow-loss   let it serve though more than a tenth of the events of the release before are not in it
  --strict       stop where a file of content is faulty, with every fault, as npm run snapshot does
  --for CAUSE    why a server asks
  --warm NAME    only make the pages of a release that another machine has built
`;

await runScript(HELP, async ({ config, now_ms, options }) => {
  if (options.warm !== undefined) return warmRelease(config, now_ms, options.warm, say);
  const begun_ms = performance.now();
  say(`Building a release from ${config.content_dir}`);
  const built = await runReleaseCommand({
    config,
    now_ms,
    say,
    cause: options.for ?? 'asked',
    is_strict: 'strict' in options,
    allow_loss: 'allow-loss' in options,
  });
  say(`Done in ${formatDuration(performance.now() - begun_ms)}: ${built.summary}`);
});
