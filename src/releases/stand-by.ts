// A build that stands by: it has loaded its code and tried it on the release that serves before anybody
// asks for a release, and builds one, once, when it is told to.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { Config } from '../config.ts';
import { digestCode, digestMakers } from './digests.ts';
import { type Layout, toLayout, toReleasePaths } from './layout.ts';
import { makeLooseSnapshot } from './make-snapshot.ts';
import { findServing, type ReleaseFacts } from './release-facts.ts';
import { type Renderer, startRenderer } from './render-pages.ts';
import type { Say } from './progress.ts';
import type { RunSmokeTests } from './smoke-tests.ts';

/**
 * What it ends with, having built nothing, where it was loaded from other code than there is now (EX_TEMPFAIL of
 * sysexits.h).
 */
export const OTHER_CODE = 75;
/** A larger town is not tried: its builds take so long that what is gained is nothing beside it. */
const MOST_EVENTS = 2_000;

const OrderSchema = v.object({
  /** For when the release is made; null for the real time. */
  now_ms: v.nullable(v.number()),
});
export type StandByOrder = v.InferOutput<typeof OrderSchema>;

/** The one line that it is told. */
export const toOrderLine = (order: StandByOrder): string => JSON.stringify(order);

/** What it is told, and what it has ready by then. */
export interface StoodBy extends StandByOrder {
  /** The digest of the code that it was loaded from; null where there is other code now. */
  readonly code: string | null;
  /** Null where no release of this code serves, from which threads could load it. */
  readonly renderer: Renderer | null;
}

/** What a build that stands by is made of. */
export interface StandByParts {
  readonly config: Config;
  readonly now_ms: number;
  readonly smokeTest: RunSmokeTests;
  /** Takes its lines. */
  readonly say: Say;
}

/** Resolves when it is told to build; what it tries meanwhile is left off then. */
export async function standBy(parts: StandByParts): Promise<StoodBy> {
  const { config, say } = parts;
  let is_told = false;
  const told = readOrder().then((order) => {
    is_told = true;
    return order;
  });
  const layout = toLayout(config.data_dir);
  const code = digestCode(config);
  const made_with = digestMakers(config, code);
  const serving = findServing(layout);
  let renderer = serving?.made_with === made_with ? beginThreads(layout, serving) : null;
  if (serving !== null && renderer !== null && serving.events <= MOST_EVENTS) {
    const trial = { ...parts, layout, serving, renderer };
    if (!(await tryOut(trial, () => is_told))) {
      await renderer.stop();
      renderer = null;
    }
  }
  globalThis.gc?.();
  if (!is_told) say('stands by');
  const order = await told;
  return { ...order, renderer, code: digestCode(config) === code ? code : null };
}

/** Whoever would tell it ends it, or it ends with them (spawn.ts). */
async function readOrder(): Promise<StandByOrder> {
  const [line]: unknown[] = await once(createInterface({ input: process.stdin }), 'line');
  // An open pipe would keep it alive when all is done.
  process.stdin.destroy();
  return v.parse(OrderSchema, JSON.parse(String(line)));
}

const toServingPaths = (layout: Layout, { id }: ReleaseFacts) =>
  toReleasePaths(join(layout.releases_dir, id));

function beginThreads(layout: Layout, serving: ReleaseFacts): Renderer {
  const { entry, store } = toServingPaths(layout, serving);
  return startRenderer({ entry, store_dir: store }, serving.files);
}

interface Trial extends StandByParts {
  readonly layout: Layout;
  readonly serving: ReleaseFacts;
  readonly renderer: Renderer;
}

/**
 * Does what a build does, and keeps nothing of it. What fails in it is said, and stops nothing; false where the
 * threads should not be used.
 */
async function tryOut(trial: Trial, isOver: () => boolean): Promise<boolean> {
  const { config, now_ms, say, layout, serving, renderer, smokeTest } = trial;
  const { dir, snapshot } = toServingPaths(layout, serving);
  const orSay = (what: string, done: Promise<unknown>): Promise<boolean> =>
    done.then(
      () => true,
      (thrown: unknown) => {
        say(`${what} could not be tried: ${String(thrown)}`);
        return false;
      },
    );
  const pages = orSay('pages', renderer.tryOut({ snapshot, now_ms }, isOver));
  const steps = [
    () => orSay('sources', trySources(config, now_ms, layout.trial_dir)),
    () => orSay('questions', smokeTest(dir, 'today').then(throwIssue)),
  ];
  for (const step of steps) {
    // What is read from the pipe is heard between two steps.
    await new Promise(setImmediate);
    if (!isOver()) await step();
  }
  return pages;
}

function throwIssue({ issues: [first] }: Awaited<ReturnType<RunSmokeTests>>): void {
  if (first !== undefined) throw new Error(first);
}

async function trySources(config: Config, now_ms: number, dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  try {
    await makeLooseSnapshot({ config, now_ms, say: () => {} }, join(dir, 'snapshot.db'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
