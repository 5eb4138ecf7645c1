// A submission: its fields as they are read and as they are stored, and what of it is private (contract 14.1, 14.26).
import * as v from 'valibot';
import type { ParameterDescription } from '../query/parameters.ts';
import { type Field, type FieldName, FIELDS, type Fields } from './fields.ts';

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

/** The same fields where some were wrong and are left out. */
export const SoundFieldsSchema = v.partial(SubmissionSchema);
export type SoundFields = v.InferOutput<typeof SoundFieldsSchema>;

const pickNames = (isPicked: (field: Field) => boolean): readonly string[] =>
  Object.entries<Field>(FIELDS).flatMap(([name, field]) => (isPicked(field) ? [name] : []));

/** The names of those that anybody may send, of those that only the form has, and of those that must be there. */
export const SUBMISSION_FIELD_NAMES = pickNames(({ is_of_form }) => !is_of_form);
export const FORM_FIELD_NAMES = pickNames(({ is_of_form }) => is_of_form === true);
export const REQUIRED_SUBMISSION_FIELDS = pickNames(({ rule }) => rule.type !== 'optional');

const { lang: LANG_FIELD, ...OTHER_FIELDS } = FIELDS;
/**
 * The fields for whoever describes them (enviar_evento, the docs page), each with its rule in a
 * sentence where its name does not say it, its JSON Schema and an example; the language, which has a
 * default, last.
 */
export const SUBMISSION_FIELDS: readonly ParameterDescription[] = Object.entries<Field>({
  ...OTHER_FIELDS,
  lang: LANG_FIELD,
}).flatMap(([name, { is_of_form, description = '', schema, example }]) =>
  is_of_form ? [] : [{ name, description, schema, example }],
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
    Object.entries<Field>(FIELDS).flatMap(([name, { stored, stored_as = name }]) =>
      stored === undefined ? [] : [[stored_as, stored]],
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
 * the day alone where `all_day` or where the `hour` is unknown; `venue` is the id of one we know.
 */
export type Submission = Readonly<v.InferOutput<typeof SubmissionRecordSchema>>;

/** How long the desk has what is private, `contact_email` above all: days after an event's last date, or after the decision on what was never published. */
export const PRIVATE_DAYS = 60;

/** What is private of one thing that was sent in. */
export interface HeldWords {
  /** The last day on which it is held, YYYY-MM-DD; null where nobody knows it yet. */
  readonly until: string | null;
}
