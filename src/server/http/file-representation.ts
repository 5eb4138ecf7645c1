// A file of a release as a representation: its compressed forms lie beside it, read once and kept
// in memory.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CODINGS, type Coding } from '../../http/accept-encoding.ts';
import type { Representation } from '../../http/representation.ts';
import { CODING_ENDINGS, type FileEntry } from '../../releases/manifest.ts';
import type { ReleaseState } from './release-state.ts';

/** `headers` are said with every answer about it. */
export function toFileRepresentation(
  state: ReleaseState,
  entry: FileEntry,
  headers: Readonly<Record<string, string>>,
): Representation {
  const read = (coding: Coding | 'identity'): Buffer | Promise<Buffer> => {
    const name = coding === 'identity' ? entry.file : `${entry.file}${CODING_ENDINGS[coding]}`;
    return state.bytes.get(name) ?? readAndCache(state, name);
  };
  return {
    status: 200,
    headers,
    tag: entry.tag,
    last_modified_ms: entry.last_modified_ms,
    size: entry.size,
    read,
    codings: CODINGS.filter((coding) => entry.encodings[coding] !== undefined),
  };
}

async function readAndCache(state: ReleaseState, name: string): Promise<Buffer> {
  const bytes = await readFile(join(state.client_dir, name));
  state.bytes.set(name, bytes);
  return bytes;
}
