// The pictures of a release's events: those that are held, and as many new ones as there is time for.
// Nothing that goes wrong with one is a reason not to publish. They lie in data/pictures/<digest>/, beside
// what came of each link that was asked.
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
import type { Dataset } from '../domain/dataset.ts';
import type { EventRecord } from '../domain/event/event.ts';
import {
  type StoredPicture,
  StoredPictureSchema,
  PICTURE_FORMATS,
  pictureFileName,
} from '../domain/pictures.ts';
import { parseUploadUri } from '../domain/submission/submitted-picture.ts';
import { downloadPublic, DownloadError, type DownloadOptions } from '../http/fetch-public.ts';
import { type EncodedPicture, encodePicture, PictureError } from './encode-picture.ts';

/** All of them together may take this long; the rest is for the next release. */
const BUDGET_MS = 30_000;
const AT_ONCE = 4;
/** After a failure. */
const PAUSE_MS = 12 * 3_600_000;

/** What came of a link: a picture, or why there is none and when it may be asked again. */
const OutcomeSchema = v.union([
  StoredPictureSchema,
  v.object({ reason: v.string(), next_ms: v.number() }),
]);
const OutcomesSchema = v.record(v.string(), OutcomeSchema);
type PictureFetchOutcome = v.InferOutput<typeof OutcomeSchema>;
type Outcomes = ReadonlyMap<string, PictureFetchOutcome>;

export interface FetchPicturesOptions extends Omit<DownloadOptions, 'signal'> {
  readonly dir: string;
  readonly now_ms: number;
  readonly is_fetching: boolean;
  /** The bytes of an uploaded picture by its id; null where it is not there any more. */
  readonly readUpload: (id: string) => Promise<Buffer | null>;
  readonly say: (line: string) => void;
  readonly budget_ms?: number;
}

/** Gives each event the picture that we hold of its link. Throws nothing. */
export async function fetchEventPictures(
  dataset: Dataset,
  order: FetchPicturesOptions,
): Promise<Dataset> {
  try {
    const links = new Set(dataset.events.flatMap(({ image }) => (image ? [image.url] : [])));
    if (links.size === 0 && readOutcomes(order.dir).size === 0) return dataset;
    const outcomes = await askAll(links, order);
    writeOutcomes(order.dir, outcomes);
    return withPictures(dataset, outcomes);
  } catch (thrown) {
    order.say(`  pictures: left out, ${thrown instanceof Error ? thrown.message : 'unknown'}`);
    return withPictures(dataset, new Map());
  }
}

/** An uploaded picture is shown as our own copy or not at all: nobody else can ask for it. */
function withPictures(dataset: Dataset, outcomes: Outcomes): Dataset {
  const withPicture = (event: EventRecord): EventRecord => {
    const { image } = event;
    const held = image && outcomes.get(image.url);
    if (image && held && 'digest' in held) return { ...event, image: { ...image, held } };
    return image && parseUploadUri(image.url) !== null ? { ...event, image: null } : event;
  };
  return { ...dataset, events: dataset.events.map(withPicture) };
}

