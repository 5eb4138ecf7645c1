// What asks a release before it serves: given from outside, for it takes a server.
import type { Amendment } from './amend-snapshot.ts';
import { refuse } from './progress.ts';

/** How many requests were answered, and what came back wrong. */
interface Report {
  readonly tested: number;
  readonly issues: readonly string[];
}

/** Sends real requests to the release in a folder. */
export type RunSmokeTests = (dir: string) => Promise<Report>;

/** The same with few of them, and what an amended release says of the events that are amended. */
export type TestAmended = (dir: string, amendments: readonly Amendment[]) => Promise<Report>;

/** How many were answered. Throws with what came back wrong. */
export async function passSmokeTest(report: Promise<Report>): Promise<number> {
  const { tested, issues } = await report;
  refuse('release', issues);
  return tested;
}
