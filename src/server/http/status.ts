// /statusz: how the service as a whole goes, with what wants attention as sentences. Always 200: it takes
// no process out of a balancer; an alarm looks at its `status`.
import { formatTimestamp } from '../../domain/cancun-time.ts';
import type { Health } from '../../domain/health.ts';
import { type HttpResponse, toJsonResponse } from '../../http/message.ts';
import { NO_STORE } from '../../http/response-headers.ts';
import { hasRoom } from '../../inbox/open.ts';
import { readMailHealth } from '../../inbox/outbox.ts';
import { countWaiting } from '../../inbox/waiting.ts';
import type { RequestContext } from './request-context.ts';

/** The response, of the service as it is at the moment of the request. */
export function toStatus(
  { request, service, now_ms }: RequestContext,
  health: Health,
): HttpResponse {
  const { inbox, site } = service;
  const { release, generated_at, generated_ms, next_ms, failure, faults, refusal } = health;
  const mail = inbox !== null && site.sends_mail ? readMailHealth(inbox, now_ms) : null;
  const attention = [...listAttention(health, mail)];
  // Where nothing can be written, no failed build is remembered either.
  if (inbox !== null && !hasRoom(inbox)) attention.push('disk: it is nearly full. Free some space');
  const forwarded = request.headers['x-forwarded-for'];
  return toJsonResponse(
    200,
    {
      status: attention.length === 0 ? 'ok' : 'attention',
      attention,
      release,
      generated_at,
      age_seconds: Math.max(0, Math.floor((now_ms - generated_ms) / 1000)),
      next_release: next_ms === null ? null : formatTimestamp(next_ms),
      last_failure: failure && {
        at: failure.at,
        reason: failure.reason,
        ...toPlace(failure.faults),
      },
      content_faults: faults,
      refused: refusal && { release: refusal.release, reason: refusal.reason },
      queue: inbox === null ? null : countWaiting(inbox),
      mail,
      // Of this very request: npm run doctor compares it with TRUST_PROXY.
      forwarded_by: forwarded === undefined ? 0 : forwarded.split(',').length,
    },
    { 'cache-control': NO_STORE },
  );
}

/** Where the fault of content stands that stopped a build; the first of several. */
function toPlace(faults: Health['faults'] = []): { file: string | null; line: number | null } {
  const [first] = faults;
  return { file: first?.file ?? null, line: first?.line ?? null };
}

function* listAttention(health: Health, mail: { readonly failed: number } | null) {
  const { release, is_stale, refusal, failure, faults } = health;
  if (is_stale) yield `release: ${release} is older than two runs of the schedule`;
  if (refusal) yield `switch: ${refusal.release} was refused: ${refusal.reason}`;
  if (failure) yield `build: the last one failed at ${failure.at}: ${failure.reason}`;
  const places = faults.map(({ file, line }) => (line === null ? file : `${file}:${line}`));
  for (const place of new Set(places)) yield `content: ${place} is faulty`;
  if (mail !== null && mail.failed > 0) yield `mail: ${mail.failed} letters were given up`;
}
