// Where a page of a list ended, as an opaque text (contract 8, cursor; contract 7.20).
import * as v from 'valibot';

/** Where a page of a list ended; the next one goes on after it. */
export interface Cursor {
  /** The `now` of the first page, epoch ms of a whole minute, so that pages agree. */
  readonly now_ms: number;
  /** Start of the last item's next occurrence, epoch ms. */
  readonly start_ms: number;
  /** The last item's event id. */
  readonly id: string;
}

const MINUTE_MS = 60_000;
/** How long a cursor is good for: whoever takes longer between two pages begins again. */
const LIFETIME_MS = 86_400_000;

const CursorSchema = v.strictTuple([
  v.pipe(v.number(), v.safeInteger()),
  v.pipe(v.number(), v.safeInteger()),
  v.pipe(v.string(), v.regex(/^ev_[a-z0-9]{1,40}$/)),
]);

/** The opaque text of a cursor. */
export function formatCursor({ now_ms, start_ms, id }: Cursor): string {
  return Buffer.from(JSON.stringify([now_ms / MINUTE_MS, start_ms / MINUTE_MS, id])).toString(
    'base64url',
  );
}

function decode(text: string): Cursor | null {
  try {
    const [now, start, id] = v.parse(
      CursorSchema,
      JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
    );
    return { now_ms: now * MINUTE_MS, start_ms: start * MINUTE_MS, id };
  } catch {
    return null;
  }
}

/** The cursor of a text at an instant; null for none, or where what is wrong with it is pushed. */
export function readCursor(
  text: string | undefined,
  now_ms: number,
  issues: string[],
): Cursor | null {
  if (text === undefined) return null;
  const cursor = decode(text);
  if (cursor && cursor.now_ms <= now_ms && cursor.now_ms > now_ms - LIFETIME_MS) return cursor;
  issues.push(
    cursor
      ? 'cursor: has run out after a day. Leave it out to begin anew'
      : 'cursor: is not one of ours. Take it as it is from the Link header with rel="next", or leave it out to begin anew',
  );
  return null;
}
