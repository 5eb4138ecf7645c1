// Digests of folders: of the code that makes a release, of the bundle that came out.
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { Config } from '../config.ts';
import { PROJECT_DIR } from './layout.ts';

/** What decides how sources become a release. */
const CODE = ['src', 'public', 'astro.config.mjs', 'package-lock.json'] as const;

/** Every file below a folder, in a fixed order; a file gives itself. */
export function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

function addFiles(hash: Hash, root: string, paths: readonly string[]): Hash {
  for (const path of paths)
    hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
  return hash;
}

/** The digest of all files below a folder, names and bytes. */
export function digestFolder(dir: string): string {
  return addFiles(createHash('sha256'), dir, listFiles(dir)).digest('base64url').slice(0, 22);
}

/** Bytes of a file in memory at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** The digest of one file's bytes, however many. */
export function digestFile(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('base64url').slice(0, 22);
}

/** The digest of this code, as it is built: with the map with streets, or without. */
export function digestCode(config: Config): string {
  const hash = createHash('sha256').update(String(config.tiles !== null));
  return addFiles(
    hash,
    PROJECT_DIR,
    CODE.flatMap((name) => listFiles(join(PROJECT_DIR, name))),
  )
    .digest('base64url')
    .slice(0, 22);
}

/** What decides what a file of content comes to. */
const READING_CODE = ['src/sources', 'src/domain', 'package-lock.json'] as const;

/** The digest of the code that reads content: another one reads all of it anew. */
export const digestReaders = (): string =>
  addFiles(
    createHash('sha256'),
    PROJECT_DIR,
    READING_CODE.flatMap((name) => listFiles(join(PROJECT_DIR, name))),
  )
    .digest('base64url')
    .slice(0, 22);

/** The digest of a code's digest and of the settings that are written into pages. */
export const digestMakers = (config: Config, code: string = digestCode(config)): string =>
  createHash('sha256')
    .update(
      JSON.stringify([code, config.site_url, config.site_name, config.contact_email, config.tiles]),
    )
    .digest('base64url')
    .slice(0, 22);
