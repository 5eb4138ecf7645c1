// seguir_envio: how a submission stands, by its secret token, and what its sender may still do with it
// (contract 13.16, 14.3).
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
import { mergeAmendment, submissionToFields } from '../../domain/submission/form-values.ts';
import { absoluteUrl, submissionStatusPath, recordPath } from '../../i18n/paths.ts';
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

const ACTIONS = ['status', ...SENDER_ACTIONS] as const;
type Action = (typeof ACTIONS)[number];
const PROPERTIES = {
  token: { ...TEXT_SCHEMA, description: 'status_url, or its last part.' },
  action: { ...TEXT_SCHEMA, enum: ACTIONS, default: 'status' },
  fields: {
    type: 'object',
    description: 'To correct: those of enviar_evento that change; null empties.',
  },
  message: { ...TEXT_SCHEMA, description: 'What happened.' },
  dates: { type: 'array', items: TEXT_SCHEMA, description: 'Days it means; else all.' },
  confirm: { type: 'boolean', description: 'true, but for status.' },
  lang: LANG_ARGUMENT,
} as const;

const FOLLOWED = {
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
  // What waits is withdrawn; the same again changes nothing more.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: () => inputSchema(PROPERTIES, ['token']),
  output: outputSchema({ data: FOLLOWED }, ['data']),
  run: async (args, context) => {
    const issues: string[] = [];
    const { fields, dates, ...others } = args;
    const texts = ['token', 'action', 'message', 'confirm', 'lang'];
    const params = parseArguments(others, texts, issues);
    const asked = readAsked(params, { fields, dates }, issues);
    const lang = params.lang === undefined ? null : parseLangParameter(params, issues);
    if (params.token === undefined) issues.push('token: is missing. It ends the status_url');
    if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
    const desk = requireSenderApi(context, lang ?? DEFAULT_LANG);
    // The token, which may be the whole address.
    const [, token = ''] = /([^/?#]*)\/?(?:[?#].*)?$/.exec((params.token ?? '').trim()) ?? [];
    await act(asked, await findSubmission(desk, token), desk, context);
    const stored = await findSubmission(desk, token);
    const told_in = lang ?? stored.text.lang;
    const make = (_: number, allowed: AnswerContext): ToolResult =>
      tellSubmission(stored, token, allowed);
    return fitToSizeLimit(make, { most: 1, least: 1 }, { ...context, lang: told_in });
  },
};

interface StatusRequestArguments {
  readonly action: Action;
  readonly fields: ToolArguments;
  readonly message: string;
  /** Null where none are given: all are meant. */
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

/** What is asked for; what does not go together is pushed. */
function readAsked(
  { action: word = 'status', message = '', confirm }: Readonly<Record<string, string>>,
  given: Pick<ToolArguments, 'fields' | 'dates'>,
  issues: string[],
): StatusRequestArguments {
  const action = ACTIONS.find((known) => known === word);
  const fields = v.safeParse(FieldsSchema, given.fields ?? undefined);
  const dates = v.safeParse(DatesSchema, given.dates);
  const has_fields = fields.success && Object.keys(fields.output).length > 0;
  const is_request = action === 'cancel' || action === 'postpone';
  const wrong: readonly (readonly [boolean, string])[] = [
    [
      action === undefined,
      `action: '${word.slice(0, 40)}' is not accepted. Use ${ACTIONS.join(', ')}`,
    ],
    [!fields.success, 'fields: is not an object of fields, as {"start": "2026-12-05T20:00"}'],
    [
      fields.success && action === 'correct' && !has_fields,
      'fields: is missing. Give the fields of enviar_evento that change',
    ],
    [action !== 'correct' && has_fields, "fields: goes with action 'correct' alone"],
    [is_request && message.trim() === '', 'message: is missing. Say what happened'],
    [!dates.success, 'dates: is not a list of days, as ["2026-12-05"]'],
    [
      dates.success && dates.output !== null && !is_request,
      'dates: goes with cancel and postpone alone',
    ],
    [
      word !== 'status' && action !== undefined && confirm !== 'true',
      'confirm: is not true. Show the person what will be done, and call again with confirm: true once they agree',
    ],
  ];
  issues.push(...wrong.flatMap(([is_wrong, sentence]) => (is_wrong ? [sentence] : [])));
  return {
    action: action ?? 'status',
    fields: fields.success ? fields.output : {},
    message,
    dates: dates.success ? dates.output : null,
  };
}

/** The same for whatever is no token: it says nothing of those there are. */
async function findSubmission(desk: SenderApi, token: string): Promise<SubmissionChange> {
  const stored = await desk.find(token);
  if (stored === null)
    throw new AppError(
      'not_found',
      'token: no submission has it. It is the last part of the status_url that enviar_evento or the form gave',
    );
  return stored;
}

/** Does what is asked for, by the use cases of its page. Throws AppError. */
async function act(
  { action, fields, message, dates }: StatusRequestArguments,
  { reference, text: before }: SubmissionChange,
  desk: SenderApi,
  context: McpContext,
): Promise<void> {
  const who = { reference, now_ms: context.now_ms };
  if (action === 'status') return;
  if (action !== 'correct') {
    await desk.act({ ...who, act: action, message, dates });
    return;
  }
  const issues: string[] = [];
  const corrected = mergeAmendment(before, fields);
  const { submission } = parseSubmissionArguments(corrected, before, context, issues);
  if (submission === null) throw new AppError('invalid_submission', issues.join('; '));
  await desk.correct({ ...who, submission });
}

/** Never told, so that a model does not repeat it: it stays as it is unless it is given anew. */
const PRIVATE: readonly string[] = ['contact_email', 'picture_id'];
const FLAGS: readonly string[] = ['all_day', 'free', 'family', 'open_end'];

/** The fields as enviar_evento takes them. */
function listSent({ text }: SubmissionChange, { snapshot }: McpContext) {
  const slug = text.venue && getVenue(snapshot, text.venue)?.slug[text.lang];
  const sent = { ...submissionToFields(text), ...(slug && { venue: slug }) };
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name]) => !PRIVATE.includes(name))
      .map(([name, text]) => [name, FLAGS.includes(name) ? 'true' : text]),
  );
}

