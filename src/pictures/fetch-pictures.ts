// Event pictures: adds the stored pictures to the events of a release and downloads new ones within
// a time budget. A failed picture never stops a release. Files are in data/pictures/<digest>/, the
// result of each link (image URL) in outcomes.json.
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

/** Time for all downloads of a release; the rest follows with the next one. */
const BUDGET_MS = 30_000;
const CONCURRENT_DOWNLOADS = 4;
/** Delay after a failed download. */
const RETRY_MS = 12 * 3_600_000;

/**
 * Result of a link: a stored picture, or the reason of a failure and the time of the next attempt.
 */
const OutcomeSchema = v.union([
  StoredPictureSchema,
  v.object({ reason: v.string(), next_ms: v.number() }),
]);
const OutcomesSchema = v.record(v.string(), OutcomeSchema);
type PictureFetchOutcome = v.InferOutput<typeof OutcomeSchema>;
type Outcomes = ReadonlyMap<string, PictureFetchOutcome>;

export interface FetchPicturesOptions extends Omit<DownloadOptions, 'signal'> {
  /** Folder of the stored pictures. */
  readonly dir: string;
  readonly now_ms: number;
  /** If false, only uploaded pictures are added, which need no download. */
  readonly can_download: boolean;
  /** Returns the bytes of an uploaded picture, or null if it was deleted. */
  readonly readUpload: (id: string) => Promise<Buffer | null>;
  readonly log: (line: string) => void;
  readonly budget_ms?: number;
}

/** Adds to each event the stored picture for its image URL. Never throws. */
export async function fetchEventPictures(
  dataset: Dataset,
  options: FetchPicturesOptions,
): Promise<Dataset> {
  try {
    const image_urls = new Set(dataset.events.flatMap(({ image }) => (image ? [image.url] : [])));
    if (image_urls.size === 0 && loadOutcomes(options.dir).size === 0) return dataset;
    const outcomes = await downloadDue(image_urls, options);
    saveOutcomes(options.dir, outcomes);
    return addPictures(dataset, outcomes);
  } catch (thrown) {
    options.log(`  pictures: skipped, ${thrown instanceof Error ? thrown.message : 'unknown'}`);
    return addPictures(dataset, new Map());
  }
}

/**
 * Adds stored pictures. Uploads without one are removed, because visitors cannot load their
 * internal links.
 */
function addPictures(dataset: Dataset, outcomes: Outcomes): Dataset {
  const addPicture = (event: EventRecord): EventRecord => {
    const { image } = event;
    const picture = image && outcomes.get(image.url);
    if (image && picture && 'digest' in picture)
      // `held`: the stored picture.
      return { ...event, image: { ...image, held: picture } };
    return image && parseUploadUri(image.url) !== null ? { ...event, image: null } : event;
  };
  return { ...dataset, events: dataset.events.map(addPicture) };
}

/**
 * Fetches the links that are due.
 * @returns stored and new outcomes; links not fetched yet have none.
 */
async function downloadDue(
  links: ReadonlySet<string>,
  options: FetchPicturesOptions,
): Promise<Outcomes> {
  const outcomes = new Map([...loadOutcomes(options.dir)].filter(([link]) => links.has(link)));
  const due = [...links].filter(
    (link) =>
      isDue(outcomes.get(link), options.now_ms) &&
      (options.can_download || parseUploadUri(link) !== null),
  );
  const budget = AbortSignal.timeout(options.budget_ms ?? BUDGET_MS);
  const queue = due.values();
  let remaining = due.length;
  const downloadNext = async (): Promise<void> => {
    for (const link of queue) {
      if (budget.aborted) return;
      const outcome = await fetchPicture(link, options, budget);
      if (outcome === null) continue;
      outcomes.set(link, outcome);
      remaining--;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_DOWNLOADS }, downloadNext));
  logOutcomes(outcomes, due, remaining, options);
  return outcomes;
}

