// Start benchmark: measures the time from `npm start` to the first page, with an empty data folder and with a release.
// The site code, which is stored elsewhere, is built before.
import { rmSync } from 'node:fs';
import { request } from './desk.ts';
import {
  type Figure,
  addFigure,
  createFigure,
  computeMedian,
  formatRange,
  formatSeconds,
} from './report.ts';
import {
  startCommand,
  createTown,
  runCommand,
  type LogLine,
  type Town,
  waitFor,
  waitUntilReady,
} from './service.ts';

const TIMES = 5;
const TARGETS_MS = { first: 5_000, second: 2_000 } as const;

/** Starts and stops the service. @returns the milliseconds until /hoy responded. */
async function measureOneStart(town: Town): Promise<number> {
  const command = startCommand(town, 'start');
  const took_ms = await waitFor(async () => (await request(town.port, '/hoy')).status === 200, 5);
  if (took_ms === null) throw new Error(`/hoy did not respond:\n${command.output()}`);
  await (await waitUntilReady(command, town.port)).stop();
  return took_ms;
}

export async function measureStart(folder: string, log: LogLine, times: number = TIMES) {
  const figures: Figure[] = [];
  const town = await createTown(folder, 'real');
  log('Building the site code if it is missing, and starting the real town');
  await runCommand(town, 'release');
  const took_ms: Record<keyof typeof TARGETS_MS, number[]> = { first: [], second: [] };
  for (let count = 0; count < times; count++) {
    rmSync(town.data_dir, { recursive: true });
    took_ms.first.push(await measureOneStart(town));
    took_ms.second.push(await measureOneStart(town));
  }
  for (const name of ['first', 'second'] as const) {
    const label = [`a ${name} start, from npm start to /hoy`, formatRange(took_ms[name])] as const;
    const median_ms = computeMedian(took_ms[name]);
    const figure = createFigure(label, median_ms, ['≤', TARGETS_MS[name]], formatSeconds);
    addFigure(figures, log, figure);
  }
  return figures;
}
