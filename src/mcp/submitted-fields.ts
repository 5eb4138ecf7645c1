// The fields of a submission as a tool takes them: those of the form, where a repetition is a rule
// with its last day and the days it leaves out, and no words that nobody could keep (contract 13.7).
import { toKnown } from '../desk/known.ts';
import { readLang } from '../domain/query/values.ts';
import type { Lang } from '../domain/lang.ts';
import { toSentFields } from '../domain/submission/corrected-fields.ts';
import { REPEATS } from '../domain/submission/fields.ts';
import { listFurtherDays } from '../domain/submission/repetition.ts';
import { readSubmission, type SubmissionIssue } from '../domain/submission/read-submission.ts';
import { SUBMISSION_LIMITS } from '../domain/submission/rules.ts';
import {
  FORM_FIELD_NAMES,
  REQUIRED_SUBMISSION_FIELDS,
  type Submission,
  SUBMISSION_FIELD_NAMES,
  SUBMISSION_FIELDS,
} from '../domain/submission/submission.ts';
import { t } from '../i18n/translate.ts';
import { readArguments } from './arguments.ts';
import type { McpContext } from './context.ts';
import { findNamedPlace } from './thing-name.ts';
import { type ObjectSchema, toProperty } from './tools/tool.ts';

/** Words about dates: a program could not read them, and the form has no place for them. */
const PROSE = 'repeats';
const REPEAT_NAMES = ['repeat', 'weekdays', 'repeat_until', 'exceptions'] as const;
const NAMES = [...SUBMISSION_FIELD_NAMES.filter((name) => name !== PROSE), ...REPEAT_NAMES];

const REPEAT_PROPERTIES = {
  repeat: { type: 'string', enum: REPEATS, description: 'With repeat_until or open_end.' },
  weekdays: { type: 'string', description: 'With weekly or biweekly, as tu,th.' },
  repeat_until: { type: 'string', description: 'Its last day.' },
  exceptions: { type: 'string', description: 'Days it leaves out.' },
} as const;

/** What the tool takes. */
export function toSubmissionSchema(): ObjectSchema {
  const own = SUBMISSION_FIELDS.filter(({ name }) => name !== PROSE).map((field) => {
    const { type, enum: choices, format, anyOf } = field.schema;
    // Bounds are in the sentence that refuses what is past them.
    const schema = { type, ...(choices !== undefined && { enum: choices }) };
    const told = { ...schema, ...(format !== undefined && { format }) };
    return [field.name, toProperty({ ...field, schema: anyOf === undefined ? told : { anyOf } })];
  });
  return {
    type: 'object',
    properties: { ...Object.fromEntries(own), ...REPEAT_PROPERTIES },
    required: [...REQUIRED_SUBMISSION_FIELDS],
    additionalProperties: false,
  };
}

/** The arguments as fields of a submission, for readSubmission; `found` gets what is no argument. */
function readSubmittedFields(
  args: Readonly<Record<string, unknown>>,
  issues: Pick<SubmissionIssue[], 'push'>,
  found: string[],
): Record<string, string> {
  const { [PROSE]: prose, ...others } = args;
  if (prose !== undefined && prose !== null && prose !== '')
    found.push(
      `${PROSE}: words cannot be kept as dates. Give repeat (${REPEATS.join(', ')}) with repeat_until or open_end and exceptions, or dates`,
    );
  const fields = readArguments(others, NAMES, found, SUBMISSION_LIMITS.description * 2);
  const { repeat, weekdays, repeat_until, exceptions, ...own } = fields;
  if (repeat !== undefined && !REPEATS.some((known) => known === repeat))
    found.push(`repeat: '${repeat.slice(0, 40)}' is not accepted. Use ${REPEATS.join(', ')}`);
  const asked = { repeat, weekdays, repeat_until, exceptions, open_end: own.open_end };
  const named = (own.dates ?? '').split(/[,;\s]+/).filter((day) => day !== '');
  const dates = listFurtherDays(named, asked, (own.start ?? '').slice(0, 10), issues);
  return { ...own, ...(dates.length > 0 ? { dates: dates.join(',') } : {}) };
}

/** `start: is over already`: the field and the rule's sentence, in the language of the text. */
function toIssueSentence({ field, rule, limit, accepted }: SubmissionIssue, lang: Lang): string {
  return `${field}: ${t(lang, `submission.issue.${rule}`, { limit: limit ?? '', accepted: accepted.join(', ') })}`;
}

/**
 * The submission of a tool's arguments and the language of its text; everything that is wrong is
 * pushed, and then there is none. `before`: what was taken in and is corrected, so that it may have
 * begun, and keep what only the form has: a picture that was uploaded, hours of single days.
 */
export function readSubmitted(
  args: Readonly<Record<string, unknown>>,
  before: Submission | null,
  context: McpContext,
  issues: string[],
): { readonly submission: Submission | null; readonly lang: Lang } {
  const { snapshot, now_ms } = context;
  const kept = Object.entries(before === null ? {} : toSentFields(before)).filter(
    ([name, value]) => FORM_FIELD_NAMES.includes(name) && args[name] === value,
  );
  const others = Object.fromEntries(
    Object.entries(args).filter(([name]) => !kept.some(([one]) => one === name)),
  );
  const of_repetition: SubmissionIssue[] = [];
  const given = readSubmittedFields(others, of_repetition, issues);
  const place = given.venue === undefined ? null : findNamedPlace(given.venue, context);
  const fields = { ...given, ...(place && { venue: place.id }), ...Object.fromEntries(kept) };
  const lang = readLang(fields, []);
  const reading = readSubmission(fields, toKnown(snapshot), now_ms, before !== null);
  const wrong = [...reading.issues, ...of_repetition];
  issues.push(...wrong.map((issue) => toIssueSentence(issue, lang)));
  return { submission: issues.length > 0 ? null : reading.submission, lang };
}
