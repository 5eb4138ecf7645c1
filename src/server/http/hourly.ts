// So many of something for each sender in an hour, in the memory of a process.
import { createWindowCounter } from '../../http/window-counter.ts';

/** Counts one more of a sender; gives how many ms later it may be where it may not be now, else null. */
export type CountHourly = (sender: string) => number | null;

export function createHourly(an_hour: number): CountHourly {
  const countOne = createWindowCounter(3_600_000);
  return (sender) => {
    const { count, left_ms } = countOne(sender);
    return count > an_hour ? left_ms : null;
  };
}
