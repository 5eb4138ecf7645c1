// Rounds of load on one program and on another in turn: their ratio in each round, the middle one of all.
import * as v from 'valibot';
import { toMedian } from './medians.ts';
import { type Program, runProgram, toFile } from './programs.ts';

const CONNECTIONS = 20;

export interface Load {
  readonly rounds: number;
  readonly seconds: number;
}

/** What came of it. */
export interface Ratio {
  readonly what: string;
  /** Requests a second, ours by the yardstick's. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
  /** The least it must be; null where it is only said. */
  readonly target: number | null;
  /** Processor time of a request, in microseconds, ours and the yardstick's. */
  readonly cpu_us: readonly [number, number];
  readonly p99_ms: readonly [number, number];
  readonly body_kb: number;
}

const MeasuredSchema = v.object({
  requests: v.number(),
  seconds: v.number(),
  refused: v.number(),
  p50_ms: v.number(),
  p99_ms: v.number(),
  position: v.nullable(v.number()),
});

interface Driven {
  readonly per_second: number;
  readonly cpu_us: number;
  readonly p99_ms: number;
  readonly position: number | null;
}

/** Asks a program for some seconds as drive.ts is told to. Throws where a request fails. */
export async function drive(
  program: Program,
  path: string,
  seconds: number,
  args: readonly string[],
): Promise<Driven> {
  const before_us = program.cpuMicros();
  const said = await runProgram([
    toFile('drive.ts'),
    ...['--url', `http://127.0.0.1:${program.port}${path}`],
    ...['--seconds', String(seconds), '--connections', String(CONNECTIONS)],
    ...args,
  ]);
  const measured = v.parse(MeasuredSchema, JSON.parse(said));
  if (measured.refused > 0)
    throw new Error(`${measured.refused} requests failed: what was measured means nothing`);
  return {
    per_second: measured.requests / measured.seconds,
    cpu_us: (program.cpuMicros() - before_us) / measured.requests,
    p99_ms: measured.p99_ms,
    position: measured.position,
  };
}

/** Loads both for a second, then in rounds; each function loads its program for so many seconds. */
export async function inRounds(
  driveMine: (seconds: number) => Promise<Driven>,
  driveOther: (seconds: number) => Promise<Driven>,
  { rounds, seconds }: Load,
): Promise<Pick<Ratio, 'ratio' | 'least' | 'most' | 'cpu_us' | 'p99_ms'>> {
  await driveMine(1);
  await driveOther(1);
  const pairs: (readonly [Driven, Driven])[] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push([await driveMine(seconds), await driveOther(seconds)]);
  const ratios = pairs.map(([mine, other]) => mine.per_second / other.per_second);
  const middle = (pick: (one: Driven) => number): [number, number] => [
    toMedian(pairs.map(([mine]) => pick(mine))),
    toMedian(pairs.map(([, other]) => pick(other))),
  ];
  return {
    ratio: toMedian(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
    cpu_us: middle(({ cpu_us }) => cpu_us),
    p99_ms: middle(({ p99_ms }) => p99_ms),
  };
}
