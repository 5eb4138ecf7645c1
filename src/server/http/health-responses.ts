// Health responses: serve /livez (the process is alive), /readyz (it may receive traffic), /healthz
// (the live release and the last build) and /statusz (problems that need attention). Of a followed
// source are stored: `tried_ms` = last fetch, `read_ms` = last complete one, `failing_ms` = first
// failure since then, `brought` = events by outcome.
import { formatTimestamp } from '../../domain/local-time.ts';
import { SOURCE_DEAD_AFTER_MS } from '../../desk/import-source.ts';
import type { ServiceHealth } from '../../domain/health.ts';
import { type HttpResponse, createJsonResponse } from '../../http/message.ts';
import { CACHE_NO_STORE } from '../../http/response-headers.ts';
import { HEALTH_PATH, LIVENESS_PATH, READINESS_PATH, STATUS_PATH } from '../../i18n/paths.ts';
import { getMailHealth } from '../../inbox/outbox.ts';
import {
  isStillFollowed,
  listSourceStates,
  listTakenSenders,
} from '../../inbox/followed-sources.ts';
import { ignoreDiskFull } from '../../inbox/open.ts';
import { countPending } from '../../inbox/changes.ts';
import { findLateDecision } from '../../inbox/decisions.ts';
import { isReleaseStale, nextScheduledMs } from '../../releases/build-schedule.ts';
import { listPublishedContentIssues } from '../../releases/last-build.ts';
import { listOmittedRecords } from '../../snapshot/list-records.ts';
import type { RequestContext } from './request-context.ts';

const healthJson = (status: number, value: object): HttpResponse =>
  createJsonResponse(status, value, { 'cache-control': CACHE_NO_STORE });

type HealthHandler = (context: RequestContext) => HttpResponse | Promise<HttpResponse>;
const HEALTH_HANDLERS: ReadonlyMap<string, HealthHandler> = new Map<string, HealthHandler>([
  [HEALTH_PATH, serveHealth],
  [LIVENESS_PATH, () => healthJson(200, { status: 'alive' })],
  [READINESS_PATH, serveReadiness],
  [STATUS_PATH, serveStatus],
]);

/** Serves a health path. @returns null for any other path. */
export const findHealthResponse = async (context: RequestContext): Promise<HttpResponse | null> =>
  (await HEALTH_HANDLERS.get(context.request.path)?.(context)) ?? null;

/** Runs a query for /statusz. @returns null if the inbox cannot be read; the log says why. */
async function tryToRead<T>(
  { request, onError }: RequestContext,
  query: () => Promise<T>,
): Promise<T | null> {
  try {
    return await ignoreDiskFull(query);
  } catch (error) {
    onError(error, request.path);
    return null;
  }
}

type HealthContext = Pick<RequestContext, 'release' | 'now_ms' | 'service'>;

export function computeHealth({ release, now_ms, service }: HealthContext): ServiceHealth {
  const { generated_at, generated_ms } = release.snapshot;
  const last = service.getLastBuild();
  return {
    release: release.id,
    ...{ generated_at, generated_ms, success: last.success, failure: last.failure },
    faults: listPublishedContentIssues(last).map(({ file, line }) => ({ file, line })),
    next_ms: nextScheduledMs(now_ms, service.rebuild_hours),
    refusal: service.getRejection(),
    is_stale: isReleaseStale(generated_ms, now_ms, service.rebuild_hours),
  };
}

const serializeLiveRelease = (
  { release, generated_at, generated_ms, next_ms }: ServiceHealth,
  now_ms: number,
) => ({
  release,
  generated_at,
  age_seconds: Math.max(0, Math.floor((now_ms - generated_ms) / 1000)),
  next_release: next_ms === null ? null : formatTimestamp(next_ms),
});

const serializeRejections = ({ faults, refusal }: ServiceHealth) => ({
  content_faults: faults,
  refused: refusal && { release: refusal.release, reason: refusal.reason },
});

async function findMailHealth(context: RequestContext) {
  const { inbox, site } = context.service;
  if (inbox === null || !site.sends_mail) return null;
  return tryToRead(context, () => getMailHealth(inbox, context.now_ms));
}

async function serveHealth(context: RequestContext): Promise<HttpResponse> {
  const { now_ms } = context;
  const health = computeHealth(context);
  const { success, failure } = health;
  const { release, generated_at, summary } = success ?? {};
  return healthJson(200, {
    status: 'ok',
    ...serializeLiveRelease(health, now_ms),
    last_release: success && { release, generated_at, summary },
    last_failure: failure && { at: failure.at, reason: failure.reason },
    ...serializeRejections(health),
    mail: await findMailHealth(context),
    left_out: listOmittedRecords(context.release.snapshot),
  });
}

