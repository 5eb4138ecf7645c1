// npm run snapshot: builds and checks only the snapshot, to look into it or to develop on.
import { join, resolve } from 'node:path';
import { buildSnapshotWithoutRelease } from '../src/releases/build-release.ts';
import { loadFollowedSources } from '../src/sources/followed-sources.ts';
import { createContentError } from '../src/yaml.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run snapshot -- [--out FILE]

Builds a snapshot of CONTENT_DIR and checks it, and the files of its sources. Nothing that serves changes, and the ledger is only read.
  --out FILE   where to write it (DATA_DIR/dev-snapshot.db)
`;

await runScript(HELP, async ({ config, now_ms, options }) => {
  const path = resolve(options.out ?? join(config.data_dir, 'dev-snapshot.db'));
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  // Of what is followed nothing is in a snapshot.
  const { issues } = loadFollowedSources(config.content_dir);
  if (issues.length > 0) throw createContentError(issues);
  await buildSnapshotWithoutRelease({ config, now_ms, say: tell }, path);
  say(path);
});
