// The pictures of a release's events: those that are held, and as many new ones as there is time for.
// Nothing that goes wrong with one is a reason not to publish.
import type { Dataset } from '../domain/dataset.ts';
import type { EventRecord } from '../domain/event/event.ts';
import type { HeldPicture } from '../domain/event/held-picture.ts';
import { readUploadLink } from '../domain/submission/picture.ts';
import { download, type DownloadOptions } from '../pictures/download.ts';
import { encodePicture } from '../pictures/encode.ts';
import { PictureError } from '../pictures/picture-error.ts';
import {
  type PictureOutcome,
  type PictureOutcomes,
  readOutcomes,
  storePicture,
  writeOutcomes,
} from './picture-store.ts';
import type { Say } from './progress.ts';

/** All of them together may take this long; the rest is for the next release. */
const BUDGET_MS = 30_000;
const AT_ONCE = 4;
/** The pause after the first failure; it doubles with each. */
const FIRST_PAUSE_MS = 6 * 3_600_000;
const LONGEST_PAUSE_MS = 14 * 24 * 3_600_000;
/** Failures told one by one. */
const MAX_TOLD = 10;

export interface PictureOrder extends Omit<DownloadOptions, 'signal'> {
  /** Where they are stored. */
  readonly dir: string;
  readonly now_ms: number;
  /** Whether new ones are fetched. */
  readonly is_fetching: boolean;
  /** The bytes of an uploaded picture by its id; null where it is not there any more. */
  readonly readUpload: (id: string) => Buffer | null;
  readonly say: Say;
  readonly budget_ms?: number;
}

/** A dataset whose events say which pictures are held. */
export interface WithPictures {
  readonly dataset: Dataset;
  readonly pictures: readonly HeldPicture[];
}

/** Gives each event the picture that we hold of its link. Throws nothing. */
export async function gatherPictures(dataset: Dataset, order: PictureOrder): Promise<WithPictures> {
  try {
    const links = new Set(dataset.events.flatMap(({ image }) => (image ? [image.url] : [])));
    if (links.size === 0) return { dataset, pictures: [] };
    const outcomes = await askAll([...links], order);
    writeOutcomes(order.dir, outcomes);
    return withPictures(dataset, outcomes);
  } catch (thrown) {
    order.say(`  pictures: left out, ${thrown instanceof Error ? thrown.message : 'unknown'}`);
    return withoutUploads(dataset);
  }
}

function withPictures(dataset: Dataset, outcomes: PictureOutcomes): WithPictures {
  const held = new Map<string, HeldPicture>();
  const withPicture = (event: EventRecord): EventRecord => {
    const found = event.image && outcomes.get(event.image.url);
    if (!event.image || !found || !('digest' in found)) return withoutUpload(event);
    held.set(found.digest, found);
    return { ...event, image: { ...event.image, held: found } };
  };
  return {
    dataset: { ...dataset, events: dataset.events.map(withPicture) },
    pictures: [...held.values()],
  };
}

/** An uploaded picture is shown as our own copy or not at all: nobody else can ask for it. */
const withoutUpload = (event: EventRecord): EventRecord =>
  event.image && readUploadLink(event.image.url) !== null ? { ...event, image: null } : event;

/** A dataset of which no pictures are gathered. */
export const withoutUploads = (dataset: Dataset): WithPictures => ({
  dataset: { ...dataset, events: dataset.events.map(withoutUpload) },
  pictures: [],
});

/** What came of every link: known, or asked now. Those that are not asked have no outcome. */
async function askAll(links: readonly string[], order: PictureOrder): Promise<PictureOutcomes> {
  const known = readOutcomes(order.dir);
  const outcomes = new Map(links.flatMap((link) => toEntry(link, known.get(link))));
  const due = links.filter((link) => isDue(link, outcomes.get(link), order));
  const budget = AbortSignal.timeout(order.budget_ms ?? BUDGET_MS);
  let next = 0;
  let asked = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < due.length && !budget.aborted; at = next++) {
      const link = due[at] ?? '';
      const outcome = await ask(link, outcomes.get(link), order, budget);
      if (outcome === null) continue;
      outcomes.set(link, outcome);
      asked++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  tell(outcomes, due, asked, order.say);
  return outcomes;
}

/** Whether one of the links that could not be had would be asked for now. */
export function hasDue(
  links: readonly string[],
  order: Pick<PictureOrder, 'dir' | 'is_fetching' | 'now_ms'>,
): boolean {
  if (links.length === 0) return false;
  const known = readOutcomes(order.dir);
  return links.some((link) => isDue(link, known.get(link), order));
}

const toEntry = (
  link: string,
  outcome: PictureOutcome | undefined,
): readonly (readonly [string, PictureOutcome])[] => (outcome ? [[link, outcome]] : []);

const isDue = (
  link: string,
  outcome: PictureOutcome | undefined,
  order: Pick<PictureOrder, 'is_fetching' | 'now_ms'>,
): boolean =>
  (order.is_fetching || readUploadLink(link) !== null) &&
  (outcome === undefined || ('next_ms' in outcome && outcome.next_ms <= order.now_ms));

/** What comes of one link; null where the time of all of them was over before. */
async function ask(
  link: string,
  before: PictureOutcome | undefined,
  order: PictureOrder,
  budget: AbortSignal,
): Promise<PictureOutcome | null> {
  try {
    const { held, files } = await encodePicture(await readBytes(link, order, budget));
    storePicture(order.dir, held, files);
    return held;
  } catch (thrown) {
    if (!(thrown instanceof PictureError)) throw thrown;
    if (budget.aborted) return null;
    const tries = before && 'tries' in before ? before.tries + 1 : 1;
    const pause_ms = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    return { reason: thrown.message, tries, next_ms: order.now_ms + pause_ms };
  }
}

async function readBytes(link: string, order: PictureOrder, budget: AbortSignal): Promise<Buffer> {
  const upload = readUploadLink(link);
  if (upload === null) return download(link, { ...order, signal: budget });
  const bytes = order.readUpload(upload);
  if (bytes === null) throw new PictureError('it was uploaded, and is not in the inbox');
  return bytes;
}

function tell(outcomes: PictureOutcomes, due: readonly string[], asked: number, say: Say): void {
  const held = [...outcomes.values()].filter((one) => 'digest' in one).length;
  const later = due.length - asked;
  say(
    `  pictures: ${held} held, ${outcomes.size - held} could not be had${later > 0 ? `, ${later} left for the next release` : ''}`,
  );
  const failed = due.flatMap((link) => {
    const outcome = outcomes.get(link);
    return outcome && 'reason' in outcome ? [`  no picture from ${link}: ${outcome.reason}`] : [];
  });
  for (const line of failed.slice(0, MAX_TOLD)) say(line);
}
