// What the desk can change of a thing: the schemas of content/, field by field, with the places that an
// event names by their ids and the pictures that the inbox holds itself; and what each field takes.
import * as v from 'valibot';
import { SAME_AS_FIELD, type RecordFields } from '../../domain/override/record-override.ts';
import type { RecordKind } from '../../domain/record-history.ts';
import type { LocalText } from '../../domain/lang.ts';
import type { FormControl } from '../../domain/submission/fields.ts';
import { parseUploadUri } from '../../domain/submission/submitted-picture.ts';
import { EventSchema, NoticeSchema, OrganizerSchema, VenueSchema } from '../content-schema.ts';
import { listSlugsAndId } from '../identity.ts';
import { listSchemaIssues } from '../../yaml.ts';
import {
  identityFields,
  contentLineSchema,
  localTextOf,
  MAX_LENGTHS,
  recordIdSchema,
  provenanceFields,
} from '../content-field-schemas.ts';

const pictureLink = v.pipe(
  contentLineSchema(MAX_LENGTHS.url),
  v.check(
    (text) => parseUploadUri(text) !== null || (/^https?:\/\//i.test(text) && URL.canParse(text)),
    'must be an address that begins with https:// or http://',
  ),
  v.metadata({ control: 'url' }),
);

/** By kind. What the schema of content/ takes is taken, and nothing else. */
export const EDITABLE_SCHEMAS = {
  event: v.strictObject({
    ...EventSchema.entries,
    venue: v.optional(recordIdSchema),
    organizer: v.optional(recordIdSchema),
    image: v.optional(
      v.strictObject({
        url: pictureLink,
        alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)),
      }),
    ),
  }),
  venue: VenueSchema,
  organizer: OrganizerSchema,
  notice: NoticeSchema,
} as const;

/** What metadata of a schema may say of its control; else it is a line. */
const CONTROL_KINDS = ['text', 'area', 'date', 'time', 'url', 'select'] as const;

/** What is decided elsewhere at the desk, or never changes: no field of the editor. */
const NOT_EDITED: readonly string[] = [
  'id',
  'former_ids',
  'status',
  'status_note',
  'changes',
  'withdrawn',
];

/** What readers see comes before what a thing is called by programs and where it comes from. */
const LAST: readonly string[] = [
  ...Object.keys(provenanceFields),
  ...Object.keys(identityFields),
  SAME_AS_FIELD,
];

/** The schema of each field of a kind that can be edited, in the order of the form. */
export function listEditableFields(
  kind: RecordKind,
): readonly (readonly [string, v.GenericSchema])[] {
  const schema = EDITABLE_SCHEMAS[kind];
  const { entries } = 'pipe' in schema ? schema.pipe[0] : schema;
  const fields: [string, v.GenericSchema][] = Object.entries(entries);
  return fields
    .filter(([field]) => !NOT_EDITED.includes(field))
    .sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
}

const pick = (record: RecordFields, isPicked: (field: string) => boolean): RecordFields =>
  Object.fromEntries(Object.entries(record).filter(([field]) => isPicked(field)));

export function pickEditableFields(kind: RecordKind, record: RecordFields): RecordFields {
  const fields = new Set(listEditableFields(kind).map(([field]) => field));
  return pick(record, (field) => fields.has(field));
}

/** A source's record with an edit in its place: what cannot be edited stays the source's. */
export const applyOverride = (
  kind: RecordKind,
  source: RecordFields,
  edit: RecordFields,
): RecordFields => ({
  ...pick(source, (field) => NOT_EDITED.includes(field)),
  ...pickEditableFields(kind, edit),
});

const Named = v.object({
  title: v.optional(v.custom<LocalText>(() => true)),
  name: v.optional(v.string()),
  slug: v.optional(v.custom<LocalText>(() => true)),
  former_slugs: v.array(v.string()),
});

/** Every address that a record gives a thing, but for those that nobody edits. */
export function listRecordAddresses(id: string, record: RecordFields): ReadonlySet<string> {
  const { success, output } = v.safeParse(Named, record);
  return success ? listSlugsAndId(id, output) : new Set();
}

/** A fault of a field, by its path: `when.0.start`. */
export interface FieldIssue {
  readonly path: string;
  readonly rule: 'missing' | 'invalid';
  readonly message: string;
}

/** A record of a kind with every fault that it has; `value` as the schema leaves it. */
export function validateRecord(
  kind: RecordKind,
  record: object,
): { readonly value: RecordFields | null; readonly issues: readonly FieldIssue[] } {
  const result = v.safeParse(EDITABLE_SCHEMAS[kind], record);
  if (result.success) return { value: { ...result.output }, issues: [] };
  const issues = result.issues.flatMap(listSchemaIssues).map(
    ({ path, is_missing, message }): FieldIssue => ({
      path: path.join('.'),
      rule: is_missing ? 'missing' : 'invalid',
      message,
    }),
  );
  return { value: null, issues };
}

/** A control for everything that can be edited of a kind of thing: the desk has no list of its own. */
export const listControls = (kind: RecordKind): readonly FormControl[] =>
  listEditableFields(kind).flatMap(([name, schema]) => toControls(name, schema));

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/** Without what only says that it may be missing. */
const toWanted = (schema: v.GenericSchema): v.GenericSchema =>
  'wrapped' in schema && isSchema(schema.wrapped) ? toWanted(schema.wrapped) : schema;

/** Without its checks. */
const toBare = (schema: v.GenericSchema): v.GenericSchema =>
  'pipe' in schema && Array.isArray(schema.pipe) && isSchema(schema.pipe[0])
    ? toBare(schema.pipe[0])
    : schema;

const Schema = v.custom<v.GenericSchema>(isSchema);
const Entries = v.record(v.string(), Schema);
const Kind = v.object({ control: v.optional(v.picklist(CONTROL_KINDS), 'text') });
const Choices = v.array(v.string());
/** A schema that is chosen by what stands there: a word, or more than that. */
const WordOrGroup = v.pipe(
  v.function(),
  v.transform((getter): unknown => [getter(''), getter({})]),
  v.tuple([Schema, Schema]),
);

/** Those of a group stand behind its name. */
function toControls(name: string, optional: v.GenericSchema): readonly FormControl[] {
  const schema = toWanted(optional);
  const bare = toBare(schema);
  if ('entries' in bare)
    return Object.entries(v.parse(Entries, bare.entries)).flatMap(([part, inner]) =>
      toControls(`${name}.${part}`, inner),
    );
  if (bare.type === 'lazy' && 'getter' in bare) {
    const [word, group] = v.parse(WordOrGroup, bare.getter);
    return [...toControls(name, word), ...toControls(name, group)];
  }
  if (bare.type === 'array' && 'item' in bare && isSchema(bare.item)) {
    const parts = toControls('', bare.item);
    const [only] = parts;
    if (only?.name !== '')
      return [
        { name, kind: 'rows', parts: parts.map((part) => ({ ...part, name: part.name.slice(1) })) },
      ];
    return [only.choices ? { ...only, name, kind: 'checks' } : { name, kind: 'lines' }];
  }
  if ('options' in bare) return [{ name, kind: 'select', choices: v.parse(Choices, bare.options) }];
  if ('literal' in bare && typeof bare.literal === 'string')
    return [{ name, kind: 'select', choices: [bare.literal] }];
  if (bare.type === 'boolean' || bare.type === 'literal') return [{ name, kind: 'check' }];
  if (bare.type === 'number') return [{ name, kind: 'number', is_narrow: true }];
  return [{ name, kind: v.parse(Kind, v.getMetadata(schema)).control }];
}