/** How it stands, in the words of its page, what may be done, and between the fence what people wrote. */
function tellSubmission(
  stored: SubmissionChange,
  token: string,
  context: AnswerContext,
): ToolResult {
  const { lang, snapshot, now_ms, site } = context;
  const { as, detail } = findPublishedEvent(stored, snapshot, now_ms);
  const { stage, next } = formatSubmissionStatus(stored, as, lang);
  const { reference, reason, message, at: received_at, asks } = stored;
  const can = listSenderActions(stored, as);
  const status_url = absoluteUrl(site.url, submissionStatusPath(token, lang));
  const event_url = detail && absoluteUrl(site.url, recordPath('event', detail.event.slug, lang));
  const told = truncateTexts({ reason, message, sent: listSent(stored, context) }, context);
  const words = [
    ...(told.reason === null ? [] : [[t(lang, 'mcp.follow.reason'), told.reason] as const]),
    ...(told.message === null ? [] : [[t(lang, 'mcp.follow.message'), told.message] as const]),
    ...Object.entries(told.sent),
  ];
  const items = words.map(([label, value]) => labeled(label, value));
  const text = [
    `${reference}: ${stage} ${next}`,
    ...(event_url === null ? [] : [`${t(lang, 'status.see')}: ${event_url}`]),
    t(lang, 'mcp.follow.can', { actions: can.join(', ') }),
    t(lang, 'mcp.follow.link', { url: status_url }),
    wrapUntrustedContent(toMarkdown([list(items)]), lang),
  ];
  const data = {
    reference,
    state: publicSubmissionState(getSubmissionState(stored)),
    asks: asks === 'edit' ? 'change' : asks,
    stage,
    next,
    dates: stored.state === 'taken_back' ? null : stored.dates,
    can,
    received_at,
    status_url,
    event_url,
    published: stored.is_published,
    ...told,
  };
  return {
    structured: {
      data: pickBySchema(data, FOLLOWED, FOLLOWED),
      meta: serializeMeta(snapshot, lang, site),
    },
    text: text.join('\n\n'),
    lang,
    next_cursor: null,
  };
}
