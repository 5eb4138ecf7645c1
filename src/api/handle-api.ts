// Every question under /api, the calendars of places and the catalog: route, answer, or the fault
// as JSON (interface 7).
import { AppError } from '../domain/app-error.ts';
import { CORS_HEADERS, toPreflightAnswer } from '../http/cors.ts';
import type { Answer, Question } from '../http/message.ts';
import { toFaultAnswer, toThrownAnswer } from './error-response.ts';
import { API_CATALOG_PATH } from '../i18n/service-paths.ts';
import type { ApiContext } from './context.ts';
import { matchRoute } from './match-route.ts';
import { ALLOW, META_OPERATIONS, type Route, ROUTES } from './routes.ts';

/** Whether `answerApi` is who answers this path, as sent. */
export function isApiPath(path: string): boolean {
  return (
    path === '/api' ||
    path.startsWith('/api/') ||
    path === API_CATALOG_PATH ||
    /^\/(venues|organizers)\/[^/]+\.ics$/.test(path)
  );
}

/**
 * Where the OpenAPI description speaks of a route: a JSON Pointer as a fragment (RFC 6901, 6); the
 * whole where the route is not in it.
 */
const toPointer = ({ pattern, operation_id }: Route): string =>
  META_OPERATIONS.has(operation_id)
    ? ''
    : `/paths/${encodeURIComponent(pattern.replaceAll('~', '~0').replaceAll('/', '~1'))}/get`;

function route(question: Question, context: ApiContext, found: (route: Route) => void): Answer {
  const match = matchRoute(ROUTES, question.path);
  if (!match)
    return toFaultAnswer(
      'not_found',
      `path: ${question.path.slice(0, 200)} is not a route of this API`,
      context.site,
    );
  found(match.route);
  if (question.method !== 'GET' && question.method !== 'HEAD') {
    const message = `method: ${question.method.slice(0, 20)} is not answered here. Use ${ALLOW}`;
    return toFaultAnswer('method_not_allowed', message, context.site, toPointer(match.route), {
      allow: ALLOW,
    });
  }
  return match.route.operation({ question, id: match.id, context });
}

/**
 * The answer to any method on any path. HEAD gets what GET gets, with the body: whoever sends it
 * measures and drops it. Never throws; what is no AppError is told to `context.onFault` and
 * answered as internal_error.
 */
export function answerApi(question: Question, context: ApiContext): Answer {
  if (question.method === 'OPTIONS') return toPreflightAnswer(ALLOW);
  let pointer = '';
  let answer: Answer;
  try {
    answer = route(question, context, (matched) => {
      pointer = toPointer(matched);
    });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) context.onFault?.(thrown);
    answer = toThrownAnswer(thrown, context.site, pointer);
  }
  return { ...answer, headers: { ...answer.headers, ...CORS_HEADERS } };
}
