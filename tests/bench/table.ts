// A table of a benchmark: columns as wide as their widest cell.

/** Says a table, an empty line before it; the first row is its head. */
export function writeTable(
  rows: readonly (readonly string[])[],
  say: (line: string) => void,
): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  say('');
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
