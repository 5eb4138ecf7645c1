// seguir_envio tool: returns the status of a submission by its secret token, and performs the
// actions of its sender: correct (amend), withdraw, cancel, postpone (contract 13.16, 14.3).
// Names of stored fields: `text` of a change is the submission itself, `asks` the action that it
// requests, `at` the time at which it was received, `state` its state in the inbox (`taken_back` is
// withdrawn).
import {
  getSubmissionState,
  listSenderActions,
  SENDER_ACTIONS,
  type SubmissionChange,
} from '../../domain/change.ts';
import * as v from 'valibot';
import { findPublishedEvent, type SenderApi } from '../../desk/submissions.ts';
import { AppError } from '../../domain/app-error.ts';
import { parseLangParameter } from '../../domain/query/parameter-parsers.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { listStoredRestDays } from '../../domain/submission/form-dates.ts';
import { mergeAmendment, submissionToFields } from '../../domain/submission/form-values.ts';
import { absoluteUrl, submissionStatusPath, recordPath } from '../../i18n/paths.ts';
import { formatRestingDays } from '../../i18n/format-dates.ts';
import { formatSubmissionStatus } from '../../i18n/format-forms.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { labeled, list } from '../../serializers/markdown/nodes.ts';
import { serializeMeta } from '../../serializers/wire/meta.ts';
import { getVenue } from '../../snapshot/get-record.ts';
import { truncateTexts, wrapUntrustedContent, fitToSizeLimit } from '../tool-answer.ts';
import { parseArguments } from '../tool-arguments.ts';
import { ANY_SCHEMA, pickBySchema, arraySchema, outputSchema } from '../output-schemas.ts';
import {
  type ToolArguments,
  LANG_ARGUMENT,
  type AnswerContext,
  type McpContext,
  TEXT_SCHEMA,
  type Tool,
  type ToolResult,
  inputSchema,
} from '../tool.ts';
import {
  parseSubmissionArguments,
  requireSenderApi,
  publicSubmissionState,
} from './enviar-evento.ts';
import { formatIssues, type ParameterIssue } from '../../domain/query/parameter-issue.ts';

const ACTIONS = ['status', ...SENDER_ACTIONS] as const;
type Action = (typeof ACTIONS)[number];
const PROPERTIES = {
  token: { ...TEXT_SCHEMA, description: 'status_url, or its last part.' },
  action: { ...TEXT_SCHEMA, enum: ACTIONS, default: 'status', description: 'What to do.' },
  fields: {
    type: 'object',
    description: 'For correct: changed fields of enviar_evento; null clears one.',
  },
  message: { ...TEXT_SCHEMA, description: 'What happened.' },
  dates: { type: 'array', items: TEXT_SCHEMA, description: 'Affected days; default: all.' },
  confirm: { type: 'boolean', description: 'Must be true, except for status.' },
  lang: LANG_ARGUMENT,
} as const;

/**
 * Public status of a submission. `asks`: its latest request (new, change, cancel, postpone);
 * `stage`: its status in a sentence; `next`: the next step in a sentence; `reason` and `message`:
 * texts of the editor and the sender; `dates`: days of the request, null for all; `resting_days`:
 * customary rest days of its repetition that its sender has not named; `can`: the actions that are
 * possible now; `sent`: the submitted fields.
 */
const STATUS_SCHEMA = {
  properties: {
    reference: ANY_SCHEMA,
    state: ANY_SCHEMA,
    asks: ANY_SCHEMA,
    published: { type: 'boolean' },
    stage: ANY_SCHEMA,
    next: ANY_SCHEMA,
    reason: ANY_SCHEMA,
    message: ANY_SCHEMA,
    dates: arraySchema(ANY_SCHEMA),
    resting_days: ANY_SCHEMA,
    can: arraySchema(ANY_SCHEMA),
    received_at: ANY_SCHEMA,
    status_url: ANY_SCHEMA,
    event_url: ANY_SCHEMA,
    sent: { type: 'object' },
  },
  required: ['reference', 'state', 'stage', 'next', 'can', 'sent'],
} as const;

