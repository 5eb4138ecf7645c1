// JSON for reading: what fits stands on one line, long lists of whole things are left out.

/** Characters of a line, its indentation included: what a telephone shows turned on its side. */
const WIDTH = 72;
/** Fields whose items are shown elsewhere in full. */
const LEFT_OUT: ReadonlySet<string> = new Set(['upcoming_events']);

function toLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${toLine(inner)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function toField(key: string, value: unknown, indent: string): string {
  const name = `${JSON.stringify(key)}: `;
  return LEFT_OUT.has(key) && Array.isArray(value) && value.length > 0
    ? `${name}[…]`
    : name + toShortJson(value, indent, name.length);
}

/**
 * The value as text. `indent` is that of its line, `before` the characters that stand on it
 * already.
 */
export function toShortJson(value: unknown, indent = '', before = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = toLine(value);
  const holds_left_out = Object.keys(value).some((key) => LEFT_OUT.has(key));
  if (!holds_left_out && indent.length + before + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const [open, shut, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => toShortJson(item, inner))]
    : ['{', '}', Object.entries(value).map(([key, item]) => toField(key, item, inner))];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${shut}`;
}
