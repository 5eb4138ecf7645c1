// The page and the Markdown twin that the benchmark asks for: rendered once from its town, by the code of
// the pages, and put among the files of its release.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { toSite } from '../../src/domain/site.ts';
import { addBundle } from '../../src/releases/bundle.ts';
import { digestCode } from '../../src/releases/digests.ts';
import { linkPackages, toLayout, toReleasePaths } from '../../src/releases/layout.ts';
import { createBundleLoader } from '../../src/server/http/site-bundle.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { BUNDLES_DIR } from '../fixtures/built-server.ts';
import { NOW_MS, SITE_URL } from './bench-town.ts';

/** A day ahead: a page that a release has ready. */
export const BENCH_PAGE = '/fecha/2026-11-28';

/** Bodies by the names of their files; `folder` holds the code while they are rendered. */
export async function renderBenchPages(
  snapshot_path: string,
  folder: string,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, Buffer>> {
  const config = readConfig({ SITE_URL });
  const layout = toLayout(folder);
  const paths = toReleasePaths(join(layout.releases_dir, 'pages'));
  mkdirSync(paths.site, { recursive: true });
  linkPackages(layout);
  await addBundle({ bundles_dir: BUNDLES_DIR, code: digestCode(config) }, paths, say);
  const { render } = await createBundleLoader()(paths.entry, 'bench');
  const state = { snapshot: openSnapshot(snapshot_path), site: toSite(config), now_ms: NOW_MS };
  const pages = new Map<string, Buffer>();
  for (const [path, file] of [
    [BENCH_PAGE, `${BENCH_PAGE}.html`],
    [`${BENCH_PAGE}.md`, `${BENCH_PAGE}.md`],
  ] as const) {
    const { status, body } = await render(path, state);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    pages.set(file.slice(1), Buffer.from(body ?? ''));
  }
  closeSnapshot(state.snapshot);
  return pages;
}
