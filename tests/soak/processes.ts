// What each process of the service holds, looked at again and again: memory and open files, from /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { toMedian } from '../tokens/count-tokens.ts';

/** One look at a process. */
export interface Look {
  readonly pid: number;
  readonly name: 'primary' | 'worker';
  /** Megabytes resident. */
  readonly memory_mb: number;
  readonly files: number;
}

const KB = 1024;

/** The primary and its serving processes; builds are not among them. */
export function lookAt(primary: number): readonly Look[] {
  const workers = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isWorkerOf(pid, primary));
  return [primary, ...workers].flatMap((pid) => lookAtOne(pid, primary));
}

/** A cluster's worker runs the same command as its primary. */
function isWorkerOf(pid: number, primary: number): boolean {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const parent = Number(rest.split(' ')[1]);
    if (parent !== primary) return false;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .replaceAll('\0', ' ')
      .trim()
      .endsWith('start');
  } catch {
    return false;
  }
}

function lookAtOne(pid: number, primary: number): Look[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const memory_mb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / KB;
    const files = readdirSync(`/proc/${pid}/fd`).length;
    return [{ pid, name: pid === primary ? 'primary' : 'worker', memory_mb, files }];
  } catch {
    // It has ended between two looks.
    return [];
  }
}

/** A process over the whole soak, in the medians of its thirds. */
export interface Course {
  readonly name: string;
  readonly memory_mb: readonly [number, number, number];
  readonly most_mb: number;
  readonly files: readonly [number, number, number];
}

const LEAST_LOOKS = 6;

/** One for each process that was there long enough. */
export function toCourses(looks: readonly Look[]): readonly Course[] {
  const processes = [...Map.groupBy(looks, ({ pid }) => pid)].filter(
    ([, own]) => own.length >= LEAST_LOOKS,
  );
  let workers = 0;
  return processes.map(([, own]) => {
    const thirds = (read: (look: Look) => number): [number, number, number] => {
      const part = (at: number): number =>
        toMedian(
          own
            .slice(Math.floor((own.length * at) / 3), Math.floor((own.length * (at + 1)) / 3))
            .map(read),
        );
      return [part(0), part(1), part(2)];
    };
    const name = own[0]?.name === 'primary' ? 'primary' : `worker ${++workers}`;
    const most_mb = Math.max(...own.map(({ memory_mb }) => memory_mb));
    return { name, most_mb, memory_mb: thirds((l) => l.memory_mb), files: thirds((l) => l.files) };
  });
}

/** The last third holds no more than the middle one, but for what collections leave about. */
const SLACK = 1.15;
const SLACK_FILES = 12;

/** Whether neither memory nor open files grow after the first third, in which caches fill. */
export const isFlat = ({ memory_mb, files }: Course): boolean =>
  memory_mb[2] <= memory_mb[1] * SLACK && files[2] <= files[1] + SLACK_FILES;
