// Typed arrays and lists of one-line texts as blobs of the snapshot, little-endian (every machine
// we run on).
import type { Database } from 'better-sqlite3';

type Numbers = Float64Array | Int32Array | Uint8Array;

/** Writes arrays by name, in the order of their names, over those that are there. */
export function writeArrays(db: Database, arrays: Readonly<Record<string, Numbers>>): void {
  const insert = db.prepare('insert or replace into arrays (name, data) values (?, ?)');
  for (const name of Object.keys(arrays).sort()) {
    const array = arrays[name];
    if (array) insert.run(name, Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  }
}

/**
 * A blob's bytes in memory that nothing else writes to, aligned for any element. Throws where the
 * snapshot lacks it.
 */
function readBuffer(db: Database, name: string): ArrayBuffer {
  const data: unknown = db.prepare('select data from arrays where name = ?').pluck().get(name);
  if (!Buffer.isBuffer(data)) throw new Error(`the snapshot has no array '${name}'`);
  const { buffer, byteOffset, byteLength } = data;
  // A blob usually has an ArrayBuffer to itself: to copy millions of bytes would only cost
  // memory.
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength)
    return buffer;
  return new Uint8Array(data).buffer;
}

export const readDoubles =
  (db: Database) =>
  (name: string): Float64Array =>
    new Float64Array(readBuffer(db, name));
export const readIntegers =
  (db: Database) =>
  (name: string): Int32Array =>
    new Int32Array(readBuffer(db, name));
export const readBytes =
  (db: Database) =>
  (name: string): Uint8Array =>
    new Uint8Array(readBuffer(db, name));

/**
 * A list of texts that is read a text at a time: sixty thousand strings would cost more than all
 * the rest of the index.
 */
export interface Texts {
  /** The text at a position; empty where there is none. */
  readonly at: (position: number) => string;
}

/** Texts of ASCII alone. */
export const readAsciiTexts =
  (db: Database) =>
  (name: string): Texts => {
    const bytes = Buffer.from(readBuffer(db, name));
    const ends: number[] = [];
    for (let end = bytes.indexOf(BREAK); end >= 0; end = bytes.indexOf(BREAK, end + 1))
      ends.push(end);
    const offsets = Int32Array.from([-1, ...ends, bytes.length]);
    return {
      at: (position) =>
        bytes.toString(
          'latin1',
          (offsets[position] ?? bytes.length) + 1,
          offsets[position + 1] ?? bytes.length,
        ),
    };
  };
const BREAK = 10;

/** A list of texts without line breaks as bytes, and back. */
export const toTextBytes = (texts: readonly string[]): Uint8Array => Buffer.from(texts.join('\n'));
export const readTexts =
  (db: Database) =>
  (name: string): readonly string[] => {
    const text = Buffer.from(readBuffer(db, name)).toString('utf8');
    return text === '' ? [] : text.split('\n');
  };
