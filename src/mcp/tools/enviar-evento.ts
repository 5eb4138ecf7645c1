// enviar_evento: sends an event in for review; it never publishes (contract 13.7, 14). It takes the fields
// of the form, where a repetition is a rule with its last day and the days it leaves out.
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
import { SUBMISSION_LIMITS, type SubmissionIssue } from '../../domain/submission/field-rules.ts';
import { expandFurtherDays, REPEAT_OPTIONS } from '../../domain/submission/form-dates.ts';
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

/** What a state of the inbox is called outside. */
export const publicSubmissionState = (state: SubmissionState): string =>
  state === 'pending' ? 'pending_review' : state;

/** `status_url` is null where the same event is approved already, or in the agenda. */
const RECEIPT = {
  reference: ANY_SCHEMA,
  state: ANY_SCHEMA,
  status_url: NULLABLE_TEXT_SCHEMA,
} as const;

export const enviarEvento: Tool = {
  name: 'enviar_evento',
  // It adds to a queue that a person reads; the same content is the same submission.
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: toSubmissionSchema,
  output: outputSchema({ data: { properties: RECEIPT, required: Object.keys(RECEIPT) } }, ['data']),
  run: async (args, context) => {
    const { snapshot, now_ms, site, sender } = context;
    const issues: string[] = [];
    const { submission, lang } = parseSubmissionArguments(args, null, context, issues);
    if (submission === null) throw new AppError('invalid_submission', issues.join('; '));
    const { reference, state, token, is_repeat } = await requireSenderApi(context, lang).submit({
      submission,
      channel: 'agent',
      sender,
      now_ms,
    });
    const status_url =
      token === null ? null : absoluteUrl(site.url, submissionStatusPath(token, lang));
    const parts = { reference, status_url: status_url ?? '' };
    const words = is_repeat ? 'mcp.tool.enviar_evento.repeated' : 'mcp.tool.enviar_evento.received';
    const follow = status_url === null ? [] : [t(lang, 'mcp.tool.enviar_evento.follow', parts)];
    return {
      structured: {
        data: { reference, state: publicSubmissionState(state), status_url },
        meta: serializeMeta(snapshot, lang, site),
      },
      text: [t(lang, words, parts), ...follow].join('\n\n'),
      lang,
      next_cursor: null,
    };
  },
};

/** Throws AppError unavailable where nothing is taken in. */
export function requireSenderApi(
  { desk }: McpContext,
  lang: Lang,
): NonNullable<McpContext['desk']> {
  if (desk === null)
    throw new AppError('unavailable', `server: ${t(lang, 'mcp.tool.enviar_evento.closed')}`);
  return desk;
}

/** Words about dates: a program could not read them, and the form has no place for them. */
const PROSE = 'repeats';
const REPETITION = {
  repeat: { ...TEXT_SCHEMA, enum: REPEAT_OPTIONS, description: 'With repeat_until or open_end.' },
  weekdays: { ...TEXT_SCHEMA, description: 'With weekly or biweekly, as tu,th.' },
  repeat_until: { ...TEXT_SCHEMA, description: 'Its last day.' },
  exceptions: { ...TEXT_SCHEMA, description: 'Days it leaves out.' },
} as const;
const NAMES = [
  ...SUBMISSION_FIELD_NAMES.filter((name) => name !== PROSE),
  ...Object.keys(REPETITION),
];

function toSubmissionSchema(): ObjectJsonSchema {
  const own = SUBMISSION_FIELD_DOCS.filter(({ name }) => name !== PROSE).map((field) => {
    const { type, enum: choices, format, anyOf } = field.schema;
    // Bounds are in the sentence that refuses what is past them.
    const told = { type, ...(choices !== undefined && { enum: choices }) };
    const schema =
      anyOf === undefined ? { ...told, ...(format !== undefined && { format }) } : { anyOf };
    return [field.name, argumentSchema(schema, field.description)];
  });
  return inputSchema({ ...Object.fromEntries(own), ...REPETITION }, [
    ...REQUIRED_SUBMISSION_FIELDS,
  ]);
}

/** The arguments as fields of a submission, for parseSubmission; `found` gets what is no argument. */
function readFields(
  args: ToolArguments,
  issues: Pick<SubmissionIssue[], 'push'>,
  found: string[],
): Record<string, string> {
  const { [PROSE]: prose, ...others } = args;
  if (prose !== undefined && prose !== null && prose !== '')
    found.push(
      `${PROSE}: words cannot be kept as dates. Give repeat (${REPEAT_OPTIONS.join(', ')}) with repeat_until or open_end and exceptions, or dates`,
    );
  const fields = parseArguments(others, NAMES, found, SUBMISSION_LIMITS.description * 2);
  const { repeat, weekdays, repeat_until, exceptions, ...own } = fields;
  if (repeat !== undefined && !REPEAT_OPTIONS.some((known) => known === repeat))
    found.push(
      `repeat: '${repeat.slice(0, 40)}' is not accepted. Use ${REPEAT_OPTIONS.join(', ')}`,
    );
  const asked = { repeat, weekdays, repeat_until, exceptions, open_end: own.open_end };
  const named = (own.dates ?? '').split(/[,;\s]+/).filter((day) => day !== '');
  const dates = expandFurtherDays(named, asked, (own.start ?? '').slice(0, 10), issues);
  return { ...own, ...(dates.length > 0 ? { dates: dates.join(',') } : {}) };
}

/**
 * The submission of a tool's arguments and the language of its text; everything that is wrong is
 * pushed, and then there is none. `before`: what was taken in and is corrected, so that it may have
 * begun, and keep what only the form has: a picture that was uploaded, hours of single days.
 */
export function parseSubmissionArguments(
  args: ToolArguments,
  before: Submission | null,
  context: McpContext,
  issues: string[],
): { readonly submission: Submission | null; readonly lang: Lang } {
  const { snapshot, now_ms } = context;
  const kept = Object.fromEntries(
    Object.entries(before === null ? {} : submissionToFields(before)).filter(
      ([name, value]) => FORM_FIELD_NAMES.includes(name) && args[name] === value,
    ),
  );
  const others = Object.fromEntries(Object.entries(args).filter(([name]) => !(name in kept)));
  const of_repetition: SubmissionIssue[] = [];
  const given = readFields(others, of_repetition, issues);
  const place = given.venue === undefined ? null : findVenueByName(given.venue, context);
  const fields = { ...given, ...(place && { venue: place.id }), ...kept };
  const lang = parseLangParameter(fields, []);
  const reading = parseSubmission(fields, createReferenceData(snapshot), now_ms, before !== null);
  // `start: is over already`: the field and the rule's sentence, in the language of the text.
  for (const { field, rule, limit, accepted } of [...reading.issues, ...of_repetition]) {
    const parts = { limit: limit ?? '', accepted: accepted.join(', ') };
    issues.push(`${field}: ${t(lang, `submission.issue.${rule}`, parts)}`);
  }
  return { submission: issues.length > 0 ? null : reading.submission, lang };
}
