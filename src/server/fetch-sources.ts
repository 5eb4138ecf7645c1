// Source fetching: fetches due followed sources (calendars, pages, feeds and alert feeds that the
// town's files name), alerts first and each host by itself, so that a slow one delays no other.
// Politely: identifies itself, respects robots.txt and Retry-After, pauses between two requests to a
// host, and sends conditional requests (contract 14.36).
import { setTimeout } from 'node:timers/promises';
import robotsParser, { type Robot } from 'robots-parser';
import type { Config } from '../config.ts';
import { type FetchOutcome, SOURCE_PARSERS, importReading } from '../desk/import-source.ts';
import type { DeskContext } from '../desk/reference-data.ts';
import { IMPORT_LIMITS } from '../domain/imported-events.ts';
import { USER_AGENT, DownloadError, fetchPublic } from '../http/fetch-public.ts';
import { getSourceState, type SourceState } from '../inbox/followed-sources.ts';
import { applyHeaderCharset } from '../sources/external/decode-text.ts';
import { parseInWorker } from '../sources/external/parse-in-worker.ts';
import { skipPastEvents } from '../sources/external/skip-past-events.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';

const TIMEOUT_MS = 30_000;
const MAX_ROBOTS_BYTES = 512 * 1024;
/** Longest fetch of a source with its robots.txt, redirects and linked alerts. */
const SOURCE_TIMEOUT_MS = 60_000;
/** Pause between two requests to the same host. */
const HOST_PAUSE_MS = 1_000;

type FetcherOptions = Pick<Config, 'calendars_allow' | 'site_url'> & {
  readonly pause_ms?: number;
  /** Time limit of a request. */
  readonly timeout_ms?: number;
  /** Time limit of a source. */
  readonly source_timeout_ms?: number;
};

/** Returns true if a source was never fetched from this URL, or its next fetch is due. */
export const isSourceDue = (
  stored: Pick<SourceState, 'url' | 'next_ms'> | null | undefined,
  url: string,
  now_ms: number,
): boolean => stored?.url !== url || stored.next_ms <= now_ms;

/** Creates a fetcher of sources, which may fetch several at once. */
export function createPoliteFetcher({
  calendars_allow: allowed,
  site_url: contact_url,
  ...options
}: FetcherOptions) {
  const { pause_ms = HOST_PAUSE_MS, timeout_ms = TIMEOUT_MS } = options;
  const { source_timeout_ms = SOURCE_TIMEOUT_MS } = options;
  const robots_by_origin = new Map<string, Promise<Robot>>();
  /** Time from which each host may get its next request. */
  const next_request_ms = new Map<string, number>();
  const waitForHost = async ({ host }: URL): Promise<void> => {
    const now_ms = performance.now();
    const start_ms = Math.max(now_ms, next_request_ms.get(host) ?? 0);
    next_request_ms.set(host, start_ms + pause_ms);
    if (start_ms > now_ms) await setTimeout(start_ms - now_ms);
  };
  const common_options = { allowed, contact_url, timeout_ms, beforeRequest: waitForHost };
  /**
   * Fetches robots.txt. A missing one allows everything; if it is unavailable, the source is not
   * fetched (RFC 9309, 2.3.1).
   */
  const fetchRobots = async (url: string): Promise<Robot> => {
    const options = { ...common_options, accept: 'text/plain', max_bytes: MAX_ROBOTS_BYTES };
    const fetched = fetchPublic(url, options).catch((error: unknown) => {
      const status = error instanceof DownloadError ? error.status : 0;
      if (status < 400 || status >= 500 || status === 429) throw error;
      return { bytes: null };
    });
    return robotsParser(url, (await fetched).bytes?.toString() ?? '');
  };
  /** Checks robots.txt of each host in a chain of redirects. */
  const beforeRequest = async (url: URL): Promise<void> => {
    const robots = robots_by_origin.get(url.origin) ?? fetchRobots(`${url.origin}/robots.txt`);
    robots_by_origin.set(url.origin, robots);
    if ((await robots).isAllowed(url.href, USER_AGENT) === false)
      throw new DownloadError('not_allowed', `robots.txt of ${url.host} forbids it`);
    await waitForHost(url);
  };
  const fetchOne = async (
    { url, kind }: Pick<FollowedSource, 'url' | 'kind'>,
    stored: SourceState | null,
    now_ms: number,
    signal: AbortSignal,
  ): Promise<FetchOutcome> => {
    const cached = stored?.url === url && stored.bytes !== null ? stored : undefined;
    const options = {
      ...common_options,
      beforeRequest,
      signal,
      cached,
      accept: SOURCE_PARSERS[kind].accept,
      max_bytes: kind === 'icalendar' ? IMPORT_LIMITS.fetched_bytes : IMPORT_LIMITS.bytes,
    };
    try {
      const { bytes, content_type, ...validators } = await fetchPublic(url, options);
      if (bytes === null) return { ...validators, bytes };
      // Calendars are UTF-8, even if their server names another charset (RFC 5545, 3.1.4).
      const body =
        kind === 'icalendar'
          ? Buffer.from(skipPastEvents(bytes, now_ms))
          : applyHeaderCharset(bytes, content_type);
      return { ...validators, bytes: body };
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      const retry_ms = error.retry_after && parseRetryAfter(error.retry_after, now_ms);
      return { problem: error.failure, retry_ms: retry_ms || null };
    }
  };
  // An alert feed (`cap`: Common Alerting Protocol) is joined with the alerts it links to. If one
  // of them fails, the validators are dropped, so that everything is fetched again next time.
  return async (source: FollowedSource, stored: SourceState | null, now_ms: number) => {
    const signal = AbortSignal.timeout(source_timeout_ms);
    const outcome = await fetchOne(source, stored, now_ms, signal);
    if (source.kind !== 'cap' || 'problem' in outcome || outcome.bytes === null) return outcome;
    const links = await parseInWorker('listAlertLinks', outcome.bytes, source.url);
    if ('problem' in links) return { problem: links.problem, retry_ms: null };
    if (links.length === 0) return outcome;
    const alerts = await Array.fromAsync(links, async (url) => {
      if (signal.aborted) return null;
      const alert = await fetchOne({ ...source, url }, null, now_ms, signal);
      return 'problem' in alert ? null : alert.bytes;
    });
    const validators = alerts.includes(null) ? { etag: null, last_modified: null } : {};
    const joined = await parseInWorker('joinAlerts', outcome.bytes, alerts);
    if ('problem' in joined) return { problem: joined.problem, retry_ms: null };
    return { ...outcome, ...validators, bytes: Buffer.from(joined) };
  };
}

