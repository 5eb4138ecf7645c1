// kill -9 while they send, report and decide: what was acknowledged is there, once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { readApplied } from '../../src/inbox/applied.ts';
import { openFixtureInbox, readColumn, readValue } from '../fixtures/inbox.ts';

/** Of building and of the whole service: tests/contract/bad-day.long.test.ts. */
const KILLS = 30;
/** At work on the same inbox at once, as serving processes are. */
const AT_ONCE = 2;
/** A turn of theirs takes some milliseconds, the first some tens. */
const LONGEST_MS = 240;
const { inbox, folder, close } = await openFixtureInbox();
afterAll(close);

const PROGRAM = join(import.meta.dirname, '..', 'fixtures', 'busy-inbox.ts');

async function workAndDie(number: number): Promise<readonly string[]> {
  const args = [PROGRAM, join(folder, 'inbox.db'), String(number)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  await once(child.stdout, 'readable');
  await sleep(Math.random() * LONGEST_MS);
  child.kill('SIGKILL');
  return (await said).split('\n').slice(0, -1);
}

const readTexts = async (sql: string, ...values: readonly string[]) =>
  v.parse(v.array(v.string()), await readColumn(inbox, sql, ...values));

async function look(reference: string): Promise<string> {
  const states = await readTexts('select state from changes where reference = ?', reference);
  const decisions = await readTexts('select action from decisions where subject = ?', reference);
  const published = (await readApplied(inbox)).publications.filter((one) => one.id === reference);
  return [...states, ...decisions, ...published.map(() => 'public')].join(' ');
}

/** How those may stand of whom a word was heard, by the word: more than that may have happened by then. */
const STANDINGS: Readonly<Record<string, readonly string[]>> = {
  sent: ['waiting', 'applied approve public', 'refused reject'],
  approved: ['applied approve public'],
  rejected: ['refused reject'],
  reported: ['waiting', 'applied done', 'refused dismiss'],
  done: ['applied done'],
  dismiss: ['refused dismiss'],
};

const TITLE = `${KILLS} processes killed while they send in, report and decide`;
test(TITLE, { timeout: 120_000 }, async () => {
  const acknowledged = new Map<string, string>();
  for (let first = 0; first < KILLS; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, KILLS - first) }, (_, i) => first + i);
    for (const line of (await Promise.all(numbers.map(workAndDie))).flat()) {
      const [word = '', reference = ''] = line.split(' ');
      acknowledged.set(reference, word);
    }
  }
  expect(acknowledged.size).toBeGreaterThan(2 * KILLS);
  for (const [reference, word] of acknowledged)
    expect(STANDINGS[word], `${word} ${reference}`).toContain(await look(reference));
  const all = await readTexts('select reference from changes');
  const whole = Object.values(STANDINGS).flat();
  for (const reference of all) expect(whole, reference).toContain(await look(reference));
  // At most one a process was on disk and not yet said; each was sent twice and is there once.
  expect(all.length - acknowledged.size).toBeLessThanOrEqual(KILLS);
  const contents = await readTexts("select coalesce(text ->> '$.change', title) from changes");
  expect(new Set(contents).size).toBe(all.length);
  expect(await readValue(inbox, 'pragma integrity_check')).toBe('ok');
});
