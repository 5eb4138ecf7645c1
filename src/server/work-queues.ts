// Work queues: limit the expensive work of a process, per sender (client address) and in total:
// rendering pages, forms and posters, processing uploads, fetching calendars, and calling the draft
// model, an optional language model of the operator that drafts an event from the text of a flyer.
// `per_sender` and `total` count running and waiting tasks; beyond them a task is rejected with 429
// or 503 (fair-queue.ts).
import { IMPORT_LIMITS } from '../domain/imported-events.ts';
import { downloadPublic, DownloadError } from '../http/fetch-public.ts';
import type { ReceivedCalendarFile } from '../site/visitor-request.ts';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

export type WorkQueues = ReturnType<typeof createWorkQueues>;

/**
 * Creates the queues of a process.
 * @param allowed_hosts `host:port` of calendar servers that may have a private address.
 * @param draft_model_url URL of the draft model; null for none.
 */
export const createWorkQueues = (
  allowed_hosts: readonly string[],
  draft_model_url: string | null = null,
) => ({
  /** Rendering of pages, forms and posters. */
  queues: createRenderQueues(),
  uploads: createUploadQueues(),
  /** Fetches a calendar from a URL that a visitor entered, on behalf of a sender. */
  fetchCalendar: createCalendarFetcher(allowed_hosts),
  /** Sends a prompt to the draft model, on behalf of a sender. */
  askModel: createModelClient(draft_model_url),
});

/** Limits of rendering tasks: 32 may wait per sender, 256 in total, besides the running ones. */
const limitRendering = (concurrency: number) => ({
  concurrency,
  per_sender: concurrency + 32,
  total: concurrency + 256,
});

/**
 * Creates the rendering queues. A page uses only the CPU, so few run at once; a form also waits for
 * the inbox, password hashes and calendars, so many may.
 */
export function createRenderQueues() {
  /**
   * Number of connections and requests received. While it grows, the queues start no task: first
   * all requests are received, because a page that renders blocks the process.
   */
  let arrivals = 0;
  const countArrivals = (): number => arrivals;
  return {
    /** Called for each new connection and request. */
    recordArrival: (): void => void arrivals++,
    page: createFairQueue(limitRendering(2), countArrivals),
    form: createFairQueue(limitRendering(64), countArrivals),
    /**
     * Rendered on another thread, so they need not wait for arrivals. As many wait as one address
     * has connections: a preview service fetches the posters of all new events at once.
     */
    poster: createFairQueue({ concurrency: 1, per_sender: 256, total: 512 }),
  };
}

/** Uploads in progress, per address and in total; each takes 5 MB of memory. */
const UPLOAD_LIMITS = { per_sender: 10, total: 24 } as const;

/** Creates the two queues that an uploaded picture passes. */
export const createUploadQueues = () => ({
  /** Receives an upload at once, or rejects it. */
  receive: createFairQueue({ ...UPLOAD_LIMITS, concurrency: UPLOAD_LIMITS.total }),
  /**
   * Re-encodes one picture at a time on another thread. Never full, because only received uploads
   * get here.
   */
  encode: createFairQueue({ ...UPLOAD_LIMITS, concurrency: 1 }),
});

/**
 * Outgoing requests: as many run as are accepted, so none waits; further ones are rejected at once.
 */
const OUTGOING_LIMITS = { concurrency: 4, per_sender: 4, total: 4 } as const;
const FETCH_TIMEOUT_MS = 8_000;
/** The type of calendars, and types that servers wrongly use for them. */
const CALENDAR_ACCEPT = 'text/calendar, text/plain;q=0.5, */*;q=0.1';

/** Creates the function that fetches a calendar from a URL that a visitor entered. */
export function createCalendarFetcher(allowed_hosts: readonly string[]) {
  const runInTurn = createFairQueue(OUTGOING_LIMITS);
  const options = {
    allowed: allowed_hosts,
    accept: CALENDAR_ACCEPT,
    max_bytes: IMPORT_LIMITS.fetched_bytes,
    timeout_ms: FETCH_TIMEOUT_MS,
  };
  return async (sender: string, url: string): Promise<ReceivedCalendarFile> => {
    try {
      return { bytes: await runInTurn(sender, () => downloadPublic(url, options)), url };
    } catch (error) {
      if (error instanceof QueueFullError) return { problem: 'busy' };
      if (error instanceof DownloadError) return { problem: error.failure };
      throw error;
    }
  };
}

const MODEL_TIMEOUT_MS = 8_000;
const MAX_MODEL_CHARACTERS = 64 * 1024;

/**
 * Creates the function that sends a prompt to the draft model and returns the parsed JSON of its
 * response. It returns null if there is no model or it fails; then the caller reads the flyer by
 * rules instead.
 */
export function createModelClient(url: string | null) {
  const runInTurn = createFairQueue(OUTGOING_LIMITS);
  const sendPrompt = async (prompt: object): Promise<unknown> => {
    const response = await fetch(url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(prompt),
      redirect: 'error',
      signal: AbortSignal.timeout(MODEL_TIMEOUT_MS),
    });
    const text = response.ok ? await response.text() : '';
    return text.length > MAX_MODEL_CHARACTERS ? null : JSON.parse(text);
  };
  return async (sender: string, prompt: object): Promise<unknown> =>
    url === null ? null : runInTurn(sender, () => sendPrompt(prompt)).catch(() => null);
}