/**
 * Parses Retry-After, in seconds or as a date (RFC 9110, 10.2.3).
 * @returns ms from now; 0 if invalid.
 */
function parseRetryAfter(text: string, now_ms: number): number {
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

interface SourceRun {
  readonly sources: readonly FollowedSource[];
  readonly fetchSource: ReturnType<typeof createPoliteFetcher>;
  /** Sends vanished events to review even if suspiciously many vanished. */
  readonly with_gone?: boolean;
  readonly onSourceRead: (state: SourceState) => void;
}

/** Failure of a source whose import threw an error: it is our fault, and it is retried later. */
const OUR_FAILURE = { problem: 'failed', retry_ms: null } as const;

/**
 * Fetches sources, alerts first; a host gets one request at a time. Imports each when it has
 * arrived. A source that is slow or throws an error does not hold up the others.
 * @throws the first error, at the end.
 */
export async function fetchDueSources(
  desk: DeskContext,
  { sources, fetchSource, with_gone, onSourceRead }: SourceRun,
) {
  const errors: unknown[] = [];
  // One import at a time, because each compares its events with all others.
  let last_import: Promise<unknown> = Promise.resolve();
  const importInTurn = async (source: FollowedSource, outcome: FetchOutcome): Promise<void> => {
    const state = last_import.then(() => importReading(desk, source, outcome, with_gone));
    last_import = state.catch(() => {});
    onSourceRead(await state);
  };
  const handle = async (source: FollowedSource): Promise<void> => {
    try {
      const stored = await getSourceState(desk.inbox, source.key);
      await importInTurn(source, await fetchSource(source, stored, desk.now_ms));
    } catch (error) {
      errors.push(error);
      await importInTurn(source, OUR_FAILURE).catch((second_error: unknown) =>
        errors.push(second_error),
      );
    }
  };
  const isAlert = ({ kind }: FollowedSource): number => Number(kind === 'cap');
  const alerts_first = sources.toSorted((a, b) => isAlert(b) - isAlert(a));
  const by_host = Map.groupBy(alerts_first, ({ url }) => URL.parse(url)?.host);
  const handleHost = async (sources_of_host: readonly FollowedSource[]): Promise<void> => {
    for (const source of sources_of_host) await handle(source);
  };
  await Promise.all([...by_host.values()].map(handleHost));
  if (errors.length > 0) throw errors[0];
}
