// What is heavy, each kind behind its queue: pages and forms, posters, uploads, calendars on their way.
import { IMPORT_LIMITS } from '../domain/imported-events.ts';
import { downloadPublic, DownloadError } from '../http/fetch-public.ts';
import type { ReceivedCalendarFile } from '../site/visitor-request.ts';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

export type WorkQueues = ReturnType<typeof createWorkQueues>;

/**
 * What is heavy in a process; `allowed`: `host:port` of servers of calendars that may be private; `draft_model_url`:
 * the operator's own model, null for none.
 */
export const createWorkQueues = (
  allowed: readonly string[],
  draft_model_url: string | null = null,
) => ({
  queues: createRenderQueues(),
  uploads: createUploadGate(),
  fetchCalendar: createCalendarGate(allowed),
  askModel: createModelClient(draft_model_url),
});

/** A page is made at one go, a form waits for passwords and calendars. */
export function createRenderQueues() {
  let arrived = 0;
  const countArrivals = (): number => arrived;
  return {
    arrive: (): void => void arrived++,
    page: createFairQueue({ at_once: 2, of_one: 34, of_all: 258 }, countArrivals),
    form: createFairQueue({ at_once: 64, of_one: 96, of_all: 320 }, countArrivals),
    /** Drawn beside the thread that serves. */
    poster: createFairQueue({ at_once: 1, of_one: 24, of_all: 48 }),
  };
}

/** Files that are read at the same time, of one address and of all: 5 MB of memory each. */
const INSIDE = { of_one: 10, of_all: 24 } as const;

export const createUploadGate = () => ({
  /** Reads one where there is room; nobody waits for it. */
  enter: createFairQueue({ ...INSIDE, at_once: INSIDE.of_all }),
  /** Makes it our own, one at a time beside the thread that serves; what is made was read, so there is room. */
  make: createFairQueue({ ...INSIDE, at_once: 1 }),
});

/** Calendars on their way; nobody waits for one. */
const ON_THE_WAY = { at_once: 4, of_one: 4, of_all: 4 } as const;
const FETCH_TIMEOUT_MS = 8_000;
/** What calendars are served as, and what they should not be but are. */
const ACCEPT = 'text/calendar, text/plain;q=0.5, */*;q=0.1';

export function createCalendarGate(allowed: readonly string[]) {
  const run = createFairQueue(ON_THE_WAY);
  const max_bytes = IMPORT_LIMITS.bytes;
  const order = { allowed, accept: ACCEPT, max_bytes, timeout_ms: FETCH_TIMEOUT_MS };
  return async (sender: string, address: string): Promise<ReceivedCalendarFile> => {
    try {
      return { bytes: await run(sender, () => downloadPublic(address, order)), url: address };
    } catch (thrown) {
      if (thrown instanceof QueueFullError) return { problem: 'busy' };
      if (thrown instanceof DownloadError) return { problem: thrown.failure };
      throw thrown;
    }
  };
}

const MODEL_TIMEOUT_MS = 8_000;
const MODEL_CHARACTERS = 64 * 1024;

/** What the operator's model answers, as JSON; null where it does not in time, so that the rules do it. */
export function createModelClient(url: string | null) {
  const run = createFairQueue(ON_THE_WAY);
  const ask = async (asked: object): Promise<unknown> => {
    const answer = await fetch(url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      redirect: 'error',
      signal: AbortSignal.timeout(MODEL_TIMEOUT_MS),
    });
    const text = answer.ok ? await answer.text() : '';
    return text.length > MODEL_CHARACTERS ? null : JSON.parse(text);
  };
  return async (sender: string, asked: object): Promise<unknown> =>
    url === null ? null : run(sender, () => ask(asked)).catch(() => null);
}
