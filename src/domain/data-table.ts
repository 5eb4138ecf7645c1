// The public data as tables: what a column and a row are, whatever form they are written in
// (contract 17).

/** What a value may be; a list is of texts. */
export type DataCell = string | number | boolean | null | readonly string[];
export type DataType = 'text' | 'integer' | 'real' | 'boolean' | 'list';

export interface DataColumn {
  /** `title_es`. */
  readonly name: string;
  /** `title`: what it is described by, whatever its language. */
  readonly base: string;
  readonly type: DataType;
}

/** The tables, in the order in which they are read. */
export const DATA_TABLES = ['events', 'occurrences', 'venues', 'organizers', 'notices'] as const;
export type DataTableName = (typeof DATA_TABLES)[number];

/** Rows hold their values in the order of the columns. */
export interface DataTable {
  readonly name: DataTableName;
  readonly columns: readonly DataColumn[];
  readonly rows: readonly (readonly DataCell[])[];
}
