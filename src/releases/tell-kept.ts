// The decisions that a release has though it was built without them, a line each.
import type { KeptDecision } from '../domain/decision.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `21 Nov 18:02`, of a timestamp in Cancún. */
const toMoment = (at: string): string =>
  `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(11, 16)}`;

/** `keeps: cancelled "Noche de jazz" (ana, 21 Nov 18:02)`. */
export const toKeptLines = (decisions: readonly KeptDecision[]): string[] =>
  decisions.map(({ title, date, status, editor, at, event }) => {
    const who = editor === null || at === null ? event : `${editor}, ${toMoment(at)}`;
    return `keeps: ${status} "${title}"${date === '' ? '' : ` on ${date}`} (${who})`;
  });