export const seguirEnvio: Tool = {
  name: 'seguir_envio',
  // It can withdraw a submission; a repeated call has no further effect.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: () => inputSchema(PROPERTIES, ['token']),
  output: outputSchema({ data: STATUS_SCHEMA }, ['data']),
  run: async (args, context) => {
    const issues: ParameterIssue[] = [];
    const { fields, dates, ...text_args } = args;
    const text_names = ['token', 'action', 'message', 'confirm', 'lang'];
    const params = parseArguments(text_args, text_names, issues);
    const status_request = parseStatusRequest(params, { fields, dates }, issues);
    const lang = params.lang === undefined ? null : parseLangParameter(params, issues);
    if (params.token === undefined)
      issues.push({ param: 'token', message: 'missing. It is the last part of the status_url' });
    if (issues.length > 0) throw new AppError('invalid_parameter', formatIssues(issues));
    const sender_api = requireSenderApi(context, lang ?? DEFAULT_LANG);
    // The token may be given as the whole status URL.
    const [, token = ''] = /([^/?#]*)\/?(?:[?#].*)?$/.exec((params.token ?? '').trim()) ?? [];
    await performAction(
      status_request,
      await findSubmission(sender_api, token),
      sender_api,
      context,
    );
    const stored = await findSubmission(sender_api, token);
    const answer_lang = lang ?? stored.text.lang;
    // One submission is one item, so only the length of the texts varies.
    const buildResult = (_count: number, limited_context: AnswerContext): ToolResult =>
      buildStatusResult(stored, token, limited_context);
    const counts = { max_items: 1, min_items: 1 };
    return fitToSizeLimit(buildResult, counts, { ...context, lang: answer_lang });
  },
};

/** The parsed arguments. */
interface StatusRequestArguments {
  readonly action: Action;
  /** The fields to correct; empty for other actions. */
  readonly fields: ToolArguments;
  /** The sender's message to the editors; empty if omitted. */
  readonly message: string;
  /** Days (YYYY-MM-DD) to cancel or postpone; null for all. */
  readonly dates: readonly string[] | null;
}

const FieldsSchema = v.optional(
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((fields) => !Array.isArray(fields)),
  ),
  {},
);
const DatesSchema = v.nullish(v.array(v.string()), null);

/** Parses the requested action. Pushes issues of invalid arguments and combinations. */
function parseStatusRequest(
  { action: action_name = 'status', message = '', confirm }: Readonly<Record<string, string>>,
  structured_args: Pick<ToolArguments, 'fields' | 'dates'>,
  issues: ParameterIssue[],
): StatusRequestArguments {
  const action = ACTIONS.find((action) => action === action_name);
  const fields = v.safeParse(FieldsSchema, structured_args.fields ?? undefined);
  const dates = v.safeParse(DatesSchema, structured_args.dates);
  const has_fields = fields.success && Object.keys(fields.output).length > 0;
  const is_cancel_or_postpone = action === 'cancel' || action === 'postpone';
  const checks: readonly (readonly [is_invalid: boolean, param: string, message: string])[] = [
    [
      action === undefined,
      'action',
      `'${action_name.slice(0, 40)}' is invalid. Use ${ACTIONS.join(', ')}`,
    ],
    [!fields.success, 'fields', 'is not an object of fields, as {"start": "2026-12-05T20:00"}'],
    [
      fields.success && action === 'correct' && !has_fields,
      'fields',
      'missing. Send the changed fields of enviar_evento',
    ],
    [action !== 'correct' && has_fields, 'fields', "goes with action 'correct' alone"],
    [is_cancel_or_postpone && message.trim() === '', 'message', 'missing. Explain what happened'],
    [!dates.success, 'dates', 'is not a list of days, as ["2026-12-05"]'],
    [
      dates.success && dates.output !== null && !is_cancel_or_postpone,
      'dates',
      'only allowed with cancel or postpone',
    ],
    [
      action_name !== 'status' && action !== undefined && confirm !== 'true',
      'confirm',
      'must be true. Show the person what will be done, and call again with confirm: true after they agree',
    ],
  ];
  issues.push(
    ...checks.flatMap(([is_invalid, param, message]) => (is_invalid ? [{ param, message }] : [])),
  );
  return {
    action: action ?? 'status',
    fields: fields.success ? fields.output : {},
    message,
    dates: dates.success ? dates.output : null,
  };
}

/**
 * Finds a submission.
 * @throws AppError with the same message for any invalid token, to reveal nothing.
 */
async function findSubmission(sender_api: SenderApi, token: string): Promise<SubmissionChange> {
  const stored = await sender_api.find(token);
  if (stored === null)
    throw new AppError(
      'not_found',
      'token: unknown. Use the last part of the status_url from enviar_evento or the form',
    );
  return stored;
}

/** Performs an action as the status page does. @throws AppError if the action is not possible. */
async function performAction(
  { action, fields, message, dates }: StatusRequestArguments,
  { reference, text: stored_submission }: SubmissionChange,
  sender_api: SenderApi,
  context: McpContext,
): Promise<void> {
  const target = { reference, now_ms: context.now_ms };
  if (action === 'status') return;
  if (action !== 'correct') {
    await sender_api.act({ ...target, act: action, message, dates });
    return;
  }
  const issues: ParameterIssue[] = [];
  const amended_fields = mergeAmendment(stored_submission, fields);
  const { submission } = parseSubmissionArguments(
    amended_fields,
    stored_submission,
    context,
    issues,
  );
  if (submission === null) throw new AppError('invalid_submission', formatIssues(issues));
  await sender_api.correct({ ...target, submission });
}

/**
 * Fields that are never returned, so that a model does not repeat them; a correction keeps them
 * unless it has new ones.
 */
const PRIVATE_FIELDS: readonly string[] = ['contact_email', 'picture_id'];
/** Fields that are `true` or absent. */
const FLAG_FIELDS: readonly string[] = ['all_day', 'free', 'family', 'open_end'];

/** Returns the fields of a submission in the form of enviar_evento. */
function serializeFields({ text: submission }: SubmissionChange, { snapshot }: McpContext) {
  const { venue: venue_id, lang } = submission;
  const venue_slug = venue_id && getVenue(snapshot, venue_id)?.slug[lang];
  const fields = { ...submissionToFields(submission), ...(venue_slug && { venue: venue_slug }) };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !PRIVATE_FIELDS.includes(name))
      .map(([name, value]) => [name, FLAG_FIELDS.includes(name) ? 'true' : value]),
  );
}

