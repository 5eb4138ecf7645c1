// What was measured, as tables: said line by line, and written into a page between two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { PROJECT_DIR, type Say } from './service.ts';

export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly is_met: boolean;
  /** What it is the middle of, or comes of. */
  readonly details: string;
}

export const toFigure = (
  [what, details]: readonly [what: string, details: string],
  value: number,
  [sign, bound]: readonly [sign: '≤' | '≥', bound: number],
  format: (value: number) => string,
): Figure => ({
  ...{ what, details, figure: format(value), target: `${sign} ${format(bound)}` },
  is_met: sign === '≤' ? value <= bound : value >= bound,
});

export function toMedian(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const toSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export const toRange = (all_ms: readonly number[]): string =>
  `${(Math.min(...all_ms) / 1000).toFixed(1)}–${toSeconds(Math.max(...all_ms))}`;

export function note(figures: Figure[], say: Say, figure: Figure): void {
  figures.push(figure);
  const { what, figure: value, target, is_met, details } = figure;
  say(`${is_met ? 'met   ' : 'MISSED'} ${what}: ${value} (${target}); ${details}`);
}

/** What machine this is, on which day, and the figures as a table of Markdown. */
export function toTable(part: string, figures: readonly Figure[]): string {
  const memory_gb = Math.round(totalmem() / 1024 ** 3);
  return [
    `Written by \`npm run bench -- ${part} --write\` on ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} processors (${cpus()[0]?.model.trim()}), ${memory_gb} GB, Node ${process.versions.node}, ${process.platform}.`,
    '',
    '|  | figure | target |  | each |',
    '| --- | --- | --- | --- | --- |',
    ...figures.map(
      ({ what, figure, target, is_met, details }) =>
        `| ${what} | ${figure} | ${target} | ${is_met ? 'met' : 'MISSED'} | ${details.replaceAll('|', '/')} |`,
    ),
  ].join('\n');
}

/** A page before its table, the table, and what follows. Throws where the marks are not there. */
function split(page: string, name: string): readonly [string, string, string] {
  const text = readFileSync(join(PROJECT_DIR, page), 'utf8');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} lacks ${begin} or ${end}`);
  return [text.slice(0, from + begin.length), text.slice(from + begin.length, to), text.slice(to)];
}

export const readWritten = (page: string, name: string): string => split(page, name)[1].trim();

export function writeIntoPage(page: string, name: string, table: string): void {
  const [before, , after] = split(page, name);
  writeFileSync(join(PROJECT_DIR, page), `${before}\n\n${table}\n\n${after}`);
}
