// What a field takes, read from its schema: so the desk's form has every field of content/, and no
// list of its own.
import * as v from 'valibot';
import type { HistoryKind } from '../../domain/history.ts';
import {
  type FieldShape,
  type GroupShape,
  PLACE_CONTROLS,
  TEXT_CONTROLS,
} from '../../domain/edit/field-shape.ts';
import { listEditable } from './editable.ts';

const TextControl = v.picklist(TEXT_CONTROLS);
const PlaceControl = v.picklist(PLACE_CONTROLS);

/** All that can be edited of a kind of thing, in the order of the form. */
export const toThingShape = (kind: HistoryKind): GroupShape => ({
  is: 'group',
  fields: listEditable(kind).map(([name, schema]) => [name, toShape(schema)]),
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

function toControl(schema: v.GenericSchema): string {
  const { control } = v.parse(
    v.object({ control: v.optional(v.string(), 'line') }),
    v.getMetadata(schema),
  );
  return control;
}

function toShape(optional: v.GenericSchema): FieldShape {
  const schema = toWanted(optional);
  const bare = toBare(schema);
  const options = toOptions(bare);
  if (options.length > 0) return { is: 'choice', options };
  if (bare.type === 'boolean' || bare.type === 'literal') return { is: 'flag' };
  if (bare.type === 'number') return { is: 'number' };
  if (bare.type === 'array' && 'item' in bare && isSchema(bare.item)) return toListShape(bare.item);
  if ('entries' in bare)
    return toGroupShape(
      v.parse(v.record(v.string(), v.custom<v.GenericSchema>(isSchema)), bare.entries),
    );
  if (bare.type === 'lazy' && 'getter' in bare) return toWordShape(bare.getter);
  const control = toControl(schema);
  if (v.is(PlaceControl, control)) return { is: 'place', of: control };
  if (control === 'rule') return { is: 'rule' };
  return { is: 'text', control: v.parse(TextControl, control) };
}

const toGroupShape = (entries: Readonly<Record<string, v.GenericSchema>>): GroupShape => ({
  is: 'group',
  fields: Object.entries(entries).map(([name, schema]) => [name, toShape(schema)]),
});

/** The texts of which it is one; none of anything else. */
function toOptions(bare: v.GenericSchema): readonly string[] {
  if ('options' in bare) return v.parse(v.array(v.string()), bare.options);
  return 'literal' in bare && typeof bare.literal === 'string' ? [bare.literal] : [];
}

function toListShape(item: v.GenericSchema): FieldShape {
  const shape = toShape(item);
  if (shape.is === 'text') return { is: 'texts', control: shape.control };
  return shape.is === 'choice'
    ? { is: 'choices', options: shape.options }
    : { is: 'rows', row: shape };
}

/** A schema that is chosen by what stands there: a word, or else more than that. */
function toWordShape(getter: unknown): FieldShape {
  if (typeof getter !== 'function') throw new Error('A lazy schema has a getter');
  const of = (value: unknown): FieldShape =>
    toShape(v.parse(v.custom<v.GenericSchema>(isSchema), getter(value)));
  const word = of('');
  return { is: 'word', words: word.is === 'choice' ? word.options : [], group: of({}) };
}
