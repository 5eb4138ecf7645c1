// A release's own code finds its packages through a link beside the releases, wherever DATA_DIR is.
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from '../inbox/data-folder.ts';
import { type Layout, PROJECT_DIR } from './layout.ts';

/**
 * Makes the folder for releases and the link, or sets the link right where the project has moved.
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
