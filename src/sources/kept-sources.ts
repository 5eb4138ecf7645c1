// What was read of content before, file by file: what has not changed since is not parsed again, and
// a file that has become faulty goes on saying what it last said.
import { hash } from 'node:crypto';
import type { MadeEvent } from '../domain/dataset.ts';

/** A file of content as a snapshot was made of it. */
export interface SourceFile {
  /** Of its bytes, as toBytesDigest gives it. */
  readonly digest: string;
  readonly text: string;
  /** What its schema made of it then. */
  readonly value: unknown;
}

/** A file as the snapshot had it that serves. */
export interface KeptFile extends SourceFile {
  /** Whether that was the schema of this code: its value needs no second look. */
  readonly is_of_this_code: boolean;
}

export interface KeptSources {
  /** By path from the content folder; null for what is not known. */
  readonly find: (file: string) => KeptFile | null;
  /** By what it is made of (kept-events.ts). */
  readonly findEvent: (made_of: string) => MadeEvent | null;
}

/** Where nothing was read before. */
export const NOTHING_KEPT: KeptSources = { find: () => null, findEvent: () => null };

/** What has this digest needs no second reading: sha-256, base64url. */
export const toBytesDigest = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url');
