// seguir_envio: how a submission stands, by its secret token, and what its sender may still do with it
// (contract 13.16, 14.3).
import * as v from 'valibot';
import { AppError } from '../../domain/app-error.ts';
import { readLang } from '../../domain/query/values.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { toCorrectedFields } from '../../domain/submission/corrected-fields.ts';
import { SENDER_ACTS } from '../../domain/submission/sender-acts.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import type { SenderDesk } from '../../desk/propose.ts';
import { toMeta } from '../../serializers/wire/meta.ts';
import { t } from '../../i18n/translate.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { cutTexts } from '../cut.ts';
import { FollowedResponse, toFollowed } from '../lean/submission.ts';
import { withoutEmpty } from '../lean/without-empty.ts';
import { shorten } from '../shorten.ts';
import { readSubmitted } from '../submitted-fields.ts';
import { toFollowedText } from '../text/submission.ts';
import { LANG_PROPERTY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const ACTIONS = ['status', ...SENDER_ACTS] as const;
type Action = (typeof ACTIONS)[number];
const NAMES = ['token', 'action', 'message', 'confirm', 'lang'] as const;

const PROPERTIES = {
  token: { type: 'string', description: 'status_url, or its last part.' },
  action: { type: 'string', enum: ACTIONS, default: 'status' },
  fields: {
    type: 'object',
    description: 'For correct: those of enviar_evento that change; null empties one.',
  },
  message: { type: 'string', description: 'For cancel and postpone: what happened.' },
  dates: {
    type: 'array',
    items: { type: 'string' },
    description: 'Days to cancel or postpone; else all.',
  },
  confirm: { type: 'boolean', description: 'true for every action but status.' },
  lang: LANG_PROPERTY,
} as const;

interface Asked {
  readonly action: Action;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly dates: readonly string[] | null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readAction(word: string | undefined, issues: string[]): Action {
  const action = ACTIONS.find((known) => known === (word ?? 'status'));
  if (action === undefined)
    issues.push(`action: '${word?.slice(0, 40)}' is not accepted. Use ${ACTIONS.join(', ')}`);
  return action ?? 'status';
}

/** What is asked for; what does not go together is pushed. */
function readAsked(
  params: Readonly<Record<string, string>>,
  { fields: given, dates: named }: Readonly<Record<string, unknown>>,
  issues: string[],
): Asked {
  const action = readAction(params.action, issues);
  const fields = isRecord(given) ? given : {};
  const has_fields = Object.keys(fields).length > 0;
  if (given !== undefined && given !== null && !isRecord(given))
    issues.push('fields: is not an object of fields, as {"start": "2026-12-05T20:00"}');
  else if (action === 'correct' && !has_fields)
    issues.push('fields: is missing. Give the fields of enviar_evento that change');
  else if (action !== 'correct' && has_fields)
    issues.push("fields: goes with action 'correct' alone");
  const message = params.message ?? '';
  const is_request = action === 'cancel' || action === 'postpone';
  if (is_request && message.trim() === '') issues.push('message: is missing. Say what happened');
  const dates = readDates(named, issues);
  if (dates !== null && !is_request) issues.push('dates: goes with cancel and postpone alone');
  if (action !== 'status' && params.confirm !== 'true')
    issues.push(
      'confirm: is not true. Show the person what will be done, and call again with confirm: true once they agree',
    );
  return { action, fields, message, dates };
}

/** Null where none are given: all are meant. */
function readDates(named: unknown, issues: string[]): readonly string[] | null {
  if (named === undefined || named === null) return null;
  const dates = v.safeParse(v.array(v.string()), named);
  if (!dates.success) issues.push('dates: is not a list of days, as ["2026-12-05"]');
  return dates.success ? dates.output : null;
}

/** The token in an argument, which may be the whole address. */
const toToken = (text: string): string => /([^/?#]*)\/?(?:[?#].*)?$/.exec(text.trim())?.[1] ?? '';

/** The same for whatever is no token: it says nothing of those there are. */
async function findSubmission(desk: SenderDesk, token: string): Promise<StoredSubmission> {
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
  stored: StoredSubmission,
  desk: SenderDesk,
  context: McpContext,
): Promise<void> {
  const who = { reference: stored.reference, now_ms: context.now_ms };
  if (action === 'status') return;
  if (action !== 'correct') {
    await desk.act({ ...who, act: action, message, dates });
    return;
  }
  const issues: string[] = [];
  const corrected = toCorrectedFields(stored.submission, fields);
  const { submission } = readSubmitted(corrected, stored.submission, context, issues);
  if (submission === null) throw new AppError('invalid_submission', issues.join('; '));
  await desk.correct({ ...who, submission });
}

async function response(
  args: Readonly<Record<string, unknown>>,
  context: McpContext,
): Promise<ToolResult> {
  const { fields, dates, ...others } = args;
  const issues: string[] = [];
  const params = readArguments(others, NAMES, issues);
  const asked = readAsked(params, { fields, dates }, issues);
  const lang = params.lang === undefined ? null : readLang(params, issues);
  if (params.token === undefined) issues.push('token: is missing. It ends the status_url');
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  const { desk, snapshot, site } = context;
  if (desk === null)
    throw new AppError(
      'unavailable',
      `server: ${t(lang ?? DEFAULT_LANG, 'mcp.tool.enviar_evento.closed')}`,
    );
  const token = toToken(params.token ?? '');
  await act(asked, await findSubmission(desk, token), desk, context);
  const stored = await findSubmission(desk, token);
  const told_in = lang ?? stored.submission.lang;
  const followed = toFollowed(stored, token, told_in, context);
  const make = (_: number, allowed: McpContext): ToolResult => {
    const told = cutTexts(followed, allowed);
    return {
      structured: { data: withoutEmpty(told), meta: toMeta(snapshot.generated_at, told_in, site) },
      text: toFollowedText(told, told_in),
      lang: told_in,
      next_cursor: null,
    };
  };
  return shorten(make, { most: 1, least: 1 }, context);
}

export const seguirEnvio: Tool = {
  name: 'seguir_envio',
  // Destructive: what waits is withdrawn. Idempotent: the same again changes nothing more.
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  toInputSchema: () => ({
    type: 'object',
    properties: PROPERTIES,
    required: ['token'],
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(FollowedResponse),
  response,
};
