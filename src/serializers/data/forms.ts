// The public data as text: CSV (RFC 4180), JSON lines; the same rows always give the same bytes
// (contract 17.3).
import type { DataCell, DataTable } from '../../domain/data-table.ts';

/**
 * A text that a spreadsheet would run has an apostrophe before it, for strangers wrote some of them
 * (contract 14.8).
 */
const toHarmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function toField(cell: DataCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = toHarmless(typeof cell === 'string' ? cell : cell.join(';'));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line for each row after that of the names; lists are joined by `;`, what is not known is empty. */
export const toCsv = ({ columns, rows }: DataTable): string =>
  [columns.map(({ name }) => name), ...rows]
    .map((row) => `${row.map(toField).join(',')}\r\n`)
    .join('');

/** A line of JSON for each row. */
export function toJsonLines({ columns, rows }: DataTable): string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const toLine = (row: readonly DataCell[]): string =>
    `{${names.map((name, at) => name + JSON.stringify(row[at] ?? null)).join(',')}}\n`;
  return rows.map(toLine).join('');
}
