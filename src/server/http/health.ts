// How the service is, for whoever monitors it: /healthz tells what serves and what failed, /readyz
// whether it may be sent visitors.
import { formatTimestamp } from '../../domain/cancun-time.ts';
import type { Health } from '../../domain/health.ts';
import { type HttpResponse, toJsonResponse } from '../../http/message.ts';
import { NO_STORE } from '../../http/response-headers.ts';
import { readMailHealth } from '../../inbox/outbox.ts';
import { HEALTH_PATH, READINESS_PATH } from '../../i18n/paths.ts';
import { listLeftOut } from '../../inbox/patches.ts';
import { type LastBuild, listFaults } from '../../releases/last-build.ts';
import { isStale, nextDueMs } from '../../releases/schedule.ts';
import type { RequestContext } from './request-context.ts';

/** Why a release that should serve does not. */
export interface ReleaseRefusal {
  readonly release: string;
  /** In words, one line, without paths of this machine. */
  readonly reason: string;
}

/** What both report beside the release that serves. */
export interface ReleaseWatch {
  readonly lastBuild: () => LastBuild;
  readonly refusal: () => ReleaseRefusal | null;
}

const HEADERS = { 'cache-control': NO_STORE } as const;
const PATHS: ReadonlyMap<string, (context: RequestContext) => HttpResponse> = new Map([
  [HEALTH_PATH, toHealth],
  [READINESS_PATH, toReadiness],
]);

/** The response at /healthz or /readyz; null at any other path. */
export function findHealthResponse(context: RequestContext): HttpResponse | null {
  return PATHS.get(context.request.path)?.(context) ?? null;
}

/** How the service is at the moment of a request. */
export function readHealth({ state, now_ms, service }: RequestContext): Health {
  const { generated_at, generated_ms } = state.facts;
  const last = service.watch.lastBuild();
  const { success, failure } = last;
  return {
    release: state.id,
    ...{ generated_at, generated_ms, success, failure },
    faults: listFaults(last).map(({ file, line }) => ({ file, line })),
    next_ms: nextDueMs(now_ms, service.rebuild_hours),
    refusal: service.watch.refusal(),
    is_stale: isStale(generated_ms, now_ms, service.rebuild_hours),
  };
}

/** Always 200 while the process responds. */
function toHealth(context: RequestContext): HttpResponse {
  const health = readHealth(context);
  const { release, generated_at, generated_ms, next_ms, success, failure, faults, refusal } =
    health;
  const { service } = context;
  return toJsonResponse(
    200,
    {
      status: 'ok',
      release,
      generated_at,
      age_seconds: Math.max(0, Math.floor((context.now_ms - generated_ms) / 1000)),
      next_release: next_ms === null ? null : formatTimestamp(next_ms),
      last_release: success && {
        release: success.release,
        generated_at: success.generated_at,
        summary: success.summary,
      },
      last_failure: failure && { at: failure.at, reason: failure.reason },
      content_faults: faults,
      refused: refusal && { release: refusal.release, reason: refusal.reason },
      mail:
        service.site.sends_mail && service.inbox !== null
          ? readMailHealth(service.inbox, context.now_ms)
          : null,
      left_out: context.service.inbox === null ? [] : listLeftOut(context.service.inbox),
    },
    HEADERS,
  );
}

/** 200, or 503 with every reason. */
function toReadiness(context: RequestContext): HttpResponse {
  const { release, is_stale, refusal } = readHealth(context);
  const reasons: string[] = [];
  if (is_stale) reasons.push(`release: ${release} is older than two runs of the schedule`);
  if (refusal) reasons.push(`switch: ${refusal.release} was refused: ${refusal.reason}`);
  return toJsonResponse(
    reasons.length > 0 ? 503 : 200,
    { status: reasons.length > 0 ? 'not ready' : 'ready', release, reasons },
    HEADERS,
  );
}
