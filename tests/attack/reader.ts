// A reader amid the attack: asks for one page and one list after the other, each over a connection of its
// own, and says how long they took.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How it went. */
export interface Reading {
  readonly count: number;
  readonly failed: number;
  readonly middle_ms: number;
  /** All but one in twenty took no longer. */
  readonly late_ms: number;
}

const PATHS = ['/hoy', '/api/v1/notices'] as const;
const PAUSE_MS = 20;
const PATIENCE_MS = 15_000;

/** Status of one request from an address; 0 where there was no answer. */
export const askOnce = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> =>
  new Promise((done) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode ?? 0));
      response.once('error', () => done(0));
    });
    asked.setTimeout(PATIENCE_MS, () => asked.destroy());
    asked.once('error', () => done(0));
    asked.end();
  });

/** Reads while `work` goes on, and for `least_ms`. Each time as somebody else, where a proxy is believed. */
export async function readWhile(
  port: number,
  work: Promise<unknown>,
  least_ms: number,
): Promise<Reading> {
  let is_over = false;
  const over = work.finally(() => {
    is_over = true;
  });
  const begun_ms = performance.now();
  const took: number[] = [];
  let failed = 0;
  for (let at = 0; !is_over || performance.now() - begun_ms < least_ms; at++) {
    const from_ms = performance.now();
    const address = `198.18.${(at >> 8) & 255}.${at & 255}`;
    const status = await askOnce(port, PATHS[at % 2] ?? '/hoy', { 'x-forwarded-for': address });
    took.push(performance.now() - from_ms);
    if (status !== 200 && status !== 429) failed++;
    await sleep(PAUSE_MS);
  }
  await over;
  took.sort((a, b) => a - b);
  const of = (share: number): number => Math.round(took[Math.floor(took.length * share)] ?? 0);
  return { count: took.length, failed, middle_ms: of(0.5), late_ms: of(0.95) };
}

export const toWords = (quiet: Reading, now: Reading): string =>
  `reader ${now.middle_ms} ms (quiet ${quiet.middle_ms}), late ${now.late_ms} ms, ${now.failed} of ${now.count} failed`;
