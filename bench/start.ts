// From `npm start` to the first page, with the pages' code built before: on an empty data folder, and again.
import { rmSync } from 'node:fs';
import { ask } from './desk.ts';
import { type Figure, note, toFigure, toMedian, toRange, toSeconds } from './report.ts';
import { beginCommand, makeTown, run, type Say, type Town, until, untilReady } from './service.ts';

const TIMES = 5;
const MOST_MS = { first: 5_000, second: 2_000 } as const;

/** Starts it and stops it again; gives when /hoy answered, milliseconds. */
async function start(town: Town): Promise<number> {
  const command = beginCommand(town, 'start');
  const took_ms = await until(async () => (await ask(town.port, '/hoy')).status === 200, 5);
  if (took_ms === null) throw new Error(`/hoy never answered:\n${command.output()}`);
  await (await untilReady(command, town.port)).stop();
  return took_ms;
}

export async function measureStart(folder: string, say: Say, times: number = TIMES) {
  const figures: Figure[] = [];
  const town = await makeTown(folder, 'real');
  say('Building the code of the pages where it is not there, and starting the real town');
  await run(town, 'release');
  const took_ms: Record<keyof typeof MOST_MS, number[]> = { first: [], second: [] };
  for (let at = 0; at < times; at++) {
    rmSync(town.data_dir, { recursive: true });
    took_ms.first.push(await start(town));
    took_ms.second.push(await start(town));
  }
  for (const name of ['first', 'second'] as const) {
    const what = [`a ${name} start, from npm start to /hoy`, toRange(took_ms[name])] as const;
    const middle_ms = toMedian(took_ms[name]);
    note(figures, say, toFigure(what, middle_ms, ['≤', MOST_MS[name]], toSeconds));
  }
  return figures;
}