function logOutcomes(
  outcomes: Outcomes,
  due: readonly string[],
  remaining: number,
  { log }: FetchPicturesOptions,
): void {
  const stored = [...outcomes.values()].filter((outcome) => 'digest' in outcome).length;
  const postponed = remaining > 0 ? `, ${remaining} postponed to the next release` : '';
  log(`  pictures: ${stored} stored, ${outcomes.size - stored} failed${postponed}`);
  for (const link of due) {
    const outcome = outcomes.get(link);
    if (outcome && 'reason' in outcome) log(`  no picture from ${link}: ${outcome.reason}`);
  }
}

const isDue = (outcome: PictureFetchOutcome | undefined, now_ms: number): boolean =>
  outcome === undefined || ('next_ms' in outcome && outcome.next_ms <= now_ms);

/** Returns true if one of the links was never fetched, or its next attempt is due. */
export function hasPicturesToFetch(links: readonly string[], dir: string, now_ms: number): boolean {
  const outcomes = loadOutcomes(dir);
  return links.some((link) => isDue(outcomes.get(link), now_ms));
}

/** Fetches, encodes and stores the picture of a link. @returns null if the time budget ran out. */
async function fetchPicture(
  link: string,
  options: FetchPicturesOptions,
  budget: AbortSignal,
): Promise<PictureFetchOutcome | null> {
  try {
    const upload = parseUploadUri(link);
    const bytes =
      upload === null
        ? await downloadPublic(link, { ...options, signal: budget })
        : await options.readUpload(upload);
    if (bytes === null)
      throw new DownloadError('not_found', 'the upload is not in the inbox any more');
    const encoded = await encodePicture(bytes);
    storePicture(options.dir, encoded);
    return encoded.picture;
  } catch (thrown) {
    if (!(thrown instanceof PictureError || thrown instanceof DownloadError)) throw thrown;
    if (budget.aborted) return null;
    return { reason: thrown.message, next_ms: options.now_ms + RETRY_MS };
  }
}

const outcomesPath = (dir: string): string => join(dir, 'outcomes.json');

/**
 * Loads the stored outcomes. Empty if the file is missing or damaged: then all links are fetched
 * again.
 */
function loadOutcomes(dir: string): Outcomes {
  try {
    const stored = v.parse(OutcomesSchema, JSON.parse(readFileSync(outcomesPath(dir), 'utf8')));
    return new Map(
      Object.entries(stored).filter(
        ([, outcome]) => !('digest' in outcome) || isComplete(dir, outcome),
      ),
    );
  } catch {
    return new Map();
  }
}

function saveOutcomes(dir: string, outcomes: Outcomes): void {
  mkdirSync(dir, { recursive: true });
  const temporary_path = `${outcomesPath(dir)}.${process.pid}.tmp`;
  writeFileSync(temporary_path, `${JSON.stringify(Object.fromEntries(outcomes), null, 1)}\n`);
  renameSync(temporary_path, outcomesPath(dir));
}

const isComplete = (dir: string, { digest, widths }: StoredPicture): boolean =>
  widths.every((width) =>
    PICTURE_FORMATS.every((format) =>
      existsSync(join(dir, digest, pictureFileName(width, format))),
    ),
  );

/** Stores all files of a picture atomically. */
function storePicture(dir: string, { picture, files }: EncodedPicture): void {
  if (isComplete(dir, picture)) return;
  const folder = join(dir, picture.digest);
  const temporary_dir = join(dir, `.${picture.digest}`);
  rmSync(temporary_dir, { recursive: true, force: true });
  mkdirSync(temporary_dir, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(temporary_dir, name), bytes);
  rmSync(folder, { recursive: true, force: true });
  renameSync(temporary_dir, folder);
}

const FOLDER_PATTERN = /^\.?[0-9a-f]{32}$/;

/** Lists picture folders that no outcome refers to, and temporary folders of killed builds. */
export function listUnusedPictures(dir: string): readonly string[] {
  if (!existsSync(dir)) return [];
  const used = new Set(
    [...loadOutcomes(dir).values()].flatMap((outcome) =>
      'digest' in outcome ? [outcome.digest] : [],
    ),
  );
  return readdirSync(dir).filter((name) => FOLDER_PATTERN.test(name) && !used.has(name));
}

/** Deletes unused pictures. Call it when the live release no longer refers to them. */
export function prunePictures(dir: string): void {
  for (const name of listUnusedPictures(dir))
    rmSync(join(dir, name), { recursive: true, force: true });
}
