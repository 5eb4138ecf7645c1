// Every question under /api, and the calendars of places: route, answer, or the fault as JSON (interface 7).
import { AppError } from '../domain/app-error.ts';
import { CORS_HEADERS, toPreflightAnswer } from '../http/cors.ts';
import type { Answer, Question } from '../http/exchange.ts';
import { toFaultAnswer, toThrownAnswer } from '../http/faults.ts';
import type { ApiContext } from './context.ts';
import { matchRoute } from './match-route.ts';
import { ALLOW, ROUTES } from './routes.ts';

/** Whether `answerApi` is who answers this path, as sent. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || /^\/(venues|organizers)\/[^/]+\.ics$/.test(path);
}

/** Where the OpenAPI description speaks of a route: a JSON Pointer. */
const toPointer = (pattern: string): string => `/paths/${pattern.replaceAll('~', '~0').replaceAll('/', '~1')}/get`;

function route(question: Question, context: ApiContext, found: (pattern: string) => void): Answer {
  const match = matchRoute(ROUTES, question.path);
  if (!match) return toFaultAnswer('not_found', `path: ${question.path.slice(0, 200)} is not a route of this API`, context.site);
  found(match.route.pattern);
  if (question.method !== 'GET' && question.method !== 'HEAD') {
    const message = `method: ${question.method.slice(0, 20)} is not answered here. Use ${ALLOW}`;
    return toFaultAnswer('method_not_allowed', message, context.site, toPointer(match.route.pattern), { allow: ALLOW });
  }
  return match.route.operation({ question, id: match.id, context });
}

/**
 * The answer to any method on any path. HEAD gets what GET gets, with the body: whoever sends it measures and drops it.
 * Never throws; what is no AppError is told to `context.onFault` and answered as internal_error.
 */
export function answerApi(question: Question, context: ApiContext): Answer {
  if (question.method === 'OPTIONS') return toPreflightAnswer(ALLOW);
  let pointer = '';
  let answer: Answer;
  try {
    answer = route(question, context, (pattern) => { pointer = toPointer(pattern); });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) context.onFault?.(thrown);
    answer = toThrownAnswer(thrown, context.site, pointer);
  }
  return { ...answer, headers: { ...answer.headers, ...CORS_HEADERS } };
}
