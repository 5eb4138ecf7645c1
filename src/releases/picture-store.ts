// The pictures on disk, data/pictures/<digest>/, and what came of each link that was asked. Releases
// have stored the files that they show, so this folder may lose what only older ones need.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type HeldPicture,
  HeldPictureSchema,
  PICTURE_FORMATS,
  toPictureFile,
} from '../domain/event/held-picture.ts';
import { writeDurably } from './durable-file.ts';

/** A link that could not be had: how often it was tried, and when it may be again. */
const FailureSchema = v.object({
  reason: v.string(),
  tries: v.number(),
  next_ms: v.number(),
});

const OutcomeSchema = v.union([HeldPictureSchema, FailureSchema]);
/** What came of a link. */
export type PictureOutcome = v.InferOutput<typeof OutcomeSchema>;
/** By link. */
export type PictureOutcomes = ReadonlyMap<string, PictureOutcome>;

const toFile = (dir: string): string => join(dir, 'outcomes.json');
const DIGEST = /^[0-9a-f]{32}$/;

/** What is remembered; nothing where the file is missing or damaged: all is asked again then. */
export function readOutcomes(dir: string): PictureOutcomes {
  try {
    const stored = v.parse(
      v.record(v.string(), OutcomeSchema),
      JSON.parse(readFileSync(toFile(dir), 'utf8')),
    );
    return new Map(
      Object.entries(stored).filter(([, one]) => !('digest' in one) || isComplete(dir, one)),
    );
  } catch {
    return new Map();
  }
}

export function writeOutcomes(dir: string, outcomes: PictureOutcomes): void {
  mkdirSync(dir, { recursive: true });
  writeDurably(toFile(dir), `${JSON.stringify(Object.fromEntries(outcomes), null, 1)}\n`);
}

const listFiles = ({ widths }: HeldPicture): readonly string[] =>
  widths.flatMap((width) => PICTURE_FORMATS.map((format) => toPictureFile(width, format)));

const isComplete = (dir: string, held: HeldPicture): boolean =>
  listFiles(held).every((name) => existsSync(join(dir, held.digest, name)));

/** The digests of the pictures that outcomes speak of and that are there. */
const listHeld = (dir: string): ReadonlySet<string> =>
  new Set([...readOutcomes(dir).values()].flatMap((one) => ('digest' in one ? [one.digest] : [])));

/** Whether all of some pictures are there, and known to be. */
export function holdsAll(dir: string, pictures: readonly HeldPicture[]): boolean {
  if (pictures.length === 0) return true;
  const held = listHeld(dir);
  return pictures.every(({ digest }) => held.has(digest));
}

/** Stores a picture; all of its files are there, or none. */
export function storePicture(
  dir: string,
  held: HeldPicture,
  files: ReadonlyMap<string, Buffer>,
): void {
  if (isComplete(dir, held)) return;
  const folder = join(dir, held.digest);
  const beside = join(dir, `.${held.digest}`);
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(beside, name), bytes);
  rmSync(folder, { recursive: true, force: true });
  renameSync(beside, folder);
}

/** The files of pictures, each by its path from the folder. */
export const listPictureFiles = (pictures: readonly HeldPicture[]): readonly string[] =>
  pictures.flatMap((held) => listFiles(held).map((name) => join(held.digest, name)));

/** Removes the pictures that no outcome speaks of, and what a killed build has left. */
export function prunePictures(dir: string): void {
  if (!existsSync(dir)) return;
  const kept = listHeld(dir);
  for (const name of readdirSync(dir))
    if (DIGEST.test(name.replace(/^\./, '')) && !kept.has(name))
      rmSync(join(dir, name), { recursive: true, force: true });
}
