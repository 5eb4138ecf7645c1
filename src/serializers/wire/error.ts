// The body of an error (contract 9.2): its code, the sentence, and where both are explained.
import type { ErrorCode } from '../../domain/app-error.ts';
import type { Site } from '../../domain/site.ts';
import { OPENAPI_PATH, toAbsolute, toErrorPath } from '../../i18n/paths.ts';

/** The language of all messages, and so of the page that explains them. */
const MESSAGE_LANG = 'en';

/**
 * `pointer` is a JSON Pointer into the OpenAPI description, as a fragment without `#`; empty points at
 * the whole.
 */
export const toErrorBody = (
  code: ErrorCode,
  message: string,
  site: Pick<Site, 'url'>,
  pointer = '',
) => ({
  error: {
    code,
    message,
    documentation_url: `${toAbsolute(site.url, OPENAPI_PATH)}${pointer === '' ? '' : `#${pointer}`}`,
    help_url: toAbsolute(site.url, toErrorPath(code, MESSAGE_LANG)),
  },
});
