// How the service is, for whoever monitors it: /healthz tells what serves and what failed, /readyz
// whether it may be sent visitors.
import { formatTimestamp } from '../../domain/cancun-time.ts';
import { type HttpResponse, toJsonResponse } from '../../http/message.ts';
import { NO_STORE } from '../../http/response-headers.ts';
import type { LastBuild } from '../../releases/last-build.ts';
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
  ['/healthz', toHealth],
  ['/readyz', toReadiness],
]);

/** The response at /healthz or /readyz; null at any other path. */
export function findHealthResponse(context: RequestContext): HttpResponse | null {
  return PATHS.get(context.request.path)?.(context) ?? null;
}

/** Always 200 while the process responds. */
function toHealth({ state, now_ms, service }: RequestContext): HttpResponse {
  const next_ms = nextDueMs(now_ms, service.rebuild_hours);
  const { success, failure } = service.watch.lastBuild();
  const refusal = service.watch.refusal();
  return toJsonResponse(
    200,
    {
      status: 'ok',
      release: state.id,
      generated_at: state.snapshot.generated_at,
      age_seconds: Math.max(0, Math.floor((now_ms - state.snapshot.generated_ms) / 1000)),
      next_release: next_ms === null ? null : formatTimestamp(next_ms),
      last_release: success && {
        release: success.release,
        generated_at: success.generated_at,
        summary: success.summary,
      },
      last_failure: failure,
      refused: refusal && { release: refusal.release, reason: refusal.reason },
    },
    HEADERS,
  );
}

/** 200, or 503 with every reason. */
function toReadiness({ state, now_ms, service }: RequestContext): HttpResponse {
  const reasons: string[] = [];
  if (isStale(state.snapshot.generated_ms, now_ms, service.rebuild_hours)) {
    reasons.push(`release: ${state.id} is older than two runs of the schedule`);
  }
  const refusal = service.watch.refusal();
  if (refusal) reasons.push(`switch: ${refusal.release} was refused: ${refusal.reason}`);
  return toJsonResponse(
    reasons.length > 0 ? 503 : 200,
    { status: reasons.length > 0 ? 'not ready' : 'ready', release: state.id, reasons },
    HEADERS,
  );
}
