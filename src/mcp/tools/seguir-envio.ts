// seguir_envio: how a submission stands, by its secret token, and what its sender may still do with it
// (contract 13.16, 14.3).
import {
  toSubmissionState,
  listSenderActs,
  SENDER_ACTS,
  type SenderChange,
} from '../../domain/change.ts';
import * as v from 'valibot';
import { findShown, type SenderDesk } from '../../desk/propose.ts';
import { AppError } from '../../domain/app-error.ts';
import { readLang } from '../../domain/query/values.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { toCorrectedFields, toSentFields } from '../../domain/submission/form.ts';
import { toAbsolute, toStatusPath, toThingPath } from '../../i18n/paths.ts';
import { toStatusWords } from '../../i18n/form-words.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { labelled, list } from '../../serializers/markdown/nodes.ts';
import { toMeta } from '../../serializers/wire/meta.ts';
import { getVenue } from '../../snapshot/get-thing.ts';
import { cut, fence, shorten } from '../answer.ts';
import { readArguments } from '../arguments.ts';
import { ANY_TEXT, keep, toList, toOutput } from '../output.ts';
import {
  type Arguments,
  LANG_PROPERTY,
  type Answering,
  type McpContext,
  TEXT,
  type Tool,
  type ToolResult,
  toInput,
} from '../tool.ts';
import { readSubmitted, requireDesk, toPublicState } from './enviar-evento.ts';

const ACTIONS = ['status', ...SENDER_ACTS] as const;
type Action = (typeof ACTIONS)[number];
const PROPERTIES = {
  token: { ...TEXT, description: 'status_url, or its last part.' },
  action: { ...TEXT, enum: ACTIONS, default: 'status' },
  fields: {
    type: 'object',
    description: 'To correct: those of enviar_evento that change; null empties.',
  },
  message: { ...TEXT, description: 'What happened.' },
  dates: { type: 'array', items: TEXT, description: 'Days it means; else all.' },
  confirm: { type: 'boolean', description: 'true, but for status.' },
  lang: LANG_PROPERTY,
} as const;

const FOLLOWED = {
  properties: {
    reference: ANY_TEXT,
    state: ANY_TEXT,
    asks: ANY_TEXT,
    published: { type: 'boolean' },
    stage: ANY_TEXT,
    next: ANY_TEXT,
    reason: ANY_TEXT,
    message: ANY_TEXT,
    dates: toList(ANY_TEXT),
    can: toList(ANY_TEXT),
    received_at: ANY_TEXT,
    status_url: ANY_TEXT,
    event_url: ANY_TEXT,
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
  input: () => toInput(PROPERTIES, ['token']),
  output: toOutput({ data: FOLLOWED }, ['data']),
  run: async (args, context) => {
    const issues: string[] = [];
    const { fields, dates, ...others } = args;
    const texts = ['token', 'action', 'message', 'confirm', 'lang'];
    const params = readArguments(others, texts, issues);
    const asked = readAsked(params, { fields, dates }, issues);
    const lang = params.lang === undefined ? null : readLang(params, issues);
    if (params.token === undefined) issues.push('token: is missing. It ends the status_url');
    if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
    const desk = requireDesk(context, lang ?? DEFAULT_LANG);
    // The token, which may be the whole address.
    const [, token = ''] = /([^/?#]*)\/?(?:[?#].*)?$/.exec((params.token ?? '').trim()) ?? [];
    await act(asked, await findSubmission(desk, token), desk, context);
    const stored = await findSubmission(desk, token);
    const told_in = lang ?? stored.text.lang;
    const make = (_: number, allowed: Answering): ToolResult =>
      tellSubmission(stored, token, allowed);
    return shorten(make, { most: 1, least: 1 }, { ...context, lang: told_in });
  },
};

interface Asked {
  readonly action: Action;
  readonly fields: Arguments;
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
  given: Pick<Arguments, 'fields' | 'dates'>,
  issues: string[],
): Asked {
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
async function findSubmission(desk: SenderDesk, token: string): Promise<SenderChange> {
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
  { action, fields, message, dates }: Asked,
  { reference, text: before }: SenderChange,
  desk: SenderDesk,
  context: McpContext,
): Promise<void> {
  const who = { reference, now_ms: context.now_ms };
  if (action === 'status') return;
  if (action !== 'correct') {
    await desk.act({ ...who, act: action, message, dates });
    return;
  }
  const issues: string[] = [];
  const corrected = toCorrectedFields(before, fields);
  const { submission } = readSubmitted(corrected, before, context, issues);
  if (submission === null) throw new AppError('invalid_submission', issues.join('; '));
  await desk.correct({ ...who, submission });
}

/** Never told, so that a model does not repeat it: it stays as it is unless it is given anew. */
const PRIVATE: readonly string[] = ['contact_email', 'picture_id'];
const FLAGS: readonly string[] = ['all_day', 'free', 'family', 'open_end'];

/** The fields as enviar_evento takes them. */
function listSent({ text }: SenderChange, { snapshot }: McpContext) {
  const slug = text.venue && getVenue(snapshot, text.venue)?.slug[text.lang];
  const sent = { ...toSentFields(text), ...(slug && { venue: slug }) };
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name]) => !PRIVATE.includes(name))
      .map(([name, text]) => [name, FLAGS.includes(name) ? 'true' : text]),
  );
}

/** How it stands, in the words of its page, what may be done, and between the fence what people wrote. */
function tellSubmission(stored: SenderChange, token: string, context: Answering): ToolResult {
  const { lang, snapshot, now_ms, site } = context;
  const { as, detail } = findShown(stored, snapshot, now_ms);
  const { stage, next } = toStatusWords(stored, as, lang);
  const { reference, reason, message, at: received_at, asks } = stored;
  const can = listSenderActs(stored, as);
  const status_url = toAbsolute(site.url, toStatusPath(token, lang));
  const event_url = detail && toAbsolute(site.url, toThingPath('event', detail.event.slug, lang));
  const told = cut({ reason, message, sent: listSent(stored, context) }, context);
  const words = [
    ...(told.reason === null ? [] : [[t(lang, 'mcp.follow.reason'), told.reason] as const]),
    ...(told.message === null ? [] : [[t(lang, 'mcp.follow.message'), told.message] as const]),
    ...Object.entries(told.sent),
  ];
  const items = words.map(([label, value]) => labelled(label, value));
  const text = [
    `${reference}: ${stage} ${next}`,
    ...(event_url === null ? [] : [`${t(lang, 'status.see')}: ${event_url}`]),
    t(lang, 'mcp.follow.can', { actions: can.join(', ') }),
    t(lang, 'mcp.follow.link', { url: status_url }),
    fence(toMarkdown([list(items)]), lang),
  ];
  const data = {
    reference,
    state: toPublicState(toSubmissionState(stored)),
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
    structured: { data: keep(data, FOLLOWED, FOLLOWED), meta: toMeta(snapshot, lang, site) },
    text: text.join('\n\n'),
    lang,
    next_cursor: null,
  };
}
