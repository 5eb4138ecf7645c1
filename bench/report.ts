// Benchmark report: prints figures line by line and writes them as a table into a document, between two markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type LogLine, PROJECT_DIR } from './service.ts';

/** A measured value with its target. */
export interface Figure {
  readonly name: string;
  /** The value with its unit. */
  readonly figure: string;
  /** `≤` or `≥`, with the bound. */
  readonly target: string;
  readonly is_met: boolean;
  /** Values that the figure summarizes. */
  readonly details: string;
}

/** Creates a figure and compares its value with the target, which includes the bound. */
export const createFigure = (
  [name, details]: readonly [name: string, details: string],
  value: number,
  [sign, bound]: readonly [sign: '≤' | '≥', bound: number],
  format: (value: number) => string,
): Figure => ({
  ...{ name, details, figure: format(value), target: `${sign} ${format(bound)}` },
  is_met: sign === '≤' ? value <= bound : value >= bound,
});

export function computeMedian(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Formats the shortest and longest duration: `1.2–3.4 s`. */
export const formatRange = (all_ms: readonly number[]): string =>
  `${(Math.min(...all_ms) / 1000).toFixed(1)}–${formatSeconds(Math.max(...all_ms))}`;

/** Adds a figure to the report and logs it. */
export function addFigure(figures: Figure[], log: LogLine, figure: Figure): void {
  figures.push(figure);
  const { name, figure: value, target, is_met, details } = figure;
  log(`${is_met ? 'met   ' : 'MISSED'} ${name}: ${value} (${target}); ${details}`);
}

/** Formats the figures as a Markdown table, with a line about machine and date. */
export function formatTable(benchmark: string, figures: readonly Figure[]): string {
  const memory_gb = Math.round(totalmem() / 1024 ** 3);
  return [
    `Written by \`npm run bench -- ${benchmark} --write\` on ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} processors (${cpus()[0]?.model.trim()}), ${memory_gb} GB, Node ${process.versions.node}, ${process.platform}.`,
    '',
    '|  | figure | target |  | each |',
    '| --- | --- | --- | --- | --- |',
    ...figures.map(
      ({ name, figure, target, is_met, details }) =>
        `| ${name} | ${figure} | ${target} | ${is_met ? 'met' : 'MISSED'} | ${details.replaceAll('|', '/')} |`,
    ),
  ].join('\n');
}

/** Splits a document into the text before a table, the table and the rest. @throws Error if a marker is missing. */
function splitDocument(path: string, name: string): readonly [string, string, string] {
  const text = readFileSync(join(PROJECT_DIR, path), 'utf8');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} lacks ${begin} or ${end}`);
  return [text.slice(0, from + begin.length), text.slice(from + begin.length, to), text.slice(to)];
}

/** Reads the table of a benchmark from a document of the project. */
export const readTable = (path: string, name: string): string =>
  splitDocument(path, name)[1].trim();

/** Replaces the table of a benchmark in a document of the project. */
export function writeTable(path: string, name: string, table: string): void {
  const [before, , after] = splitDocument(path, name);
  writeFileSync(join(PROJECT_DIR, path), `${before}\n\n${table}\n\n${after}`);
}
