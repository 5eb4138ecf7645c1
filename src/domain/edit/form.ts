// The form of any thing: what its fields say as the texts of controls, and back (contract 14.28). A
// control is named by the path of its field: `when.0.start`.
import type { Fields, FieldShape, GroupShape } from './field-shape.ts';
import { readRule, toRuleFields } from './rule-fields.ts';

/** What stands in the select of a word where the group beside it says more. */
export const NO_WORD = 'other';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || value === true ? String(value) : '';
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function toFields(shape: FieldShape, value: unknown, name: string): Fields {
  switch (shape.is) {
    case 'texts':
      return { [name]: toList(value).map(toText).join('\n') };
    case 'choices':
      return Object.fromEntries(toList(value).map((one) => [`${name}.${toText(one)}`, 'on']));
    case 'flag':
      return value === true ? { [name]: 'on' } : {};
    case 'rule':
      return typeof value === 'string' ? toRuleFields(value, name) : {};
    case 'group':
      return toGroupFields(shape, isRecord(value) ? value : {}, name);
    case 'rows':
      return Object.assign(
        {},
        ...toList(value).map((row, at) => toFields(shape.row, row, `${name}.${at}`)),
      );
    case 'word':
      return typeof value === 'string'
        ? { [name]: value }
        : { ...toFields(shape.group, value, name), [name]: NO_WORD };
    default:
      return { [name]: toText(value) };
  }
}

const toGroupFields = (
  { fields }: GroupShape,
  value: Readonly<Record<string, unknown>>,
  name: string,
): Fields =>
  Object.assign(
    {},
    ...fields.map(([field, shape]) => toFields(shape, value[field], join(name, field))),
  );

export const join = (name: string, field: string): string =>
  name === '' ? field : `${name}.${field}`;

/** What the controls say; undefined where all of them are empty. */
export function readValue(shape: FieldShape, fields: Fields, name: string): unknown {
  const text = (fields[name] ?? '').trim();
  switch (shape.is) {
    case 'number':
      return readNumber(text);
    case 'flag':
      return text === '' ? undefined : true;
    case 'rule':
      return readRule(fields, name);
    case 'texts':
      return toFilled(
        text
          .split(shape.control === 'line' || shape.control === 'area' ? /[\r\n]+/ : /[\s,;]+/)
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      );
    case 'choices':
      return toFilled(shape.options.filter((option) => fields[`${name}.${option}`]));
    case 'group':
      return readGroup(shape, fields, name);
    case 'rows':
      return toFilled(
        listRows(fields, name)
          .map((at) => readValue(shape.row, fields, `${name}.${at}`))
          .filter((row) => row !== undefined),
      );
    case 'word':
      return text === NO_WORD ? (readValue(shape.group, fields, name) ?? {}) : text || undefined;
    default:
      return text === '' ? undefined : text;
  }
}

const toFilled = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;

/** What is no number stays as it was typed, for the schema to refuse. */
function readNumber(text: string): unknown {
  if (text === '') return undefined;
  return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : text;
}

function readGroup({ fields: parts }: GroupShape, fields: Fields, name: string): unknown {
  const filled = parts.flatMap(([field, shape]) => {
    const value = readValue(shape, fields, join(name, field));
    return value === undefined ? [] : [[field, value] as const];
  });
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

export function listRows(fields: Fields, name: string): readonly number[] {
  const start = `${name}.`;
  const found = Object.keys(fields)
    .filter((key) => key.startsWith(start))
    .map((key) => Number(key.slice(start.length).split('.')[0]))
    .filter((at) => Number.isInteger(at));
  return [...new Set(found)].sort((a, b) => a - b);
}
