// Record form: converts a record to the texts of the controls of the desk's form, and back. A
// control is named by the path of its field, `hours.note.es`; in a repeated row, the path includes
// the index, `sources.0.url` (contract 14.28).
import type { FormControl } from '../submission/fields.ts';
import type { ControlTexts } from '../submission/field-rules.ts';
import type { RecordFields } from './record-override.ts';

const isRecord = (value: unknown): value is RecordFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at a path of a record, or undefined. */
const getValueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), record);

/** Sets the value at a path, and creates the records on the way. */
function setValueAt(
  record: Record<string, unknown>,
  [name = '', ...rest]: string[],
  value: unknown,
) {
  const inner = isRecord(record[name]) ? { ...record[name] } : {};
  if (rest.length > 0) setValueAt(inner, rest, value);
  record[name] = rest.length > 0 ? inner : value;
}

/**
 * Converts a record to control texts by control name. A true value becomes `1`, a false one is left
 * out.
 */
export function recordToControls(
  controls: readonly FormControl[],
  record: unknown,
  prefix = '',
): ControlTexts {
  const texts: Record<string, string> = {};
  for (const { name, kind, parts = [] } of controls) {
    const value = getValueAt(record, name);
    const path = `${prefix}${name}`;
    if (kind === 'rows' && Array.isArray(value))
      for (const [index, row_record] of value.entries())
        Object.assign(texts, recordToControls(parts, row_record, `${path}.${index}.`));
    else if (Array.isArray(value)) texts[path] = value.join(kind === 'lines' ? '\n' : ',');
    else if (typeof value === 'string' || typeof value === 'number') texts[path] = String(value);
    else if (value === true) texts[path] = '1';
  }
  return texts;
}

/** Builds a record from control texts, without empty values. */
export function controlsToRecord(
  controls: readonly FormControl[],
  texts: ControlTexts,
  prefix = '',
): RecordFields {
  const record = {};
  for (const control of controls) {
    const value = parseControl(control, texts, `${prefix}${control.name}`);
    if (value !== undefined) setValueAt(record, control.name.split('.'), value);
  }
  return record;
}

/** Parses the text of one control, or the rows of a `rows` control; undefined if it is empty. */
function parseControl(
  { kind, parts = [] }: FormControl,
  texts: ControlTexts,
  name: string,
): unknown {
  if (kind === 'rows') {
    const rows = listFilledRows(texts, name)
      .map((row) => controlsToRecord(parts, texts, `${name}.${row}.`))
      .filter((row) => Object.keys(row).length > 0);
    return rows.length === 0 ? undefined : rows;
  }
  const text = (texts[name] ?? '').trim();
  if (text === '') return undefined;
  if (kind === 'check') return true;
  if (kind === 'checks') return text.split(',');
  if (kind === 'lines') return text.split(/\s*(?:[\r\n]|[,;]\s)\s*/).filter(Boolean);
  // An invalid number stays a text, for the schema to reject.
  if (kind === 'number' && /^-?\d+([.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'));
  return text;
}

/** Lists the indexes of the rows with any text. */
export function listFilledRows(texts: ControlTexts, name: string): readonly number[] {
  const prefix = `${name}.`;
  const rows = Object.keys(texts)
    .filter((key) => key.startsWith(prefix) && texts[key])
    .map((key) => Number(key.slice(prefix.length).split('.')[0]))
    .filter((row) => Number.isInteger(row));
  return [...new Set(rows)].sort((a, b) => a - b);
}
