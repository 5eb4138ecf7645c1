// What the columns of the public data hold, each once: taken from the wire forms, so that nothing
// is in them that the API does not say (contract 17.2).
import type { DataCell, DataColumn, DataTable, DataType } from '../../domain/data-table.ts';
import { type ByLang, LANGS, type Lang } from '../../domain/lang.ts';
import type { Key } from '../../i18n/translate.ts';

/** Columns have words that describe them: `data.column.<name>`. */
export type ColumnName =
  Extract<Key, `data.column.${string}`> extends `data.column.${infer Name}` ? Name : never;

/** A column of things of kind `T`, with how it is read. */
export interface ReadColumn<T> extends DataColumn {
  readonly base: ColumnName;
  readonly read: (thing: T) => DataCell | undefined;
}

/** A column that says the same in every language. */
export const column = <T>(
  base: ColumnName,
  type: DataType,
  read: (thing: T) => DataCell | undefined,
): readonly ReadColumn<T>[] => [{ name: base, base, type, read }];

/** A table whose columns have words. */
export interface DescribedTable extends DataTable {
  readonly columns: readonly (DataColumn & { readonly base: ColumnName })[];
}

/** A column of texts for each language, from the wire form in that language. */
export const inEach = <T extends ByLang<unknown>>(
  base: ColumnName,
  read: (wire: T[Lang]) => DataCell | undefined,
): readonly ReadColumn<T>[] =>
  LANGS.map((lang) => ({
    name: `${base}_${lang}`,
    base,
    type: 'text',
    read: (thing) => read(thing[lang]),
  }));

/** A table of things, in their order; each is let go once it is a row. */
export function toTable<T, W>(
  name: DataTable['name'],
  columns: readonly ReadColumn<W>[],
  things: Iterable<T>,
  toWire: (thing: T) => W,
): DescribedTable {
  const toRow = (wire: W): readonly DataCell[] => columns.map(({ read }) => read(wire) ?? null);
  return {
    name,
    columns: columns.map(({ name: own, base, type }) => ({ name: own, base, type })),
    rows: Array.from(things, (thing) => toRow(toWire(thing))),
  };
}
