// A submission: its fields as they are read and as they are stored, how it stands, and the whole as
// the inbox has it (contract 14.1, 14.2).
import * as v from 'valibot';
import type { ParameterDescription } from '../query/parameters.ts';
import { type FieldName, FIELDS, type Fields } from './fields.ts';

function listRules(): { readonly [N in FieldName]: Fields[N]['rule'] };
function listRules(): object {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, { rule }]) => [name, rule]));
}

/**
 * One strict schema for the form and for enviar_evento. Every value is text, as a form sends it;
 * what is empty is left out before.
 */
export const SubmissionSchema = v.strictObject(listRules(), (issue) =>
  issue.expected === 'never' ? 'unknown_field' : 'missing',
);
export type SubmissionFields = v.InferOutput<typeof SubmissionSchema>;
/** The names of those that anybody may send; the form has more. */
export const SUBMISSION_FIELD_NAMES: readonly string[] = Object.entries(FIELDS).flatMap(
  ([name, field]) => ('is_of_form' in field ? [] : [name]),
);

/** The same fields where some were wrong and are left out. */
export const SoundFieldsSchema = v.partial(SubmissionSchema);
export type SoundFields = v.InferOutput<typeof SoundFieldsSchema>;

export const REQUIRED_SUBMISSION_FIELDS: readonly string[] = Object.entries(FIELDS).flatMap(
  ([name, { rule }]) => (rule.type === 'optional' ? [] : [name]),
);

/** The names of those that only the form has. */
export const FORM_FIELD_NAMES: readonly string[] = Object.keys(FIELDS).filter(
  (name) => !SUBMISSION_FIELD_NAMES.includes(name),
);

const { lang: LANG_FIELD, ...OTHER_FIELDS } = FIELDS;
/**
 * The fields for whoever describes them (enviar_evento, the docs page), each with its rule in a
 * sentence where its name does not say it, its JSON Schema and an example; the language, which has a
 * default, last.
 */
export const SUBMISSION_FIELDS: readonly ParameterDescription[] = Object.entries({
  ...OTHER_FIELDS,
  lang: LANG_FIELD,
}).flatMap(([name, { description, schema, example }]) =>
  SUBMISSION_FIELD_NAMES.includes(name) ? [{ name, description, schema, example }] : [],
);

type StoredName<N extends FieldName> = Fields[N] extends { readonly stored: v.GenericSchema }
  ? Fields[N] extends { readonly stored_as: infer A extends string }
    ? A
    : N
  : never;
type StoredSchema<N extends FieldName> = Fields[N] extends {
  readonly stored: infer S extends v.GenericSchema;
}
  ? S
  : never;

function listStored(): { readonly [N in FieldName as StoredName<N>]: StoredSchema<N> };
function listStored(): object {
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, field]) =>
      'stored' in field ? [['stored_as' in field ? field.stored_as : name, field.stored]] : [],
    ),
  );
}

// The order in which they are stored: what was sent before is known by the digest of its text.
const { lang, title, description, category, zone, ...OTHER_STORED } = listStored();
export const SubmissionRecordSchema = v.object({
  lang,
  title,
  description,
  category,
  zone,
  ...OTHER_STORED,
});

/**
 * A submission as it is stored: every field there, null where nothing was given. Moments are local,
 * the day alone where `all_day` or where the `hour` is unknown; `venue` is the id of one we know;
 * `contact_email` is private.
 */
export type Submission = Readonly<v.InferOutput<typeof SubmissionRecordSchema>>;

export const SUBMISSION_STATES = [
  'pending',
  'changes_requested',
  'approved',
  'rejected',
  'withdrawn',
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];
/** What the sender wants: to be published, or a change of what is. */
export const SUBMISSION_ASKS = ['publish', 'change', 'cancel', 'postpone'] as const;
export type SubmissionAsk = (typeof SUBMISSION_ASKS)[number];

export interface StoredSubmission {
  /** `HC-7K3M9Q`. */
  readonly reference: string;
  readonly channel: 'form' | 'agent';
  readonly state: SubmissionState;
  readonly asks: SubmissionAsk;
  /** The reviewer's words to the sender. */
  readonly reason: string | null;
  /** The sender's words to the reviewer. */
  readonly message: string | null;
  /** The days that a request to cancel or postpone is about, YYYY-MM-DD; null is the whole event. */
  readonly dates: readonly string[] | null;
  /** Timestamp of the newest text. */
  readonly received_at: string;
  /** From 1; one more with each correction. */
  readonly revision: number;
  readonly submission: Submission;
  /** A reviewer's edits, by control; null where nobody has edited. */
  readonly draft: Readonly<Record<string, string>> | null;
  /** Something of it is approved and in the agenda. */
  readonly is_published: boolean;
}

/** Whether its sender asks that what is published be cancelled or postponed. */
export const isRequest = ({ asks }: StoredSubmission): boolean =>
  asks === 'cancel' || asks === 'postpone';
