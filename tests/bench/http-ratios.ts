// The API beside the yardstick: rounds of load on one and on the other in turn, their ratio in each
// round, the middle one of all.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../fixtures/built-server.ts';
import { askRaw } from './ask-raw.ts';
import { toChosen } from './medians.ts';
import { type Program, startProgram, toFile } from './programs.ts';
import { REPEATED, toHttpRequest } from './questions.ts';
import { drive, inRounds, type Load, type Ratio } from './rounds.ts';

/** What a browser sends. */
const BROWSER = 'gzip, deflate, br, zstd';
/** Questions that the yardstick's body is chosen among: the one of middle length. */
const SAMPLE = 101;

interface Case {
  readonly what: string;
  readonly is_repeated: boolean;
  readonly coding: string;
  readonly target: number;
}
const CASES: readonly Case[] = [
  { what: 'the same question, as it is', is_repeated: true, coding: 'identity', target: 0.8 },
  { what: 'the same question, compressed', is_repeated: true, coding: BROWSER, target: 0.8 },
  { what: 'all different, as they are', is_repeated: false, coding: 'identity', target: 0.5 },
  { what: 'all different, compressed', is_repeated: false, coding: BROWSER, target: 0.35 },
];

/** Position of the next question that nobody has asked. */
let asked = 0;

/**
 * The body that the yardstick sends, and its coding: the answer itself, or the one of middle length
 * of many.
 */
async function chooseBody(
  { is_repeated, coding }: Case,
  port: number,
): Promise<{ bytes: Buffer; coding: string }> {
  const bodies: { bytes: Buffer; coding: string }[] = [];
  for (let i = 0; i < (is_repeated ? 1 : SAMPLE); i++) {
    bodies.push(
      await askRaw(port, {
        path: is_repeated ? REPEATED : toHttpRequest(asked++),
        headers: { 'accept-encoding': coding },
      }),
    );
  }
  return toChosen(bodies, ({ bytes }) => bytes.length);
}

/** Asks what nobody has asked before where that is the case. */
async function driveCase(program: Program, { is_repeated, coding }: Case, seconds: number) {
  const from = is_repeated ? [] : ['--from', String(asked)];
  const driven = await drive(program, REPEATED, seconds, ['--coding', coding, ...from]);
  if (!is_repeated) asked = driven.position ?? asked;
  return driven;
}

async function measure(one: Case, ours: Program, folder: string, load: Load): Promise<Ratio> {
  const { bytes, coding } = await chooseBody(one, ours.port);
  const file = join(folder, 'body');
  writeFileSync(file, bytes);
  const port = await findFreePort();
  const yardstick = await startProgram(
    [toFile('constant-server.ts'), '--body', file, '--port', String(port), '--coding', coding],
    port,
  );
  try {
    const driven = await inRounds(
      (seconds) => driveCase(ours, one, seconds),
      (seconds) => driveCase(yardstick, one, seconds),
      load,
    );
    return { what: one.what, target: one.target, body_kb: bytes.length / 1024, ...driven };
  } finally {
    await yardstick.stop();
  }
}

/**
 * Every case, one after the other; `ours` is the service with one worker and limits out of the way.
 */
export async function measureHttp(
  ours: Program,
  folder: string,
  load: Load,
  say: (line: string) => void,
): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  for (const one of CASES) {
    say(`  ${one.what} …`);
    ratios.push(await measure(one, ours, folder, load));
  }
  return ratios;
}
