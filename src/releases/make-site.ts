// The second half of a build: snapshot to a site with its compressed files; what is made of the same
// as in the release before is taken from there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type HeldPicture, PICTURES_FOLDER } from '../domain/event/held-picture.ts';
import { findTouched, type Touched } from '../snapshot/find-touched.ts';
import { addBundle, type BundleOrder } from './bundle.ts';
import { hasItsSnapshot } from './check-release.ts';
import { collectFile, type Earlier, toDated } from './collect-files.ts';
import { digestFile } from './digests.ts';
import { type Layout, type ReleasePaths, toReleasePaths } from './layout.ts';
import { type FileEntry, writeManifest } from './manifest.ts';
import { readMentions, writeMentions } from './mentions.ts';
import { listPictureFiles } from './picture-store.ts';
import { createCounter, runStep, type Say } from './progress.ts';
import { findServing, type ReleaseFacts } from './release-facts.ts';
import { AS_BEFORE, type Made } from './render-messages.ts';
import { type Renderer, startRenderer } from './render-pages.ts';

export interface SiteOrder {
  readonly now_ms: number;
  readonly bundle: BundleOrder;
  /** The digest of the code and the settings that make it. */
  readonly made_with: string;
  readonly say: Say;
  /** That of the release that serves, which is as it was built; null where there is none of that kind. */
  readonly snapshot_before: string | null;
  /** Threads that are ready already; they are stopped with the site. */
  readonly renderer: Renderer | null;
}

/** The files of a site, and how many of its pages had to be rendered. */
export interface MadeSite {
  readonly files: readonly FileEntry[];
  /** Of the bytes of the snapshot. */
  readonly digest: string;
  /** Those of them that were written: all others were seen to be whole. */
  readonly written: readonly FileEntry[];
  readonly pages: { readonly rendered: number; readonly as_before: number };
}

/** A site whose code is there and whose threads are ready, or nearly. */
export interface BegunSite {
  /**
   * Writes `paths.files` and what they name, once there is a snapshot; does something else once threads render.
   * Throws with what could not be made.
   */
  readonly make: (
    pictures: readonly HeldPicture[],
    meanwhile?: () => Promise<void>,
  ) => Promise<MadeSite>;
  /** To be called whether it was made or not. */
  readonly stop: () => Promise<void>;
}

/** Begins with what needs no snapshot, so that threads load their code while that is made. */
export async function beginSite(
  order: SiteOrder,
  layout: Layout,
  paths: ReleasePaths,
): Promise<BegunSite> {
  const { bundle, say } = order;
  const assets = await addBundle(bundle, paths, say);
  const renderer =
    order.renderer ??
    startRenderer({ entry: paths.entry, store_dir: paths.store }, findServing(layout)?.files ?? 0);
  const before = findBefore(layout, renderer);
  const parts = { ...order, before, assets, renderer, layout, paths };
  return {
    make: (pictures, meanwhile) => makeSite(parts, pictures, meanwhile),
    stop: renderer.stop,
  };
}

interface SiteParts extends SiteOrder {
  readonly renderer: Renderer;
  /** The release that served when it was begun; null where none did. */
  readonly before: FoundBefore | null;
  readonly assets: readonly FileEntry[];
  readonly layout: Layout;
  readonly paths: ReleasePaths;
}

async function makeSite(
  { now_ms, say, before: found, assets, renderer, layout, paths, ...known }: SiteParts,
  pictures: readonly HeldPicture[],
  meanwhile: () => Promise<void> = async () => {},
): Promise<MadeSite> {
  // Threads open it while what was before is read, and compared, here.
  const opened = renderer.open({ snapshot: paths.snapshot, now_ms });
  opened.catch(() => {});
  const { made_at, readMentioned, ...before } =
    (await readBefore(found, known)) ??
    // An amended one goes when two more have served: the desk was quicker.
    (await readBefore(findBefore(layout, renderer), known)) ??
    NOTHING_BEFORE;
  const { earlier } = before;
  const earlier_one = made_at !== null && made_at.ms <= now_ms ? made_at : null;
  const digest = digestFile(paths.snapshot);
  const is_same = earlier_one?.is_amended === false && earlier_one.digest === digest;
  const touched = earlier_one === null || is_same ? null : compare(earlier_one, paths.snapshot);
  const begun = Promise.withResolvers<void>();
  const rendering = runStep(
    say,
    async () => {
      await opened;
      const onPage = createCounter(say, 'pages');
      const onBegun = begun.resolve;
      return renderer.render({ ...before, is_same, touched, onPage, onBegun });
    },
    (rendered) => toRenderedWords(rendered.made),
  );
  // What is done meanwhile may fail first.
  rendering.catch(() => {});
  await Promise.race([begun.promise, rendering]);
  const mentioned = readMentioned();
  const [{ made, ways_in }] = await Promise.all([rendering, meanwhile()]);
  const order = { store_dir: paths.store, earlier, now_ms };
  const others = [
    ...assets.map((asset) => toDated(asset, order)),
    ...listPictureFiles(pictures).map((file) =>
      collectFile(order, join(layout.pictures_dir, file), join(PICTURES_FOLDER, file)),
    ),
  ];
  const files = [...others, ...made.map(({ entry }) => entry)];
  const written = [...others, ...made.flatMap(({ entry, is_new }) => (is_new ? [entry] : []))];
  writeManifest(paths.files, files);
  writeMadeOf(paths, made, ways_in);
  writeMentions(
    paths.mentions,
    made.map(({ entry: { path }, events }) => ({
      path,
      events: events === AS_BEFORE ? (mentioned.get(path) ?? null) : events,
    })),
  );
  return { files, digest, written, pages: countPages(made) };
}

