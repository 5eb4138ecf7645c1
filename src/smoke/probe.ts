// A few real questions to a release before it serves: whatever does not answer is not switched to.
import { API_PATHS, withQuery } from '../i18n/api-paths.ts';
import { OPENAPI_PATH, toPagePath } from '../i18n/paths.ts';
import { handleRequest } from '../server/http/handle-request.ts';
import type { ServiceContext } from '../server/http/request-context.ts';
import { type ReleaseState, retire } from '../server/http/release-state.ts';

const PATHS = [
  toPagePath('today', 'es'),
  toPagePath('today', 'en'),
  `${toPagePath('today', 'es')}.md`,
  withQuery(API_PATHS.listEvents, { limit: '1' }),
  OPENAPI_PATH,
] as const;

/**
 * The state itself where every question is answered with 200; else it is closed, and this throws.
 */
export async function smokeTestRelease(
  state: ReleaseState,
  service: ServiceContext,
  now_ms: number,
): Promise<ReleaseState> {
  // Asked from within: nothing is counted against anyone.
  const unlimited: ServiceContext = {
    ...service,
    access: {
      ...service.access,
      count: async (policy) => ({
        policy,
        limit: 1,
        remaining: 1,
        reset_seconds: 1,
        is_exceeded: false,
      }),
    },
  };
  for (const url of PATHS) {
    const [path = '', query = ''] = url.split('?');
    const request = { method: 'GET', path, query, headers: {} };
    const { status } = await handleRequest({
      request,
      socket_address: undefined,
      readBody: async () => Buffer.alloc(0),
      state,
      now_ms,
      service: unlimited,
    });
    if (status === 200) continue;
    retire(state);
    throw new Error(`${url} answers ${status} in release ${state.id}`);
  }
  return state;
}
