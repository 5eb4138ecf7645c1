// A record as the texts of controls, and back. A control is named by the path of its field, `hours.note.es`, and
// in a row by that of the row, `sources.0.url` (contract 14.28).
import type { FormControl } from '../submission/fields.ts';
import type { ControlTexts } from '../submission/field-rules.ts';
import type { RecordFields } from './record-override.ts';

const isRecord = (value: unknown): value is RecordFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const getAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), record);

function putAt(record: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown) {
  const inner = isRecord(record[name]) ? { ...record[name] } : {};
  if (rest.length > 0) putAt(inner, rest, value);
  record[name] = rest.length > 0 ? inner : value;
}

export function recordToControls(
  controls: readonly FormControl[],
  record: unknown,
  start = '',
): ControlTexts {
  const texts: Record<string, string> = {};
  for (const { name, kind, parts = [] } of controls) {
    const value = getAt(record, name);
    const at = `${start}${name}`;
    if (kind === 'rows' && Array.isArray(value))
      for (const [row, one] of value.entries())
        Object.assign(texts, recordToControls(parts, one, `${at}.${row}.`));
    else if (Array.isArray(value)) texts[at] = value.join(kind === 'lines' ? '\n' : ',');
    else if (typeof value === 'string' || typeof value === 'number') texts[at] = String(value);
    else if (value === true) texts[at] = '1';
  }
  return texts;
}

/** The record that they say, without what is empty. */
export function controlsToRecord(
  controls: readonly FormControl[],
  texts: ControlTexts,
  start = '',
): RecordFields {
  const record = {};
  for (const control of controls) {
    const value = readText(control, texts, `${start}${control.name}`);
    if (value !== undefined) putAt(record, control.name.split('.'), value);
  }
  return record;
}

function readText({ kind, parts = [] }: FormControl, texts: ControlTexts, name: string): unknown {
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
  // What is no number stays as it was typed, for the schema to refuse.
  if (kind === 'number' && /^-?\d+([.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'));
  return text;
}

/** The numbers of the rows that have something in them. */
export function listFilledRows(texts: ControlTexts, name: string): readonly number[] {
  const start = `${name}.`;
  const found = Object.keys(texts)
    .filter((key) => key.startsWith(start) && texts[key])
    .map((key) => Number(key.slice(start.length).split('.')[0]))
    .filter((row) => Number.isInteger(row));
  return [...new Set(found)].sort((a, b) => a - b);
}
