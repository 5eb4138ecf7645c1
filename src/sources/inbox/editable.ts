// What the desk can change of a thing: the schemas of content/, field by field, with the places that an
// event names by their ids and the pictures that the inbox holds itself; and what each field takes.
import * as v from 'valibot';
import { SAME_FIELD, type ThingRecord } from '../../domain/edit/edit.ts';
import {
  type FieldShape,
  type GroupShape,
  PLACE_CONTROLS,
  TEXT_CONTROLS,
} from '../../domain/edit/form.ts';
import type { HistoryKind } from '../../domain/history.ts';
import { readUploadLink } from '../../domain/submission/picture.ts';
import { EventSchema, NoticeSchema, OrganizerSchema, VenueSchema } from '../content-schema.ts';
import { listRefusals } from '../issues.ts';
import { identity, line, local, MAX, placeId, provenance } from '../schema-fields.ts';

const pictureLink = v.pipe(
  line(MAX.url),
  v.check(
    (text) => readUploadLink(text) !== null || (/^https?:\/\//i.test(text) && URL.canParse(text)),
    'must be an address that begins with https:// or http://',
  ),
  v.metadata({ control: 'picture' }),
);

/** By kind. What the schema of content/ takes is taken, and nothing else. */
export const EDITABLE = {
  event: v.strictObject({
    ...EventSchema.entries,
    venue: v.optional(placeId('venue')),
    organizer: v.optional(placeId('organizer')),
    image: v.optional(v.strictObject({ url: pictureLink, alt: local(line(MAX.summary)) })),
  }),
  venue: VenueSchema,
  organizer: OrganizerSchema,
  notice: NoticeSchema,
} as const;

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
const LAST: readonly string[] = [...Object.keys(provenance), ...Object.keys(identity), SAME_FIELD];

/** The schema of each field of a kind that can be edited, in the order of the form. */
export function listEditable(kind: HistoryKind): readonly (readonly [string, v.GenericSchema])[] {
  const schema = EDITABLE[kind];
  const { entries } = 'pipe' in schema ? schema.pipe[0] : schema;
  const fields: [string, v.GenericSchema][] = Object.entries(entries);
  return fields
    .filter(([field]) => !NOT_EDITED.includes(field))
    .sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b));
}

const pick = (record: ThingRecord, isPicked: (field: string) => boolean): ThingRecord =>
  Object.fromEntries(Object.entries(record).filter(([field]) => isPicked(field)));

/** The fields of a record that can be edited. */
export function toEditable(kind: HistoryKind, record: ThingRecord): ThingRecord {
  const fields = new Set(listEditable(kind).map(([field]) => field));
  return pick(record, (field) => fields.has(field));
}

/** A source's record with an edit in its place: what cannot be edited stays the source's. */
export const layEdit = (
  kind: HistoryKind,
  source: ThingRecord,
  edit: ThingRecord,
): ThingRecord => ({
  ...pick(source, (field) => NOT_EDITED.includes(field)),
  ...toEditable(kind, edit),
});

/** A fault of a field, by its path: `when.0.start`. */
export interface FieldIssue {
  readonly path: string;
  readonly rule: 'missing' | 'invalid';
  readonly message: string;
}

/** A record of a kind with every fault that it has; `value` as the schema leaves it. */
export function checkRecord(
  kind: HistoryKind,
  record: object,
): { readonly value: ThingRecord | null; readonly issues: readonly FieldIssue[] } {
  const result = v.safeParse(EDITABLE[kind], record);
  if (result.success) return { value: { ...result.output }, issues: [] };
  const issues = result.issues.flatMap(listRefusals).map(
    ({ path, is_missing, message }): FieldIssue => ({
      path: path.join('.'),
      rule: is_missing ? 'missing' : 'invalid',
      message,
    }),
  );
  return { value: null, issues };
}

/** All that can be edited of a kind of thing, in the order of the form: the desk has no list of its own. */
export const toThingShape = (kind: HistoryKind): GroupShape => toGroup(listEditable(kind));

const toGroup = (fields: readonly (readonly [string, v.GenericSchema])[]): GroupShape => ({
  is: 'group',
  fields: fields.map(([name, schema]) => [name, toShape(schema)]),
});

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

const Entries = v.record(v.string(), v.custom<v.GenericSchema>(isSchema));
const Control = v.object({ control: v.optional(v.string(), 'line') });

function toShape(optional: v.GenericSchema): FieldShape {
  const schema = toWanted(optional);
  const bare = toBare(schema);
  if ('options' in bare)
    return { is: 'choice', options: v.parse(v.array(v.string()), bare.options) };
  if ('literal' in bare && typeof bare.literal === 'string')
    return { is: 'choice', options: [bare.literal] };
  if (bare.type === 'boolean' || bare.type === 'literal') return { is: 'flag' };
  if (bare.type === 'number') return { is: 'number' };
  if (bare.type === 'array' && 'item' in bare && isSchema(bare.item)) return toList(bare.item);
  if ('entries' in bare) return toGroup(Object.entries(v.parse(Entries, bare.entries)));
  if (bare.type === 'lazy' && 'getter' in bare) return toWord(bare.getter);
  const { control } = v.parse(Control, v.getMetadata(schema));
  if (v.is(v.picklist(PLACE_CONTROLS), control)) return { is: 'place', of: control };
  if (control === 'rule') return { is: 'rule' };
  return { is: 'text', control: v.parse(v.picklist(TEXT_CONTROLS), control) };
}

function toList(item: v.GenericSchema): FieldShape {
  const shape = toShape(item);
  if (shape.is === 'text') return { is: 'texts', control: shape.control };
  return shape.is === 'choice'
    ? { is: 'choices', options: shape.options }
    : { is: 'rows', row: shape };
}

/** A schema that is chosen by what stands there: a word, or else more than that. */
function toWord(getter: unknown): FieldShape {
  if (typeof getter !== 'function') throw new Error('A lazy schema has a getter');
  const [word, group] = ['', {}].map((value) =>
    toShape(v.parse(v.custom<v.GenericSchema>(isSchema), getter(value))),
  );
  if (word?.is !== 'choice' || group === undefined) throw new Error('A lazy schema has two forms');
  return { is: 'word', words: word.options, group };
}