/**
 * What an amended one decides otherwise, lists do not say yet that only count it, or had no room for it. Null, so that
 * every page is asked, where one of the two cannot be read any more.
 */
function compare({ snapshot, is_amended }: MadeAt, now: string): Touched | null {
  try {
    const touched = findTouched(snapshot, now);
    return touched && is_amended
      ? { ...touched, venue: null, organizer: null, days: null }
      : touched;
  } catch {
    return null;
  }
}

function countPages(made: readonly Made[]): MadeSite['pages'] {
  const rendered = made.filter(({ is_new }) => is_new).length;
  return { rendered, as_before: made.length - rendered };
}

function toRenderedWords(made: readonly Made[]): string {
  const { rendered, as_before } = countPages(made);
  return `${rendered} pages and documents written, ${as_before} as they were`;
}

interface MadeAt {
  readonly ms: number;
  readonly snapshot: string;
  readonly digest: string;
  readonly is_amended: boolean;
}

interface Before {
  readonly earlier: Earlier | null;
  /** What its pages were made of; empty where another code made them. */
  readonly made_of: ReadonlyMap<string, string>;
  /** The categories and zones that they named as having something ahead. */
  readonly ways_before: string;
  /** When, and of what snapshot: its path and its digest; null where another code made it, or it is damaged. */
  readonly made_at: MadeAt | null;
  /** The events that each of its pages names. */
  readonly readMentioned: () => ReadonlyMap<string, readonly string[] | null>;
}

const MadeOfSchema = v.object({ ways_in: v.string(), pages: v.record(v.string(), v.string()) });

const NOTHING_BEFORE: Before = {
  earlier: null,
  made_of: new Map(),
  ways_before: '',
  made_at: null,
  readMentioned: () => new Map(),
};

interface FoundBefore {
  readonly facts: ReleaseFacts;
  readonly paths: ReleasePaths;
  /** Its files that are whole. */
  readonly whole: Promise<readonly FileEntry[]>;
}

/** The release that serves; its files are looked at while there is no snapshot to render. */
function findBefore(layout: Layout, renderer: Renderer): FoundBefore | null {
  const facts = findServing(layout);
  if (facts === null) return null;
  const paths = toReleasePaths(join(layout.releases_dir, facts.id));
  const whole = renderer.look(paths.files);
  whole.catch(() => {});
  return { facts, paths, whole };
}

/** What can be taken over from a release; null where it cannot be read. */
async function readBefore(
  found: FoundBefore | null,
  { made_with, snapshot_before }: Pick<SiteOrder, 'made_with' | 'snapshot_before'>,
): Promise<Before | null> {
  if (found === null) return null;
  const { facts, paths } = found;
  try {
    const earlier = new Map((await found.whole).map((file) => [file.path, file]));
    if (facts.made_with !== made_with) return { ...NOTHING_BEFORE, earlier };
    const text: unknown = JSON.parse(readFileSync(paths.made_of, 'utf8'));
    const { ways_in, pages } = v.parse(MadeOfSchema, text);
    const made_of = new Map(Object.entries(pages));
    const { generated_ms: ms, snapshot: digest } = facts;
    const is_amended = facts.amends !== undefined;
    const is_whole = paths.snapshot === snapshot_before || hasItsSnapshot(facts, paths);
    const made_at = is_whole ? { ms, snapshot: paths.snapshot, digest, is_amended } : null;
    const readMentioned = () => tryMentions(paths);
    return { earlier, made_of, ways_before: ways_in, made_at, readMentioned };
  } catch {
    return null;
  }
}

/** None where they cannot be read: what is taken over may then name any event. */
function tryMentions({ mentions }: ReleasePaths): ReturnType<Before['readMentioned']> {
  try {
    return readMentions(mentions);
  } catch {
    return new Map();
  }
}

function writeMadeOf(paths: ReleasePaths, made: readonly Made[], ways_in: string): void {
  const digests = made.flatMap(({ entry, made_of }) =>
    made_of === null ? [] : [[entry.path, made_of]],
  );
  const pages: v.InferOutput<typeof MadeOfSchema>['pages'] = Object.fromEntries(digests);
  writeFileSync(paths.made_of, JSON.stringify({ ways_in, pages }));
}
