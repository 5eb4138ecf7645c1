// The table of the evals where it stands: between two marks in docs/agents.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../docs/agents.md');
const [BEGIN, END] = ['<!-- evals: begin -->', '<!-- evals: end -->'];

/** The document before its table, the table, and what follows. Throws where the marks are not there. */
function split(document: string): readonly [string, string, string] {
  const from = document.indexOf(BEGIN) + BEGIN.length;
  const to = document.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error(`${FILE} lacks ${BEGIN} or ${END}`);
  return [document.slice(0, from), document.slice(from, to).trim(), document.slice(to)];
}

/** The table as it stands in the document. */
export const readWrittenTable = (): string => split(readFileSync(FILE, 'utf8'))[1];

/** Puts a table in the place of the one that stands there. */
export function writeTable(table: string): void {
  const [before, , after] = split(readFileSync(FILE, 'utf8'));
  writeFileSync(FILE, `${before}\n${table}\n${after}`);
}
