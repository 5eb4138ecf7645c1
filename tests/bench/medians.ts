// The middle one of several: what a benchmark on a busy machine can stand by.

/** The element of middle weight. Throws for none. */
export function toChosen<T>(all: readonly T[], weigh: (one: T) => number): T {
  const [chosen] = all.toSorted((a, b) => weigh(a) - weigh(b)).slice(Math.floor(all.length / 2));
  if (chosen === undefined) throw new Error('There is nothing to choose from');
  return chosen;
}

/** The middle number. Throws for none. */
export const toMedian = (numbers: readonly number[]): number =>
  toChosen(numbers, (number) => number);
