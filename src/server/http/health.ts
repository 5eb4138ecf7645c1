// How the service is, for whoever monitors it: which path answers what, and /healthz, which tells what
// serves and what failed.
import { formatTimestamp } from '../../domain/cancun-time.ts';
import type { Health } from '../../domain/health.ts';
import { type HttpResponse, toJsonResponse } from '../../http/message.ts';
import { NO_STORE } from '../../http/response-headers.ts';
import { readMailHealth } from '../../inbox/outbox.ts';
import { HEALTH_PATH, LIVENESS_PATH, READINESS_PATH, STATUS_PATH } from '../../i18n/paths.ts';
import { listLeftOut } from '../../inbox/patches.ts';
import { type LastBuild, listFaults } from '../../releases/last-build.ts';
import { isStale, nextDueMs } from '../../releases/schedule.ts';
import { toLiveness, toReadiness } from './readiness.ts';
import type { RequestContext } from './request-context.ts';
import { toStatus } from './status.ts';

/** Why a release that should serve does not. */
export interface ReleaseRefusal {
  readonly release: string;
  /** In words, one line, without paths of this machine. */
  readonly reason: string;
}

/** What they report beside the release that serves. */
export interface ReleaseWatch {
  readonly lastBuild: () => LastBuild;
  readonly refusal: () => ReleaseRefusal | null;
  /** Whether this process was told to end. */
  readonly isEnding: () => boolean;
  /** The port of the service that has taken over from this one; null where none has. */
  readonly replacedBy: () => number | null;
}

const HEADERS = { 'cache-control': NO_STORE } as const;
const PATHS: ReadonlyMap<string, (context: RequestContext) => HttpResponse> = new Map([
  [HEALTH_PATH, toHealth],
  [LIVENESS_PATH, toLiveness],
  [READINESS_PATH, toReadiness],
  [STATUS_PATH, (context) => toStatus(context, readHealth(context))],
]);

/** The response at /healthz, /livez, /readyz or /statusz; null at any other path. */
export function findHealthResponse(context: RequestContext): HttpResponse | null {
  return PATHS.get(context.request.path)?.(context) ?? null;
}

/** How the service is at the moment of a request. */
export function readHealth({
  state,
  now_ms,
  service,
}: Pick<RequestContext, 'state' | 'now_ms' | 'service'>): Health {
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
