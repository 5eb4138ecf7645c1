// Where releases live on disk: data/releases/<id>/, the one folder that is being built, and
// data/current, which says which release serves.
import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PICTURES_FOLDER } from '../domain/event/held-picture.ts';
import { makeDataFolder } from '../inbox/data-folder.ts';
import { writeDurably } from './durable-file.ts';

/** The folder of package.json. */
export const PROJECT_DIR = fileURLToPath(new URL('../../', import.meta.url));

const ID = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Whether a text is the id of a release: `20261121T031500Z-4f2a9c`. */
export const isReleaseId = (text: string): boolean => ID.test(text);

/** The paths of everything under DATA_DIR that a release needs. */
export interface Layout {
  readonly data_dir: string;
  /**
   * One folder a release; beside them `node_modules`, a link, so that a release's code finds its
   * packages.
   */
  readonly releases_dir: string;
  /**
   * Always the same, so that the same sources give the same bundle. Renamed to its id once it has
   * passed its checks; what is found here at the start of a build was left by one that died.
   */
  readonly building_dir: string;
  /** Where a build that stands by tries its code; what is found here is thrown away. */
  readonly trial_dir: string;
  /** A text file with the id of the release that serves. */
  readonly current_file: string;
  /** An empty SQLite file; the lock on it is the lock. */
  readonly lock_file: string;
  /** The same for whoever lets another release serve: held for seconds, never while pages are made. */
  readonly publish_lock_file: string;
  /** The same for the service that owns the folder, and for one that wants to. */
  readonly owner_lock_file: string;
  readonly wanted_lock_file: string;
  /** Which service that is. */
  readonly owner_file: string;
  /** A release that is amended, until it has its id. */
  readonly amending_dir: string;
  /** The files that releases serve, by the tag of their bytes. */
  readonly files_dir: string;
  /** The pictures of events, kept from release to release. */
  readonly pictures_dir: string;
  /** The posters of pages and events; may go at any time. */
  readonly posters_dir: string;
  /** How the last build went, and the last that failed. */
  readonly last_build_file: string;
  /** With which settings its pages are made. */
  readonly settings_file: string;
}

const FILES = 'files';

export function toLayout(data_dir: string): Layout {
  const releases_dir = join(data_dir, 'releases');
  return {
    data_dir,
    releases_dir,
    building_dir: join(releases_dir, '.building'),
    trial_dir: join(releases_dir, '.trial'),
    current_file: join(data_dir, 'current'),
    lock_file: join(data_dir, 'release.lock'),
    publish_lock_file: join(data_dir, 'publish.lock'),
    owner_lock_file: join(data_dir, 'owner.lock'),
    wanted_lock_file: join(data_dir, 'wanted.lock'),
    owner_file: join(data_dir, 'owner.json'),
    amending_dir: join(releases_dir, '.amending'),
    files_dir: join(data_dir, FILES),
    pictures_dir: join(data_dir, PICTURES_FOLDER),
    posters_dir: join(data_dir, 'posters'),
    last_build_file: join(data_dir, 'last-build.json'),
    settings_file: join(data_dir, 'settings.json'),
  };
}

/** The paths inside one release's folder. */
export interface ReleasePaths {
  readonly dir: string;
  readonly snapshot: string;
  readonly site: string;
  /** What Astro wrote to be served; in a bundle alone. */
  readonly client: string;
  readonly entry: string;
  /** The list of its files. */
  readonly files: string;
  /** Where their bytes lie, and those of all other releases. */
  readonly store: string;
  readonly facts: string;
  /** What each page was made of, for the build after it. */
  readonly made_of: string;
  /** Which events each page names, for an amendment of it. */
  readonly mentions: string;
}

export function toReleasePaths(dir: string): ReleasePaths {
  const site = join(dir, 'site');
  return {
    dir,
    site,
    snapshot: join(dir, 'snapshot.db'),
    client: join(site, 'client'),
    entry: join(site, 'server', 'entry.mjs'),
    files: join(dir, 'files.jsonl'),
    store: join(dir, '..', '..', FILES),
    facts: join(dir, 'release.json'),
    made_of: join(dir, 'made-of.json'),
    mentions: join(dir, 'mentions.json'),
  };
}

/** The id of the release that serves, or null where there is none yet. */
export function readCurrent(layout: Layout): string | null {
  try {
    const id = readFileSync(layout.current_file, 'utf8').trim();
    return isReleaseId(id) ? id : null;
  } catch {
    return null;
  }
}

/** Points the service at a release; running servers follow within a second. */
export function writeCurrent(layout: Layout, id: string): void {
  writeDurably(layout.current_file, `${id}\n`);
}

/**
 * Makes the folder for releases and the link through which a release's code finds its packages,
 * wherever DATA_DIR is; sets the link right where the project has moved.
 */
export function linkPackages(layout: Layout): void {
  makeDataFolder(layout.releases_dir);
  const link = join(layout.releases_dir, 'node_modules');
  const target = join(PROJECT_DIR, 'node_modules');
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && readlinkSync(link) === target) return;
  rmSync(link, { force: true, recursive: true });
  symlinkSync(target, link, 'dir');
}