/** What came of every link: known, or asked now. Those that are not asked have no outcome. */
async function askAll(links: ReadonlySet<string>, order: FetchPicturesOptions): Promise<Outcomes> {
  const outcomes = new Map([...readOutcomes(order.dir)].filter(([link]) => links.has(link)));
  const due = [...links].filter(
    (link) =>
      isDue(outcomes.get(link), order.now_ms) &&
      (order.is_fetching || parseUploadUri(link) !== null),
  );
  const budget = AbortSignal.timeout(order.budget_ms ?? BUDGET_MS);
  const waiting = due.values();
  let later = due.length;
  const work = async (): Promise<void> => {
    for (const link of waiting) {
      if (budget.aborted) return;
      const outcome = await ask(link, order, budget);
      if (outcome === null) continue;
      outcomes.set(link, outcome);
      later--;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const held = [...outcomes.values()].filter((one) => 'digest' in one).length;
  const left = later > 0 ? `, ${later} left for the next release` : '';
  order.say(`  pictures: ${held} held, ${outcomes.size - held} could not be had${left}`);
  for (const link of due) {
    const outcome = outcomes.get(link);
    if (outcome && 'reason' in outcome) order.say(`  no picture from ${link}: ${outcome.reason}`);
  }
  return outcomes;
}

const isDue = (known: PictureFetchOutcome | undefined, now_ms: number): boolean =>
  known === undefined || ('next_ms' in known && known.next_ms <= now_ms);

export function hasPicturesToFetch(links: readonly string[], dir: string, now_ms: number): boolean {
  const outcomes = readOutcomes(dir);
  return links.some((link) => isDue(outcomes.get(link), now_ms));
}

/** What comes of one link; null where the time of all of them was over before. */
async function ask(
  link: string,
  order: FetchPicturesOptions,
  budget: AbortSignal,
): Promise<PictureFetchOutcome | null> {
  try {
    const upload = parseUploadUri(link);
    const bytes =
      upload === null
        ? await downloadPublic(link, { ...order, signal: budget })
        : await order.readUpload(upload);
    if (bytes === null)
      throw new DownloadError('not_found', 'it was uploaded, and is not in the inbox');
    const encoded = await encodePicture(bytes);
    storePicture(order.dir, encoded);
    return encoded.held;
  } catch (thrown) {
    if (!(thrown instanceof PictureError || thrown instanceof DownloadError)) throw thrown;
    if (budget.aborted) return null;
    return { reason: thrown.message, next_ms: order.now_ms + PAUSE_MS };
  }
}

const toFile = (dir: string): string => join(dir, 'outcomes.json');

/** What is remembered; nothing where the file is missing or damaged: all is asked again then. */
function readOutcomes(dir: string): Outcomes {
  try {
    const stored = v.parse(OutcomesSchema, JSON.parse(readFileSync(toFile(dir), 'utf8')));
    return new Map(
      Object.entries(stored).filter(([, one]) => !('digest' in one) || isComplete(dir, one)),
    );
  } catch {
    return new Map();
  }
}

function writeOutcomes(dir: string, outcomes: Outcomes): void {
  mkdirSync(dir, { recursive: true });
  const beside = `${toFile(dir)}.${process.pid}.tmp`;
  writeFileSync(beside, `${JSON.stringify(Object.fromEntries(outcomes), null, 1)}\n`);
  renameSync(beside, toFile(dir));
}

const isComplete = (dir: string, { digest, widths }: StoredPicture): boolean =>
  widths.every((width) =>
    PICTURE_FORMATS.every((format) =>
      existsSync(join(dir, digest, pictureFileName(width, format))),
    ),
  );

/** Stores a picture; all of its files are there, or none. */
function storePicture(dir: string, { held, files }: EncodedPicture): void {
  if (isComplete(dir, held)) return;
  const folder = join(dir, held.digest);
  const beside = join(dir, `.${held.digest}`);
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(beside, name), bytes);
  rmSync(folder, { recursive: true, force: true });
  renameSync(beside, folder);
}

const FOLDER = /^\.?[0-9a-f]{32}$/;

/** Folders of pictures that no outcome speaks of, and of what a killed build has left. */
export function listUnusedPictures(dir: string): readonly string[] {
  if (!existsSync(dir)) return [];
  const kept = new Set(
    [...readOutcomes(dir).values()].flatMap((one) => ('digest' in one ? [one.digest] : [])),
  );
  return readdirSync(dir).filter((name) => FOLDER.test(name) && !kept.has(name));
}

/** To be called once what serves shows none of them. */
export function prunePictures(dir: string): void {
  for (const name of listUnusedPictures(dir))
    rmSync(join(dir, name), { recursive: true, force: true });
}
