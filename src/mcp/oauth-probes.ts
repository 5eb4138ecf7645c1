// OAuth probes: answers the addresses at which hosts look for a sign-in after a 401 (RFC 9728,
// RFC 8414, RFC 7591). There is none, so the answer has the reason of that 401 (contract 14.71).
import { INVALID_KEY_MESSAGE } from '../domain/app-error.ts';
import { createJsonResponse, type HttpResponse } from '../http/message.ts';
import { CORS_HEADERS, createPreflightResponse } from '../http/response-headers.ts';

const METADATA_PATTERN = /\/\.well-known\/(?:oauth-|openid-configuration)/;
const REGISTRATION_PATH = '/register';

/** The sentence for people: hosts show it in the place of our 401. */
const DESCRIPTION = `There is no sign-in. If the request had a key: ${INVALID_KEY_MESSAGE}`;

/** Handles any method. @returns null for other paths. */
export function handleOauthProbe(path: string, method: string): HttpResponse | null {
  const is_registration = path === REGISTRATION_PATH && method !== 'GET' && method !== 'HEAD';
  if (!is_registration && !METADATA_PATTERN.test(path)) return null;
  if (method === 'OPTIONS') return createPreflightResponse('GET, HEAD, POST, OPTIONS');
  // The form of OAuth errors (RFC 6749, 5.2), which clients parse.
  const error = is_registration ? 'invalid_request' : 'not_found';
  return createJsonResponse(
    is_registration ? 400 : 404,
    { error, error_description: DESCRIPTION },
    { ...CORS_HEADERS, 'cache-control': 'no-store' },
  );
}
