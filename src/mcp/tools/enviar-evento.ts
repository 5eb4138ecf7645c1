// enviar_evento tool: submits an event to the review queue of the editors, and never publishes it
// (contract 13.7, 14). Its arguments are the fields of the submission form; a repetition is a rule
// with a last day and excluded days.
import { createReferenceData } from '../../desk/reference-data.ts';
import { AppError } from '../../domain/app-error.ts';
import { parseLangParameter } from '../../domain/query/parameter-parsers.ts';
import type { Lang } from '../../domain/lang.ts';
import { submissionToFields } from '../../domain/submission/form-values.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import {
  FORM_FIELD_NAMES,
  REQUIRED_SUBMISSION_FIELDS,
  SUBMISSION_FIELD_DOCS,
  SUBMISSION_FIELD_NAMES,
} from '../../domain/submission/fields.ts';
import type { SubmissionState } from '../../domain/change.ts';
import { parseSubmission } from '../../domain/submission/parse-submission.ts';
import { findFreeContradiction } from '../../domain/submission/sender-questions.ts';
import { SUBMISSION_LIMITS, type SubmissionIssue } from '../../domain/submission/field-rules.ts';
import {
  expandFurtherDays,
  listRestDays,
  REPEAT_OPTIONS,
  type RestDays,
  withRestDays,
} from '../../domain/submission/form-dates.ts';
import { formatRestingDays } from '../../i18n/format-dates.ts';
import { absoluteUrl, submissionStatusPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { serializeMeta } from '../../serializers/wire/meta.ts';
import { findVenueByName, parseArguments, argumentSchema } from '../tool-arguments.ts';
import { ANY_SCHEMA, NULLABLE_TEXT_SCHEMA, outputSchema } from '../output-schemas.ts';
import {
  type ToolArguments,
  type McpContext,
  type ObjectJsonSchema,
  TEXT_SCHEMA,
  type Tool,
  inputSchema,
} from '../tool.ts';
import { formatIssues, type ParameterIssue } from '../../domain/query/parameter-issue.ts';

/** Returns the public name of a submission state: `pending` is published as `pending_review`. */
export const publicSubmissionState = (state: SubmissionState): string =>
  state === 'pending' ? 'pending_review' : state;

/**
 * Fields of a receipt. `status_url` contains the secret token of the sender; it is null if the same
 * event is already approved or in the agenda.
 */
const RECEIPT_SCHEMAS = {
  reference: ANY_SCHEMA,
  state: ANY_SCHEMA,
  status_url: NULLABLE_TEXT_SCHEMA,
} as const;

export const enviarEvento: Tool = {
  name: 'enviar_evento',
  // Only adds to the review queue; equal content is the same submission.
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: buildSubmissionSchema,
  output: outputSchema(
    {
      data: {
        properties: { ...RECEIPT_SCHEMAS, resting_days: ANY_SCHEMA, cost_words: ANY_SCHEMA },
        required: Object.keys(RECEIPT_SCHEMAS),
      },
    },
    ['data'],
  ),
  run: async (args, context) => {
    const { snapshot, now_ms, site, sender } = context;
    const issues: ParameterIssue[] = [];
    const { submission, lang } = parseSubmissionArguments(args, null, context, issues);
    if (submission === null) throw new AppError('invalid_submission', formatIssues(issues));
    const { reference, state, token, is_repeat } = await requireSenderApi(context, lang).submit({
      submission,
      channel: 'agent',
      sender,
      now_ms,
    });
    const status_url =
      token === null ? null : absoluteUrl(site.url, submissionStatusPath(token, lang));
    const parts = { reference, status_url: status_url ?? '' };
    // An equal submission was already stored.
    const message_key = is_repeat
      ? 'mcp.tool.enviar_evento.repeated'
      : 'mcp.tool.enviar_evento.received';
    const { resting = [] } = submission;
    const cost_words = findFreeContradiction(submission);
    const questions = [
      ...(resting.length === 0
        ? []
        : [formatRestingDays('mcp.tool.enviar_evento.holidays', resting, lang)]),
      ...(cost_words === null
        ? []
        : [t(lang, 'mcp.tool.enviar_evento.free', { quote: cost_words })]),
    ];
    const status_text =
      status_url === null ? [] : [t(lang, 'mcp.tool.enviar_evento.follow', parts)];
    return {
      structured: {
        data: {
          reference,
          state: publicSubmissionState(state),
          status_url,
          ...(resting.length > 0 && { resting_days: [...resting] }),
          ...(cost_words !== null && { cost_words }),
        },
        meta: serializeMeta(snapshot, lang, site),
      },
      text: [t(lang, message_key, parts), ...questions, ...status_text].join('\n\n'),
      lang,
      next_cursor: null,
    };
  },
};

/**
 * Returns the operations that senders may perform.
 * @throws AppError `unavailable` if submissions are closed.
 */
export function requireSenderApi(
  { desk }: McpContext,
  lang: Lang,
): NonNullable<McpContext['desk']> {
  if (desk === null)
    throw new AppError('unavailable', `server: ${t(lang, 'mcp.tool.enviar_evento.closed')}`);
  return desk;
}

/** A field of the form that the tool rejects: repetition in words, which a program cannot parse. */
const REPEATS_IN_WORDS = 'repeats';
const REPETITION_ARGUMENTS = {
  repeat: { ...TEXT_SCHEMA, enum: REPEAT_OPTIONS, description: 'With repeat_until or open_end.' },
  weekdays: { ...TEXT_SCHEMA, description: 'With weekly or biweekly, as tu,th.' },
  repeat_until: { ...TEXT_SCHEMA, description: 'Last day.' },
  exceptions: { ...TEXT_SCHEMA, description: 'Days without the event.' },
} as const;
const ARGUMENT_NAMES = [
  ...SUBMISSION_FIELD_NAMES.filter((name) => name !== REPEATS_IN_WORDS),
  ...Object.keys(REPETITION_ARGUMENTS),
];

/** Builds the schema of the arguments from the fields of the form. */
function buildSubmissionSchema(): ObjectJsonSchema {
  const form_arguments = SUBMISSION_FIELD_DOCS.filter(({ name }) => name !== REPEATS_IN_WORDS).map(
    (field) => {
      const { type, enum: choices, anyOf } = field.schema;
      // Limits are only in the messages of values beyond them, to keep the schema short.
      const base = { type, ...(choices !== undefined && { enum: choices }) };
      const schema = anyOf === undefined ? base : { anyOf };
      return [field.name, argumentSchema(schema, field.description)];
    },
  );
  return inputSchema({ ...Object.fromEntries(form_arguments), ...REPETITION_ARGUMENTS }, [
    ...REQUIRED_SUBMISSION_FIELDS,
  ]);
}

/**
 * Parses arguments to the fields of parseSubmission, with the repetition expanded to days in
 * `dates`. Pushes issues of the repetition to `issues`, and issues of other arguments to
 * `argument_issues`.
 */
function parseFields(
  args: ToolArguments,
  issues: Pick<SubmissionIssue[], 'push'>,
  argument_issues: ParameterIssue[],
): Record<string, string> {
  const { [REPEATS_IN_WORDS]: repetition_text, ...other_args } = args;
  if (repetition_text !== undefined && repetition_text !== null && repetition_text !== '')
    argument_issues.push({
      param: REPEATS_IN_WORDS,
      message: `a repetition in words has no dates. Use repeat (${REPEAT_OPTIONS.join(', ')}) with repeat_until or open_end and exceptions, or dates`,
    });
  const max_length = SUBMISSION_LIMITS.description * 2;
  const parsed = parseArguments(other_args, ARGUMENT_NAMES, argument_issues, max_length);
  const { repeat, weekdays, repeat_until, exceptions, ...fields } = parsed;
  if (repeat !== undefined && !REPEAT_OPTIONS.some((option) => option === repeat))
    argument_issues.push({
      param: 'repeat',
      message: `'${repeat.slice(0, 40)}' is invalid. Use ${REPEAT_OPTIONS.join(', ')}`,
    });
  const repetition = { repeat, weekdays, repeat_until, exceptions, open_end: fields.open_end };
  const listed_days = (fields.dates ?? '').split(/[,;\s]+/).filter((day) => day !== '');
  const first_day = (fields.start ?? '').slice(0, 10);
  const dates = expandFurtherDays(listed_days, repetition, first_day, issues);
  return { ...fields, ...(dates.length > 0 ? { dates: dates.join(',') } : {}) };
}

/** Lists the customary rest days of the repetition, which are left out unless `dates` has them. */
function findRestDays(args: ToolArguments): RestDays {
  const { repeat, weekdays, repeat_until, exceptions, open_end, ...fields } = parseArguments(
    args,
    ARGUMENT_NAMES,
    [],
    SUBMISSION_LIMITS.description * 2,
  );
  const repetition = { repeat, weekdays, repeat_until, exceptions, open_end };
  const start_day = (fields.start ?? '').slice(0, 10);
  return listRestDays((fields.dates ?? '').split(/[,;\s]+/), repetition, start_day);
}

/**
 * Parses a submission and the language of its text. Pushes all issues; the submission is null if
 * there are any.
 * @param stored The stored submission to amend; null for a new one. Its event may have begun. It
 * keeps the values that only the form has: an uploaded picture, and hours of single days.
 */
export function parseSubmissionArguments(
  args: ToolArguments,
  stored: Submission | null,
  context: McpContext,
  issues: ParameterIssue[],
): { readonly submission: Submission | null; readonly lang: Lang } {
  const { snapshot, now_ms } = context;
  const form_only_fields = Object.fromEntries(
    Object.entries(stored === null ? {} : submissionToFields(stored)).filter(
      ([name, value]) => FORM_FIELD_NAMES.includes(name) && args[name] === value,
    ),
  );
  const other_args = Object.fromEntries(
    Object.entries(args).filter(([name]) => !(name in form_only_fields)),
  );
  const repetition_issues: SubmissionIssue[] = [];
  const new_fields = parseFields(other_args, repetition_issues, issues);
  const venue = new_fields.venue === undefined ? null : findVenueByName(new_fields.venue, context);
  const fields = { ...new_fields, ...(venue && { venue: venue.id }), ...form_only_fields };
  const lang = parseLangParameter(fields, []);
  const parsed = parseSubmission(fields, createReferenceData(snapshot), now_ms, stored !== null);
  // Messages are in the language of the text: `start: is over already`.
  for (const { field, rule, limit, accepted } of [...parsed.issues, ...repetition_issues]) {
    const parts = { limit: limit ?? '', accepted: accepted.join(', ') };
    issues.push({ param: field, message: `${t(lang, `submission.issue.${rule}`, parts)}` });
  }
  if (issues.length > 0 || parsed.submission === null) return { submission: null, lang };
  const stored_days = { resting: stored?.resting ?? [], rests: stored?.rests ?? [] };
  const rest_days = args.repeat ? findRestDays(args) : stored_days;
  return { submission: withRestDays(parsed.submission, rest_days), lang };
}
