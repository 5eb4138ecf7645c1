// The town of the benchmark: made once for each size, seed and code, kept between runs, put into a
// release that serves.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { readConfig } from '../../src/config.ts';
import { formatTimestamp } from '../../src/domain/cancun-time.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { collectFiles } from '../../src/releases/collect-files.ts';
import { PROJECT_DIR, toLayout, toReleasePaths, writeCurrent } from '../../src/releases/layout.ts';
import { digestFile, digestFolder, digestMakers } from '../../src/releases/digests.ts';
import { writeManifest } from '../../src/releases/manifest.ts';
import { writeReleaseFacts } from '../../src/releases/release-facts.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { writeTown } from '../../tools/town/write-town.ts';

/** Friday noon in Cancún: when the benchmark takes place. */
export const CLOCK_START = '2026-11-20T12:00:00-05:00';
export const NOW_MS = Date.parse(CLOCK_START);
export const SITE_URL = 'https://agenda.example';

export interface TownSize {
  readonly events: number;
  readonly seed: number;
}
type Say = (line: string) => void;

/** A digest of the code that decides what is in a snapshot. */
function digestCode(): string {
  const hash = createHash('sha256');
  for (const room of ['domain', 'snapshot', 'sources'])
    hash.update(digestFolder(join(PROJECT_DIR, 'src', room)));
  return hash.digest('hex').slice(0, 12);
}

/** The path of the snapshot; built now where it is not kept from an earlier run. */
export function prepareSnapshot({ events, seed }: TownSize, say: Say): string {
  const kept = join(tmpdir(), 'hoy-bench', `${events}-${seed}-${digestCode()}.db`);
  if (existsSync(kept)) return kept;
  mkdirSync(dirname(kept), { recursive: true });
  const out = mkdtempSync(join(tmpdir(), 'hoy-bench-town-'));
  try {
    say(
      `Making a town of ${events} events, which takes a quarter of a minute; it is kept for the next run`,
    );
    writeTown(
      {
        events,
        seed,
        anchor: Temporal.PlainDate.from(CLOCK_START.slice(0, 10)),
        out,
        content_dir: join(PROJECT_DIR, 'content'),
      },
      () => {},
    );
    const counts = buildSnapshot(`${kept}.part`, readDataset(out, EMPTY_LEDGER, NOW_MS), NOW_MS);
    renameSync(`${kept}.part`, kept);
    say(`  ${counts.events} events, ${counts.occurrences} occurrences`);
  } finally {
    rmSync(out, { recursive: true });
  }
  return kept;
}

const RELEASE = '20261120T170000Z-be9c40';
/** Where Astro would be: the benchmark asks for no page that is not ready. */
const ENTRY = 'export const render = async () => new Response(null, { status: 404 });\n';

/**
 * A release of the snapshot, without a site but for the pages that a starting server looks at and `pages`,
 * by the names of their files, in a data folder.
 */
export async function writeBenchRelease(
  data_dir: string,
  snapshot: string,
  pages: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const layout = toLayout(data_dir);
  const paths = toReleasePaths(join(layout.releases_dir, RELEASE));
  mkdirSync(dirname(paths.entry), { recursive: true });
  writeFileSync(paths.entry, ENTRY);
  for (const [file, text] of [
    ['_hoy/2026-11-20.html', '<!DOCTYPE html>'],
    ['_hoy/2026-11-20.md', '#'],
    ['_today/2026-11-20.html', '<!DOCTYPE html>'],
    ...pages,
  ] as const) {
    mkdirSync(dirname(join(paths.client, file)), { recursive: true });
    writeFileSync(join(paths.client, file), text);
  }
  copyFileSync(snapshot, paths.snapshot);
  const files = collectFiles(
    { store_dir: paths.store, earlier: null, now_ms: NOW_MS },
    paths.client,
  );
  writeManifest(paths.files, files);
  writeReleaseFacts(paths.facts, {
    id: RELEASE,
    generated_at: formatTimestamp(NOW_MS),
    generated_ms: NOW_MS,
    made_with: digestMakers(readConfig({ SITE_URL })),
    bundle: 'bench',
    snapshot: digestFile(paths.snapshot),
    before: null,
    events: 0,
    occurrences: 0,
    files: files.length,
  });
  writeCurrent(layout, RELEASE);
}
