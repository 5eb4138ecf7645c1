// What asks a release before it serves: given from outside, for it takes a server.
import type { Amendment } from './amend-snapshot.ts';
import { refuse } from './progress.ts';

/** How many requests were answered, and what came back wrong. */
interface Report {
  readonly tested: number;
  readonly issues: readonly string[];
}

/**
 * How much a release is asked: today and tomorrow where its code has not served yet or it is gone back to,
 * today where what it says is new, a few where that has served too, or but for the words of some events.
 */
export type Asked = 'all' | 'today' | 'few';

/** Sends real requests to the release in a folder; `events`: ids of those that are asked after, whatever else is. */
export type RunSmokeTests = (
  dir: string,
  asked: Asked,
  events?: readonly string[],
) => Promise<Report>;

/** The same with few of them, and what an amended release says of the events that are amended. */
export type TestAmended = (dir: string, amendments: readonly Amendment[]) => Promise<Report>;

/** How many were answered. Throws with what came back wrong. */
export async function passSmokeTest(report: Promise<Report>): Promise<number> {
  const { tested, issues } = await report;
  refuse('release', issues);
  return tested;
}
