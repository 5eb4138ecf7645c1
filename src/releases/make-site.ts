// The second half of a build: snapshot to a site with its compressed files, what did not change
// taken over.
import { join } from 'node:path';
import { buildSite } from './build-site.ts';
import { collectFiles, type Earlier } from './collect-files.ts';
import { readCurrent } from './current.ts';
import { type Layout, type ReleasePaths, toReleasePaths } from './layout.ts';
import { type FileEntry, readManifest, writeManifest } from './manifest.ts';
import { createCounter, runStep, type Say } from './progress.ts';

/**
 * Writes `paths.site` and `paths.files`; gives the files. Throws with Astro's last words where it
 * fails.
 */
export async function makeSite(
  now_ms: number,
  layout: Layout,
  paths: ReleasePaths,
  say: Say,
): Promise<FileEntry[]> {
  const earlier = await readEarlier(layout);
  const about =
    earlier === null
      ? undefined
      : [...earlier.files.values()].filter((entry) => /^text\/(html|markdown)/.test(entry.type))
          .length;
  say('  building the site, which takes a while the first time …');
  const count = createCounter(say, 'pages');
  await runStep(
    say,
    () => buildSite(paths, now_ms, (done) => count(done, about)),
    (pages) => `${pages} pages written`,
  );
  const squeeze = createCounter(say, 'files compressed');
  const files = await runStep(
    say,
    () => collectFiles(paths.client, earlier, now_ms, squeeze),
    (made) => `${made.length} files compressed`,
  );
  writeManifest(paths.files, files);
  return files;
}

/**
 * The release that serves, for what can be taken over from it; null where there is none, or it
 * cannot be read.
 */
async function readEarlier(layout: Layout): Promise<Earlier | null> {
  const id = readCurrent(layout);
  if (id === null) return null;
  const paths = toReleasePaths(join(layout.releases_dir, id));
  try {
    return { client_dir: paths.client, files: await readManifest(paths.files) };
  } catch {
    return null;
  }
}