/**
 * Serves /statusz. Always 200, so that no load balancer removes the process; alerts check its
 * `status`.
 */
async function serveStatus(context: RequestContext): Promise<HttpResponse> {
  const { request, service, now_ms } = context;
  const { inbox } = service;
  const health = computeHealth(context);
  const { failure } = health;
  const mail = await findMailHealth(context);
  const attention = [...listAttention(health, mail?.failed ?? 0), ...service.listWarnings()];
  const source_states = inbox && (await tryToRead(context, () => listSourceStates(inbox)));
  const sources = (source_states ?? []).filter((source) => isStillFollowed(source, now_ms));
  for (const source of sources) attention.push(...listSourceProblems(source, now_ms));
  // On a full disk a failed build cannot be recorded either.
  if (inbox?.hasFreeSpace() === false) attention.push('disk: nearly full. Free some space');
  const queue = inbox && (await tryToRead(context, () => countPending(inbox)));
  const { decision } = context.release.snapshot;
  const late_since =
    inbox && (await tryToRead(context, () => findLateDecision(inbox, decision, now_ms)));
  if (late_since !== null)
    attention.push(`decision: the one of ${late_since} is not published yet`);
  if (inbox && !queue)
    attention.push('inbox: unreadable, so submissions are rejected. Run npm run doctor');
  // The first content issue.
  const { file = null, line = null } = failure?.faults?.[0] ?? {};
  return healthJson(200, {
    status: attention.length === 0 ? 'ok' : 'attention',
    attention,
    ...serializeLiveRelease(health, now_ms),
    last_failure: failure && { at: failure.at, reason: failure.reason, file, line },
    ...serializeRejections(health),
    queue,
    mail,
    sources: sources.map(({ key, read_ms, problem, failures, brought }) => ({
      ...{ key, last_complete_read: read_ms === null ? null : formatTimestamp(read_ms) },
      ...{ problem, failures, brought },
    })),
    // Number of proxies of this request: npm run doctor compares it with TRUST_PROXY.
    forwarded_by: request.headers['x-forwarded-for']?.split(',').length ?? 0,
  });
}

function* listSourceProblems(
  source: Awaited<ReturnType<typeof listSourceStates>>[number],
  now_ms: number,
): Iterable<string> {
  const { key, problem, failing_ms } = source;
  if (problem === 'failed')
    yield `source: ${key} breaks our reader. The log says how; npm run sources -- try ${key} repeats it`;
  else if (problem === 'emptied' || problem === 'stopped')
    yield `source: ${key} lacks what it had. Look at its page, then npm run sources -- pull ${key} --gone`;
  else if (failing_ms !== null && now_ms - failing_ms >= SOURCE_DEAD_AFTER_MS)
    yield `source: ${key} cannot be read since ${formatTimestamp(failing_ms)}: ${problem}. Run npm run sources -- try ${key}`;
  // Not the senders themselves, which are texts of strangers.
  for (const owner of new Set(listTakenSenders(source).map(([, owner_key]) => owner_key)))
    yield `source: ${key} has alerts of a sender that ${owner} used first. See the sources at the desk, then set follow: false in the file of the one that does not speak for that sender`;
}

function* listAttention(health: ServiceHealth, failed_emails: number): Iterable<string> {
  const { release, is_stale, refusal, failure, faults } = health;
  if (is_stale) yield `release: ${release} is older than two runs of the schedule`;
  if (refusal) yield `switch: ${refusal.release} was refused: ${refusal.reason}`;
  if (failure) yield `build: the last one failed at ${failure.at}: ${failure.reason}`;
  const places = faults.map(({ file, line }) => (line === null ? file : `${file}:${line}`));
  for (const place of new Set(places)) yield `content: ${place} is faulty`;
  if (failed_emails > 0) yield `mail: ${failed_emails} letters were given up`;
}

/**
 * Serves /readyz: 200, or 503 with all reasons. Only problems of this process count. Problems of
 * content, builds or the schedule affect all processes alike, and must not take all of them out of
 * service.
 */
function serveReadiness({ service: { inbox, isStopping }, release }: RequestContext): HttpResponse {
  const reasons: string[] = [];
  if (isStopping()) reasons.push('process: stopping');
  if (inbox !== null && !inbox.exists())
    reasons.push('inbox: inbox.db is missing. Restore it and restart');
  const is_ready = reasons.length === 0;
  return healthJson(is_ready ? 200 : 503, {
    status: is_ready ? 'ready' : 'not ready',
    release: release.id,
    reasons,
  });
}
