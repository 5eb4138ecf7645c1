// The log: one JSON object a line on stdout, without anything that says who asked.
import { type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';

export type { Logger } from 'pino';

export function createLog(config: Pick<Config, 'log_level'>): Logger {
  return pino({
    level: config.log_level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
