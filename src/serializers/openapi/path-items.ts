// Each operation as OpenAPI writes it: words, parameters, responses.
import type { Lang } from '../../domain/lang.ts';
import { API_PATHS, type OperationId } from '../../i18n/api-paths.ts';
import { t } from '../../i18n/translate.ts';
import { toErrorRefs, toHeaderRefs } from './responses.ts';
import { OPERATIONS, type OperationForm } from './operations.ts';
import { parameterRef } from './parameters.ts';
import { type Json, refTo } from './schemas.ts';

/** The response that succeeds; only lists lead on to a next page. */
function toOk({ parameters, ok, body }: OperationForm, example: Json | null, lang: Lang): Json {
  if (body === null) return { $ref: '#/components/responses/calendar' };
  const schema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: body.data, meta: refTo(body.meta) },
  };
  return {
    description: t(lang, ok),
    ...(parameters.includes('cursor') && { headers: toHeaderRefs('Link') }),
    content: { 'application/json': { schema, ...(example !== null && { example }) } },
  };
}

/** All paths, relative to the site's address. `examples`: answers to print, of the operations that have one. */
export const toPaths = (
  examples: Partial<Readonly<Record<OperationId, Json | null>>>,
  lang: Lang,
): Json =>
  Object.fromEntries(
    OPERATIONS.map((form) => [
      API_PATHS[form.id],
      {
        get: {
          operationId: form.id,
          tags: [t(lang, `openapi.tag.${form.tag}`)],
          summary: t(lang, `openapi.${form.id}.summary`),
          description: t(lang, `openapi.${form.id}.description`),
          parameters: form.parameters.map(parameterRef),
          ...(form.is_uncounted ? { security: [{}] } : {}),
          responses: {
            200: toOk(form, examples[form.id] ?? null, lang),
            ...toErrorRefs(['invalid_parameter', ...form.errors]),
            default: { $ref: '#/components/responses/other' },
          },
        },
      },
    ]),
  );
