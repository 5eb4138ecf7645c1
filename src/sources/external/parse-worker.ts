// Parse worker: runs parsers of external files in a worker thread, which parse-in-worker.ts starts
// and ends.
import { parentPort } from 'node:worker_threads';
import { joinAlerts, listAlertLinks, parseAlerts } from './parse-cap.ts';
import { parseFeedEntries } from './parse-entries.ts';
import { parseCalendar } from './parse-ics.ts';
import { parseJsonLd } from './parse-json-ld.ts';

const PARSERS = {
  parseCalendar,
  parseJsonLd,
  parseFeedEntries,
  parseAlerts,
  listAlertLinks,
  joinAlerts,
} as const;
export type Parsers = typeof PARSERS;

/** A file to parse: the name and the arguments of its parser. */
export interface ParseTask {
  readonly parser: keyof Parsers;
  readonly args: readonly unknown[];
}

parentPort?.on('message', ({ parser, args }: ParseTask) => {
  const parse = PARSERS[parser] as (...values: readonly unknown[]) => unknown;
  parentPort?.postMessage({ result: parse(...args) });
});
parentPort?.postMessage('ready');
