// Where something is, in one line that a map finds from anywhere: name, address, locality, town, state. Pure.
import { fold } from './folding.ts';

/** The state of every place that we know. */
export const STATE = 'Quintana Roo';

/** The zones that are towns of their own; every other one is a part of Cancún. */
const TOWNS: Readonly<Record<string, string>> = { 'isla-mujeres': 'Isla Mujeres', 'puerto-morelos': 'Puerto Morelos' };
const CANCUN = 'Cancún';

/** The parts that there are, without a full stop at their end, then the town of `zone` and the state where none of them is just that. */
export function toPlaceLine(parts: readonly (string | null)[], zone: string | null): string {
  const known = parts.filter((part) => part !== null).map((part) => part.trim().replace(/\.$/, ''));
  const ends = zone === null ? [STATE] : [TOWNS[zone] ?? CANCUN, STATE];
  const named = new Set(known.flatMap((part) => part.split(/[,/]/)).map((name) => fold(name.trim())));
  return [...known, ...ends.filter((end) => !named.has(fold(end)))].join(', ');
}
