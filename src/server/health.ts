// How the service is, for whoever watches it: which release serves, how old it is, when the next is due.
import { formatTimestamp } from '../domain/cancun-time.ts';
import { NO_STORE } from '../http/cache-control.ts';
import type { Answer } from '../http/exchange.ts';
import { toJsonAnswer } from '../http/json.ts';
import { nextDueMs } from '../releases/schedule.ts';
import type { Asked } from './asked.ts';

export const HEALTH_PATH = '/healthz';

export function toHealthAnswer({ state, now_ms, house }: Asked): Answer {
  const next_ms = nextDueMs(now_ms, house.rebuild_hours);
  return toJsonAnswer(200, {
    status: 'ok',
    release: state.id,
    generated_at: state.snapshot.generated_at,
    age_seconds: Math.max(0, Math.floor((now_ms - state.snapshot.generated_ms) / 1000)),
    next_release: next_ms === null ? null : formatTimestamp(next_ms),
  }, { 'cache-control': NO_STORE });
}
