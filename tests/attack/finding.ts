// What an attack found out: one line of the table.

/** A line: what was tried, what came of it, whether it is as it should be. */
export interface Finding {
  readonly what: string;
  readonly figures: string;
  readonly is_held: boolean;
  /**
   * Whether readers beside it were answered soon enough. A figure of this machine and what else runs on it: the
   * command judges it, no test does. Absent where time is not what is tried.
   */
  readonly is_in_time?: boolean;
}

/** Held, and in time where that is tried. */
export const isGood = ({ is_held, is_in_time }: Finding): boolean =>
  is_held && is_in_time !== false;

/** How much of everything. */
export interface AttackPlan {
  readonly requests: number;
  readonly connections: number;
  /** Connections over which pages are asked for. */
  readonly pages: number;
  readonly logins: number;
  readonly kills: number;
}

export type Say = (line: string) => void;

/** A table that is said line by line, each with the seconds since the one before. */
export function startFindings(say: Say): {
  readonly findings: readonly Finding[];
  readonly note: (finding: Finding) => void;
} {
  const findings: Finding[] = [];
  let begun_ms = performance.now();
  const note = (finding: Finding): void => {
    const seconds = ((performance.now() - begun_ms) / 1000).toFixed(1);
    begun_ms = performance.now();
    findings.push(finding);
    const verdict = isGood(finding) ? 'ok  ' : finding.is_held ? 'LATE' : 'MISS';
    say(`${verdict} ${finding.what} (${seconds} s): ${finding.figures}`);
  };
  return { findings, note };
}

/** How often each came, the most frequent first: `200: 812, 404: 31`. */
export const toCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');

export const countOne = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Does `work` for 0 to `count` - 1, `hands` at once. */
export async function inHands(
  count: number,
  hands: number,
  work: (at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const go = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: hands }, go));
}
