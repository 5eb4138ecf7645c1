// Work queues: limit the concurrency of expensive work: rendering pages, forms and posters, processing uploads,
// fetching calendars and calling the draft model.
import { IMPORT_LIMITS } from '../domain/imported-events.ts';
import { downloadPublic, DownloadError } from '../http/fetch-public.ts';
import type { ReceivedCalendarFile } from '../site/visitor-request.ts';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

export type WorkQueues = ReturnType<typeof createWorkQueues>;

/**
 * Creates the queues of a process.
 * @param allowed_hosts `host:port` of calendar servers that may have a private address.
 * @param draft_model_url The operator's own model; null for none.
 */
export const createWorkQueues = (
  allowed_hosts: readonly string[],
  draft_model_url: string | null = null,
) => ({
  queues: createRenderQueues(),
  uploads: createUploadGate(),
  fetchCalendar: createCalendarGate(allowed_hosts),
  askModel: createModelClient(draft_model_url),
});

/** Creates the rendering queues. Pages render without waiting; forms wait for password hashes and calendars. */
export function createRenderQueues() {
  let arrivals = 0;
  const countArrivals = (): number => arrivals;
  return {
    recordArrival: (): void => void arrivals++,
    page: createFairQueue({ concurrency: 2, per_sender: 34, total: 258 }, countArrivals),
    form: createFairQueue({ concurrency: 64, per_sender: 96, total: 320 }, countArrivals),
    /** Rendered on another thread. */
    poster: createFairQueue({ concurrency: 1, per_sender: 24, total: 48 }),
  };
}

/** Uploads in progress, per address and in total; each takes 5 MB of memory. */
const UPLOAD_LIMITS = { per_sender: 10, total: 24 } as const;

export const createUploadGate = () => ({
  /** Receives an upload at once, or rejects it. */
  receive: createFairQueue({ ...UPLOAD_LIMITS, concurrency: UPLOAD_LIMITS.total }),
  /** Re-encodes one picture at a time on another thread. Never full, because only received uploads get here. */
  encode: createFairQueue({ ...UPLOAD_LIMITS, concurrency: 1 }),
});

/** Outgoing requests; further ones are rejected at once. */
const OUTGOING_LIMITS = { concurrency: 4, per_sender: 4, total: 4 } as const;
const FETCH_TIMEOUT_MS = 8_000;
/** The type of calendars, and types that servers wrongly use for them. */
const CALENDAR_ACCEPT = 'text/calendar, text/plain;q=0.5, */*;q=0.1';

/** Creates the function that fetches a calendar from a URL of a visitor. */
export function createCalendarGate(allowed_hosts: readonly string[]) {
  const run = createFairQueue(OUTGOING_LIMITS);
  const options = {
    allowed: allowed_hosts,
    accept: CALENDAR_ACCEPT,
    max_bytes: IMPORT_LIMITS.bytes,
    timeout_ms: FETCH_TIMEOUT_MS,
  };
  return async (sender: string, url: string): Promise<ReceivedCalendarFile> => {
    try {
      return { bytes: await run(sender, () => downloadPublic(url, options)), url };
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
 * Creates the client of the draft model, which returns parsed JSON; null if there is no model or it fails, so that
 * the caller uses its rules instead.
 */
export function createModelClient(url: string | null) {
  const run = createFairQueue(OUTGOING_LIMITS);
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
    url === null ? null : run(sender, () => sendPrompt(prompt)).catch(() => null);
}
