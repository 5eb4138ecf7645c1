// The API beside the yardstick: rounds of load on one and on the other in turn, their ratio in each
// round, the middle one of all.
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { toChosen, toMedian } from './medians.ts';
import { type Program, runProgram, startProgram, toFile } from './programs.ts';
import { REPEATED, toHttpRequest } from './questions.ts';

const CONNECTIONS = 20;
/** What a browser sends. */
const BROWSER = 'gzip, deflate, br, zstd';
/** Questions that the yardstick's body is chosen among: the one of middle length. */
const SAMPLE = 101;

export interface Load {
  readonly rounds: number;
  readonly seconds: number;
}

/** One line of the table. */
export interface Ratio {
  readonly what: string;
  /** Requests a second, ours by the yardstick's. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
  readonly target: number;
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

interface Case {
  readonly what: string;
  readonly is_repeated: boolean;
  readonly coding: string;
  readonly target: number;
}
const CASES: readonly Case[] = [
  { what: 'the same question, as it is', is_repeated: true, coding: 'identity', target: 0.8 },
  { what: 'the same question, compressed', is_repeated: true, coding: BROWSER, target: 0.8 },
  { what: 'all different, as they are', is_repeated: false, coding: 'identity', target: 0.35 },
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
    bodies.push(await askRaw(port, is_repeated ? REPEATED : toHttpRequest(asked++), coding));
  }
  return toChosen(bodies, ({ bytes }) => bytes.length);
}

/** The body as it is sent; a fetch of Node would unpack it. */
function askRaw(
  port: number,
  path: string,
  coding: string,
): Promise<{ bytes: Buffer; coding: string }> {
  return new Promise((done, fail) => {
    request(
      { host: '127.0.0.1', port, path, headers: { 'accept-encoding': coding } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if (response.statusCode === 200)
            done({
              bytes: Buffer.concat(chunks),
              coding: response.headers['content-encoding'] ?? '',
            });
          else fail(new Error(`${path} answers ${response.statusCode}`));
        });
      },
    )
      .on('error', fail)
      .end();
  });
}

async function drive(program: Program, { is_repeated, coding }: Case, seconds: number) {
  const before_us = program.cpuMicros();
  const from = is_repeated ? [] : ['--from', String(asked)];
  const measured = v.parse(
    MeasuredSchema,
    JSON.parse(
      await runProgram([
        toFile('drive.ts'),
        '--url',
        `http://127.0.0.1:${program.port}${REPEATED}`,
        '--seconds',
        String(seconds),
        '--connections',
        String(CONNECTIONS),
        '--coding',
        coding,
        ...from,
      ]),
    ),
  );
  if (measured.refused > 0)
    throw new Error(`${measured.refused} requests failed: what was measured means nothing`);
  if (!is_repeated) asked = measured.position ?? asked;
  return {
    per_second: measured.requests / measured.seconds,
    cpu_us: (program.cpuMicros() - before_us) / measured.requests,
    p99_ms: measured.p99_ms,
  };
}

async function measure(
  one: Case,
  ours: Program,
  folder: string,
  { rounds, seconds }: Load,
): Promise<Ratio> {
  const { bytes, coding } = await chooseBody(one, ours.port);
  const file = join(folder, 'body');
  writeFileSync(file, bytes);
  const port = ours.port + 1;
  const yardstick = await startProgram(
    [toFile('constant-server.ts'), '--body', file, '--port', String(port), '--coding', coding],
    port,
  );
  try {
    await drive(ours, one, 1);
    await drive(yardstick, one, 1);
    const pairs: {
      mine: Awaited<ReturnType<typeof drive>>;
      bare: Awaited<ReturnType<typeof drive>>;
    }[] = [];
    for (let round = 0; round < rounds; round++)
      pairs.push({
        mine: await drive(ours, one, seconds),
        bare: await drive(yardstick, one, seconds),
      });
    const ratios = pairs.map(({ mine, bare }) => mine.per_second / bare.per_second);
    const middle = (pick: (pair: (typeof pairs)[number]) => number): number =>
      toMedian(pairs.map(pick));
    return {
      what: one.what,
      target: one.target,
      ratio: toMedian(ratios),
      least: Math.min(...ratios),
      most: Math.max(...ratios),
      body_kb: bytes.length / 1024,
      cpu_us: [middle(({ mine }) => mine.cpu_us), middle(({ bare }) => bare.cpu_us)],
      p99_ms: [middle(({ mine }) => mine.p99_ms), middle(({ bare }) => bare.p99_ms)],
    };
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
