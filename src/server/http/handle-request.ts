// The order of routing: the API and its feeds, the MCP server, the form and the desk, health, then
// the site.
import { isApiPath } from '../../api/handle-api.ts';
import { MAX_URL_LENGTH } from '../../http/address.ts';
import { toPreflightAnswer } from '../../http/cors.ts';
import { toFaultAnswer, toThrownAnswer } from '../../api/error-response.ts';
import { finish, type Finished, toRepresentation } from '../../http/representation.ts';
import { answerApiQuestion, dress } from './api.ts';
import type { Asked } from './request-context.ts';
import { answerFormQuestion, isFormPath } from './forms.ts';
import { findHealthAnswer } from './health.ts';
import { answerCardQuestion, answerMcpQuestion, isMcpPath } from './mcp.ts';
import { answerPage } from './pages.ts';
import { toSentence } from './plain-response.ts';

const READ_ALLOW = 'GET, HEAD, OPTIONS';

/** The answer to any question. Never throws: what fails here is logged and answered with 500. */
export async function answerQuestion(asked: Asked): Promise<Finished> {
  const { question, house } = asked;
  const is_api = isApiPath(question.path);
  try {
    if (question.path.length + question.query.length > MAX_URL_LENGTH)
      return await refuseLength(asked, is_api);
    if (is_api) return await answerApiQuestion(asked);
    if (isMcpPath(question.path)) return await answerMcpQuestion(asked);
    if (isFormPath(question.path)) return await answerFormQuestion(asked);
    return await (answerCardQuestion(asked) ?? answerSite(asked));
  } catch (thrown) {
    house.onFault(thrown, question.path);
    if (is_api) return finish(question, dress(toThrownAnswer(thrown, house.site), asked));
    return finish(
      question,
      toRepresentation(toSentence(500, 'error.internal', question.path, house.site)),
    );
  }
}

function refuseLength(asked: Asked, is_api: boolean): Promise<Finished> {
  const { question, house } = asked;
  if (!is_api)
    return finish(
      question,
      toRepresentation(toSentence(414, 'error.uri_too_long', question.path, house.site)),
    );
  const message = `url: is longer than ${MAX_URL_LENGTH} characters. Ask for less at once`;
  return finish(question, dress(toFaultAnswer('uri_too_long', message, house.site), asked));
}

function answerSite(asked: Asked): Promise<Finished> {
  const { question, house } = asked;
  if (question.method === 'OPTIONS')
    return finish(question, toRepresentation(toPreflightAnswer(READ_ALLOW)));
  if (question.method !== 'GET' && question.method !== 'HEAD') {
    const refusal = toSentence(405, 'error.method_not_allowed', question.path, house.site, {
      allow: READ_ALLOW,
    });
    return finish(question, toRepresentation(refusal));
  }
  const health = findHealthAnswer(asked);
  return health ? finish(question, toRepresentation(health)) : answerPage(asked);
}
