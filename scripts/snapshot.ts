// npm run snapshot: builds and checks a snapshot without a release, for inspection and development.
import { join, resolve } from 'node:path';
import { buildSnapshotWithoutRelease } from '../src/releases/build-release.ts';
import { loadFollowedSources } from '../src/sources/followed-sources.ts';
import { createContentError } from '../src/yaml.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run snapshot -- [--out FILE]

Builds and checks a snapshot of CONTENT_DIR, and checks the files of its sources. The live release and the ledger do not change.
  --out FILE   file to write (DATA_DIR/dev-snapshot.db)
`;

await runScript(HELP, async ({ config, now_ms, options }) => {
  const path = resolve(options.out ?? join(config.data_dir, 'dev-snapshot.db'));
  // To stderr, so that the output is only the path of the snapshot.
  const log = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  // Source files are not part of a snapshot, so they are checked separately.
  const { issues } = loadFollowedSources(config.content_dir);
  if (issues.length > 0) throw createContentError(issues);
  await buildSnapshotWithoutRelease({ config, now_ms, log }, path);
  printLine(path);
});
