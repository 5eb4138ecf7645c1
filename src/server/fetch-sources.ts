// Sources that are due, asked one after another with all that courtesy asks for: who asks, robots.txt, what is known
// already, when to come again (contract 14.36).
import { setTimeout } from 'node:timers/promises';
import robotsParser, { type Robot } from 'robots-parser';
import type { Config } from '../config.ts';
import { type FetchOutcome, SOURCE_PARSERS, importReading } from '../desk/import-source.ts';
import type { DeskContext } from '../desk/reference-data.ts';
import { IMPORT_LIMITS } from '../domain/imported-events.ts';
import { USER_AGENT, DownloadError, fetchPublic } from '../http/fetch-public.ts';
import { getSourceState, type SourceState } from '../inbox/followed-sources.ts';
import { joinAlerts, listAlertLinks } from '../sources/external/parse-cap.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';

const LIMITS = { max_bytes: IMPORT_LIMITS.bytes, timeout_ms: 30_000 } as const;
const MAX_ROBOTS_BYTES = 512 * 1024;
/** Between two requests to one host. */
const PAUSE_MS = 1_000;

type FetcherOptions = Pick<Config, 'calendars_allow' | 'site_url'> & {
  readonly pause_ms?: number;
  readonly timeout_ms?: number;
};

export const isSourceDue = (
  stored: Pick<SourceState, 'url' | 'next_ms'> | null | undefined,
  url: string,
  now_ms: number,
): boolean => stored?.url !== url || stored.next_ms <= now_ms;

/** Asks servers, each host one request at a time: whoever uses one awaits it. */
export function createPoliteFetcher({
  calendars_allow: allowed,
  site_url: from,
  ...parts
}: FetcherOptions) {
  const { pause_ms = PAUSE_MS, timeout_ms = LIMITS.timeout_ms } = parts;
  const robots = new Map<string, Promise<Robot>>();
  const asked_ms = new Map<string, number>();
  const waitFor = async ({ host }: URL): Promise<void> => {
    const left_ms = (asked_ms.get(host) ?? -pause_ms) + pause_ms - performance.now();
    if (left_ms > 0) await setTimeout(left_ms);
    asked_ms.set(host, performance.now());
  };
  const order = { allowed, from, timeout_ms, admit: waitFor };
  /** One that is not there allows all; where it cannot be had, nothing is asked (RFC 9309, 2.3.1). */
  const readRobots = async (url: string): Promise<Robot> => {
    const how = { ...order, accept: 'text/plain', max_bytes: MAX_ROBOTS_BYTES };
    const read = fetchPublic(url, how).catch((thrown: unknown) => {
      const status = thrown instanceof DownloadError ? thrown.status : 0;
      if (status < 400 || status >= 500 || status === 429) throw thrown;
      return { bytes: null };
    });
    return robotsParser(url, (await read).bytes?.toString() ?? '');
  };
  /** Each host of a chain of redirects has rules of its own. */
  const admit = async (url: URL): Promise<void> => {
    const found = robots.get(url.origin) ?? readRobots(`${url.origin}/robots.txt`);
    robots.set(url.origin, found);
    if ((await found).isAllowed(url.href, USER_AGENT) === false)
      throw new DownloadError('not_allowed', `robots.txt of ${url.host} forbids it`);
    await waitFor(url);
  };
  const askOne = async (
    { url, kind }: Pick<FollowedSource, 'url' | 'kind'>,
    stored: SourceState | null,
    now_ms: number,
  ): Promise<FetchOutcome> => {
    const known = stored?.url === url && stored.bytes !== null ? stored : undefined;
    const how = {
      ...order,
      admit,
      known,
      accept: SOURCE_PARSERS[kind].accept,
      max_bytes: LIMITS.max_bytes,
    };
    try {
      return await fetchPublic(url, how);
    } catch (thrown) {
      if (!(thrown instanceof DownloadError)) throw thrown;
      const retry_ms = thrown.retry_after && toRetryMs(thrown.retry_after, now_ms);
      return { problem: thrown.failure, retry_ms: retry_ms || null };
    }
  };
  /** A feed of alerts comes with those that it leads to; where one fails, all is asked for again. */
  return async (source: FollowedSource, stored: SourceState | null, now_ms: number) => {
    const outcome = await askOne(source, stored, now_ms);
    if (source.kind !== 'cap' || 'problem' in outcome || outcome.bytes === null) return outcome;
    const links = listAlertLinks(outcome.bytes, source.url);
    if (links.length === 0) return outcome;
    const found = await Array.fromAsync(links, async (url) => {
      const one = await askOne({ ...source, url }, null, now_ms);
      return 'problem' in one ? null : one.bytes;
    });
    const tags = found.includes(null) ? { etag: null, last_modified: null } : {};
    return { ...outcome, ...tags, bytes: joinAlerts(outcome.bytes, found) };
  };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function toRetryMs(text: string, now_ms: number): number {
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

interface Order {
  readonly sources: readonly FollowedSource[];
  readonly ask: ReturnType<typeof createPoliteFetcher>;
  readonly with_gone?: boolean;
  readonly say: (read: SourceState) => void;
}

/** One after another; what goes wrong with one keeps no other from its turn. Throws what did, at the end. */
export async function fetchDueSources(desk: DeskContext, { sources, ask, with_gone, say }: Order) {
  const thrown: unknown[] = [];
  for (const source of sources)
    try {
      const known = await getSourceState(desk.inbox, source.key);
      const outcome = await ask(source, known, desk.now_ms);
      say(await importReading(desk, source, outcome, with_gone));
    } catch (error) {
      thrown.push(error);
    }
  if (thrown.length > 0) throw thrown[0];
}
