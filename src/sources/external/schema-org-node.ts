// Schema.org nodes: untrusted objects of JSON-LD, and elements of XML in the same form.

/** An object of JSON-LD, or an element of XML with its children by name. */
export type SchemaOrgNode = Readonly<Record<string, unknown>>;
export const isSchemaOrgNode = (value: unknown): value is SchemaOrgNode =>
  typeof value === 'object' && value !== null;
export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
