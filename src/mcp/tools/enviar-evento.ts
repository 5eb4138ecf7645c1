// enviar_evento: sends an event in for review; it never publishes (contract 13.7, 14).
import * as v from 'valibot';
import { AppError } from '../../domain/app-error.ts';
import { toAbsolute, toStatusPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { MetaSchema, toMeta } from '../../serializers/wire/meta.ts';
import { about, AddressSchema } from '../../domain/fields.ts';
import type { McpContext } from '../context.ts';
import { PUBLIC_STATES, toPublicState } from '../lean/submission.ts';
import { readSubmitted, toSubmissionSchema } from '../submitted-fields.ts';
import { type Tool, type ToolResult, toResultSchema } from './tool.ts';

/** What a sender gets back: `{data, meta}`. */
export const ReceiptResponse = v.strictObject({
  data: v.strictObject({
    reference: about(v.string(), 'To name the submission by, as HC-7K3M9Q.'),
    state: about(v.picklist(PUBLIC_STATES), 'pending_review until a person has looked at it.'),
    status_url: about(
      v.nullable(AddressSchema),
      'Secret address that shows the state and takes a correction or a withdrawal: for the sender alone. Null where the same event is approved already, or in the agenda.',
    ),
  }),
  meta: MetaSchema,
});

async function response(
  args: Readonly<Record<string, unknown>>,
  context: McpContext,
): Promise<ToolResult> {
  const { snapshot, now_ms, site, desk, sender } = context;
  const issues: string[] = [];
  const { submission, lang } = readSubmitted(args, null, context, issues);
  if (submission === null) throw new AppError('invalid_submission', issues.join('; '));
  if (desk === null)
    throw new AppError('unavailable', `server: ${t(lang, 'mcp.tool.enviar_evento.closed')}`);
  const receipt = await desk.submit({
    submission,
    channel: 'agent',
    sender,
    now_ms,
  });
  const status_url =
    receipt.token === null ? null : toAbsolute(site.url, toStatusPath(receipt.token, lang));
  const state = toPublicState(receipt.state);
  const parts = { reference: receipt.reference, status_url: status_url ?? '' };
  const text = t(
    lang,
    receipt.is_repeat ? 'mcp.tool.enviar_evento.repeated' : 'mcp.tool.enviar_evento.received',
    parts,
  );
  const follow = status_url === null ? [] : [t(lang, 'mcp.tool.enviar_evento.follow', parts)];
  return {
    structured: {
      data: { reference: receipt.reference, state, status_url },
      meta: toMeta(snapshot.generated_at, lang, site),
    },
    text: [text, ...follow].join('\n\n'),
    lang,
    next_cursor: null,
  };
}

export const enviarEvento: Tool = {
  name: 'enviar_evento',
  // Not destructive: it adds to a queue that a person reads. Idempotent: the same content is the
  // same submission.
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  toInputSchema: toSubmissionSchema,
  toOutputSchema: () => toResultSchema(ReceiptResponse),
  response,
};
