// enviar_evento: sends an event in for review; it never publishes (contract 13.7, 14).
import * as v from 'valibot';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import { readLang } from '../../domain/filters/lang.ts';
import { readSubmission, type SubmissionIssue } from '../../domain/submission/read-submission.ts';
import { toAbsolute, toStatusPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { MetaSchema, toMeta } from '../../serializers/wire/meta.ts';
import { about, AddressSchema } from '../../domain/fields.ts';
import { toKnown } from '../../desk/known.ts';
import type { McpContext } from '../context.ts';
import { readSubmittedFields, toSubmissionSchema } from '../submitted-fields.ts';
import { type Tool, type ToolResult, toResultSchema } from './tool.ts';

/** What a sender gets back: `{data, meta}`. */
export const ReceiptResponse = v.strictObject({
  data: v.strictObject({
    reference: about(v.string(), 'To name the submission by, as HC-7K3M9Q.'),
    state: about(
      v.picklist(['pending_review', 'changes_requested', 'approved', 'rejected', 'withdrawn']),
      'pending_review until a person has looked at it.',
    ),
    status_url: about(
      v.nullable(AddressSchema),
      'Secret address that shows the state and takes a correction or a withdrawal: for the sender alone. Null where the same event is approved already, or in the agenda.',
    ),
  }),
  meta: MetaSchema,
});

/** The states of the inbox, and what they are called outside. */
const STATES: Readonly<Record<string, string>> = { pending: 'pending_review' };

/** `start: is over already`: the field and the rule's sentence, in the language of the text. */
function toIssueSentence({ field, rule, limit, accepted }: SubmissionIssue, lang: Lang): string {
  return `${field}: ${t(lang, `submission.issue.${rule}`, { limit: limit ?? '', accepted: accepted.join(', ') })}`;
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, now_ms, site, submit, sender } = context;
  const issues: string[] = [];
  const of_repetition: SubmissionIssue[] = [];
  const fields = readSubmittedFields(args, of_repetition, issues);
  const lang = readLang(fields, []);
  const reading = readSubmission(fields, toKnown(snapshot), now_ms);
  const wrong = [...reading.issues, ...of_repetition];
  issues.push(...wrong.map((error) => toIssueSentence(error, lang)));
  if (reading.submission === null || issues.length > 0)
    throw new AppError('invalid_submission', issues.join('; '));
  if (submit === null)
    throw new AppError('unavailable', `server: ${t(lang, 'mcp.tool.enviar_evento.closed')}`);
  const receipt = submit({
    submission: reading.submission,
    channel: 'agent',
    sender,
    now_ms,
  });
  const status_url =
    receipt.token === null ? null : toAbsolute(site.url, toStatusPath(receipt.token, lang));
  const state = STATES[receipt.state] ?? receipt.state;
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
