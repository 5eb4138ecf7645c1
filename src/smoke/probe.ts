// A few real questions to a release before it serves: whatever does not answer is not switched to.
import { toPagePath } from '../i18n/paths.ts';
import { answerQuestion } from '../server/http/handle-request.ts';
import type { House } from '../server/http/request-context.ts';
import { type ReleaseState, retire } from '../server/http/release-state.ts';

const QUESTIONS = [
  toPagePath('today', 'es'),
  toPagePath('today', 'en'),
  `${toPagePath('today', 'es')}.md`,
  '/api/v1/events?limit=1',
  '/api/openapi.json',
] as const;

/**
 * The state itself where every question is answered with 200; else it is closed, and this throws.
 */
export async function probeRelease(
  state: ReleaseState,
  house: House,
  now_ms: number,
): Promise<ReleaseState> {
  // Asked from within: nothing is counted against anyone.
  const unlimited: House = {
    ...house,
    door: {
      ...house.door,
      count: async (policy) => ({
        policy,
        limit: 1,
        remaining: 1,
        reset_seconds: 1,
        is_exceeded: false,
      }),
    },
  };
  for (const url of QUESTIONS) {
    const [path = '', query = ''] = url.split('?');
    const question = { method: 'GET', path, query, headers: {} };
    const { status } = await answerQuestion({
      question,
      socket_address: undefined,
      readBody: async () => Buffer.alloc(0),
      state,
      now_ms,
      house: unlimited,
    });
    if (status === 200) continue;
    retire(state);
    throw new Error(`${url} answers ${status} in release ${state.id}`);
  }
  return state;
}
