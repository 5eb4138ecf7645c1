// Editable fields: derives the desk's form controls and validation from the content schemas.
// Differences to content: events refer to venues and organizers by id, and pictures may be uploads
// in the inbox.
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

const pictureUrlSchema = v.pipe(
  contentLineSchema(MAX_LENGTHS.url),
  v.check(
    (text) => parseUploadUri(text) !== null || (/^https?:\/\//i.test(text) && URL.canParse(text)),
    'must be an address that begins with https:// or http://',
  ),
  v.metadata({ control: 'url' }),
);

/** Schemas of overrides by record kind: exactly the fields of the content schemas. */
export const EDITABLE_SCHEMAS = {
  event: v.strictObject({
    ...EventSchema.entries,
    venue: v.optional(recordIdSchema),
    organizer: v.optional(recordIdSchema),
    image: v.optional(
      v.strictObject({
        url: pictureUrlSchema,
        alt: localTextOf(contentLineSchema(MAX_LENGTHS.summary)),
      }),
    ),
  }),
  venue: VenueSchema,
  organizer: OrganizerSchema,
  notice: NoticeSchema,
} as const;

/** Controls that the metadata of a schema can set; the default is `text`, a single line. */
const CONTROL_KINDS = ['text', 'area', 'date', 'time', 'url', 'select'] as const;

/** Fields without a form control: they never change, or have their own desk screen. */
const NON_EDITABLE_FIELDS: readonly string[] = [
  'id',
  'former_ids',
  'status',
  'status_note',
  'changes',
  'withdrawn',
];

/** Fields at the end of the form, after the public ones. */
const LAST_FIELDS: readonly string[] = [
  ...Object.keys(provenanceFields),
  ...Object.keys(identityFields),
  SAME_AS_FIELD,
];

/** Lists the editable fields of a record kind with their schemas, in form order. */
export function listEditableFields(
  kind: RecordKind,
): readonly (readonly [string, v.GenericSchema])[] {
  const schema = EDITABLE_SCHEMAS[kind];
  const { entries } = 'pipe' in schema ? schema.pipe[0] : schema;
  const fields: [string, v.GenericSchema][] = Object.entries(entries);
  return fields
    .filter(([field]) => !NON_EDITABLE_FIELDS.includes(field))
    .sort(([a], [b]) => LAST_FIELDS.indexOf(a) - LAST_FIELDS.indexOf(b));
}

const pickFields = (record: RecordFields, isPicked: (field: string) => boolean): RecordFields =>
  Object.fromEntries(Object.entries(record).filter(([field]) => isPicked(field)));

export function pickEditableFields(kind: RecordKind, record: RecordFields): RecordFields {
  const fields = new Set(listEditableFields(kind).map(([field]) => field));
  return pickFields(record, (field) => fields.has(field));
}

/** Applies an override: takes the editable fields from it and all other fields from the source. */
export const applyOverride = (
  kind: RecordKind,
  source: RecordFields,
  override: RecordFields,
): RecordFields => ({
  ...pickFields(source, (field) => NON_EDITABLE_FIELDS.includes(field)),
  ...pickEditableFields(kind, override),
});

const AddressFieldsSchema = v.object({
  title: v.optional(v.custom<LocalText>(() => true)),
  name: v.optional(v.string()),
  slug: v.optional(v.custom<LocalText>(() => true)),
  former_slugs: v.array(v.string()),
});

/** Lists the id and all slugs of an editable record. Empty if its fields are invalid. */
export function listRecordAddresses(id: string, record: RecordFields): ReadonlySet<string> {
  const { success, output } = v.safeParse(AddressFieldsSchema, record);
  return success ? listSlugsAndId(id, output) : new Set();
}

/** An issue of a field, by its path: `when.0.start`. */
export interface FieldIssue {
  readonly path: string;
  readonly rule: 'missing' | 'invalid';
  readonly message: string;
}

/** Validates a record; `value` is the output of the schema, or null if there are issues. */
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

/** Lists the form controls of a record kind. The desk has no separate list of fields. */
export const listControls = (kind: RecordKind): readonly FormControl[] =>
  listEditableFields(kind).flatMap(([name, schema]) => buildControls(name, schema));

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

const unwrapOptional = (schema: v.GenericSchema): v.GenericSchema =>
  'wrapped' in schema && isSchema(schema.wrapped) ? unwrapOptional(schema.wrapped) : schema;

const unwrapPipe = (schema: v.GenericSchema): v.GenericSchema =>
  'pipe' in schema && Array.isArray(schema.pipe) && isSchema(schema.pipe[0])
    ? unwrapPipe(schema.pipe[0])
    : schema;

const SchemaSchema = v.custom<v.GenericSchema>(isSchema);
const EntriesSchema = v.record(v.string(), SchemaSchema);
const ControlMetadataSchema = v.object({ control: v.optional(v.picklist(CONTROL_KINDS), 'text') });
const ChoicesSchema = v.array(v.string());
/** Converts the getter of a lazy schema (a keyword or an object) to the schemas of both. */
const KeywordOrGroupSchema = v.pipe(
  v.function(),
  v.transform((getter): unknown => [getter(''), getter({})]),
  v.tuple([SchemaSchema, SchemaSchema]),
);

/**
 * Builds the controls of a field; controls of a group are named `group.field`. Controls of list
 * entries have no name, or `.field` if the entries are objects.
 */
function buildControls(name: string, field_schema: v.GenericSchema): readonly FormControl[] {
  const schema = unwrapOptional(field_schema);
  const type_schema = unwrapPipe(schema);
  if ('entries' in type_schema)
    return Object.entries(v.parse(EntriesSchema, type_schema.entries)).flatMap(([part, inner]) =>
      buildControls(`${name}.${part}`, inner),
    );
  if (type_schema.type === 'lazy' && 'getter' in type_schema) {
    const [keyword, group] = v.parse(KeywordOrGroupSchema, type_schema.getter);
    return [...buildControls(name, keyword), ...buildControls(name, group)];
  }
  if (type_schema.type === 'array' && 'item' in type_schema && isSchema(type_schema.item))
    return [buildListControl(name, buildControls('', type_schema.item))];
  if ('options' in type_schema)
    return [{ name, kind: 'select', choices: v.parse(ChoicesSchema, type_schema.options) }];
  if ('literal' in type_schema && typeof type_schema.literal === 'string')
    return [{ name, kind: 'select', choices: [type_schema.literal] }];
  if (type_schema.type === 'boolean' || type_schema.type === 'literal')
    return [{ name, kind: 'check' }];
  if (type_schema.type === 'number') return [{ name, kind: 'number', is_narrow: true }];
  return [{ name, kind: v.parse(ControlMetadataSchema, v.getMetadata(schema)).control }];
}

/**
 * Builds the control of a list: rows for objects, checkboxes for choices, otherwise lines of text.
 */
function buildListControl(name: string, entry_controls: readonly FormControl[]): FormControl {
  const [control] = entry_controls;
  if (control?.name !== '')
    return {
      name,
      kind: 'rows',
      parts: entry_controls.map((part) => ({ ...part, name: part.name.slice(1) })),
    };
  return control.choices ? { ...control, name, kind: 'checks' } : { name, kind: 'lines' };
}