/**
 * Builds the result: the status as on the page of the submission, the possible actions, and the
 * texts that people wrote.
 */
function buildStatusResult(
  stored: SubmissionChange,
  token: string,
  context: AnswerContext,
): ToolResult {
  const { lang, snapshot, now_ms, site } = context;
  const { as: publication, detail } = findPublishedEvent(stored, snapshot, now_ms);
  const { stage, next: next_step } = formatSubmissionStatus(stored, publication, lang);
  const { reference, reason, message, at: received_at, asks } = stored;
  const possible_actions = listSenderActions(stored, publication);
  const status_url = absoluteUrl(site.url, submissionStatusPath(token, lang));
  const event_url = detail && absoluteUrl(site.url, recordPath('event', detail.event.slug, lang));
  const untrusted = truncateTexts(
    { reason, message, sent: serializeFields(stored, context) },
    context,
  );
  const { resting: resting_days } = listStoredRestDays(stored, now_ms);
  const labeled_texts = [
    ...(untrusted.reason === null
      ? []
      : [[t(lang, 'mcp.follow.reason'), untrusted.reason] as const]),
    ...(untrusted.message === null
      ? []
      : [[t(lang, 'mcp.follow.message'), untrusted.message] as const]),
    ...Object.entries(untrusted.sent),
  ];
  const items = labeled_texts.map(([label, value]) => labeled(label, value));
  const text_parts = [
    `${reference}: ${stage} ${next_step}`,
    ...(event_url === null ? [] : [`${t(lang, 'status.see')}: ${event_url}`]),
    ...(resting_days.length === 0
      ? []
      : [formatRestingDays('mcp.tool.enviar_evento.holidays', resting_days, lang)]),
    t(lang, 'mcp.follow.can', { actions: possible_actions.join(', ') }),
    t(lang, 'mcp.follow.link', { url: status_url }),
    wrapUntrustedContent(toMarkdown([list(items)]), lang),
  ];
  const data = {
    reference,
    state: publicSubmissionState(getSubmissionState(stored)),
    asks: asks === 'edit' ? 'change' : asks,
    stage,
    next: next_step,
    dates: stored.state === 'taken_back' ? null : stored.dates,
    ...(resting_days.length > 0 && { resting_days }),
    can: possible_actions,
    received_at,
    status_url,
    event_url,
    published: stored.is_published,
    ...untrusted,
  };
  return {
    structured: {
      // The second schema is the root of references; this one has none.
      data: pickBySchema(data, STATUS_SCHEMA, STATUS_SCHEMA),
      meta: serializeMeta(snapshot, lang, site),
    },
    text: text_parts.join('\n\n'),
    lang,
    next_cursor: null,
  };
}
