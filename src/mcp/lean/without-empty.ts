// What the structured half of an answer leaves out, so that it costs no more than it says.

/** Nothing: null, or a list without entries. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A value without the fields that hold nothing, at any depth; those named in `kept` stay. A client
 * must expect any field that is not always there to be absent (contract 3.5).
 */
export function withoutEmpty(value: unknown, kept: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, kept));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => kept.includes(name) || !isEmpty(field))
      .map(([name, field]) => [name, withoutEmpty(field, kept)]),
  );
}
