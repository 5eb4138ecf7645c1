// The tables of docs/performance.md, as the benchmark writes them.
import { availableParallelism, cpus, totalmem } from 'node:os';
import { writeIntoPage } from '../fixtures/written-table.ts';

const GIGABYTE = 1024 ** 3;

/** What machine this is, on which day, with which command. */
function describeRun(command: string): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / GIGABYTE);
  return `Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} processors (${model}), ${memory} GB, Node ${process.versions.node}, ${process.platform}.`;
}

/** Rows as a table of Markdown; the first is its head. */
function toMarkdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [toLine(head), toLine(head.map(() => '---')), ...rest.map(toLine)].join('\n');
}

/** Writes the tables of a run, and what it was run on, into the page. */
export function writePerformance(
  name: 'requests' | 'releases' | 'growth',
  command: string,
  tables: readonly (readonly (readonly string[])[])[],
): void {
  writeIntoPage(name, [describeRun(command), ...tables.map(toMarkdownTable)].join('\n\n'));
}
