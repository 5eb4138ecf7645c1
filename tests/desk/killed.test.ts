// kill -9 at random moments of sending in and deciding: what was acknowledged is there, once; the
// rest is whole or was never there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { openFixtureInbox } from '../fixtures/inbox.ts';

/** With those of building and of the whole service (tests/contract/chaos.test.ts) a hundred. */
const KILLS = 85;
/** At work on the same inbox at once, as serving processes are. */
const AT_ONCE = 2;
/** A turn of theirs takes some milliseconds. */
const LONGEST_MS = 60;
const opened = openFixtureInbox();
afterAll(() => opened.close());

const PROGRAM = join(import.meta.dirname, '..', 'fixtures', 'busy-inbox.ts');

/**
 * Lets one work until a random moment after its first word; gives what it acknowledged, a line
 * each.
 */
async function workAndDie(number: number): Promise<readonly string[]> {
  const child = spawn(
    process.execPath,
    [PROGRAM, join(opened.folder, 'inbox.db'), String(number)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = text(child.stdout);
  await once(child.stdout, 'readable');
  await new Promise((done) => {
    setTimeout(done, Math.random() * LONGEST_MS);
  });
  child.kill('SIGKILL');
  return (await said).split('\n').slice(0, -1);
}

const RowSchema = v.object({
  state: v.string(),
  decisions: v.array(v.string()),
  is_public: v.boolean(),
});

/** How a reference stands; undefined where there is none. */
function look(reference: string): v.InferOutput<typeof RowSchema> | undefined {
  const state = opened.inbox
    .prepare('select state from submissions where reference = ?')
    .pluck()
    .get(reference);
  if (state === undefined) return undefined;
  const decisions = opened.inbox
    .prepare('select action from decisions where subject = ?')
    .pluck()
    .all(reference);
  return v.parse(RowSchema, {
    state,
    decisions,
    is_public:
      opened.inbox.prepare('select 1 from publications where reference = ?').get(reference) !==
      undefined,
  });
}

const WHOLE = {
  pending: { state: 'pending', decisions: [], is_public: false },
  approved: { state: 'approved', decisions: ['approve'], is_public: true },
  rejected: { state: 'rejected', decisions: ['reject'], is_public: false },
} as const;

test(`${KILLS} processes killed while they send in and decide`, { timeout: 200_000 }, async () => {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round * AT_ONCE < KILLS; round += 1) {
    const numbers = Array.from(
      { length: Math.min(AT_ONCE, KILLS - round * AT_ONCE) },
      (_, i) => round * AT_ONCE + i,
    );
    for (const line of (await Promise.all(numbers.map(workAndDie))).flat()) {
      const [what = '', reference = ''] = line.split(' ');
      acknowledged.set(reference, what);
    }
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  for (const [reference, what] of acknowledged) {
    // What nobody was told may have happened too: killed between the disk and the word.
    const accepted =
      what === 'sent'
        ? Object.values(WHOLE)
        : [what === 'approved' ? WHOLE.approved : WHOLE.rejected];
    expect(accepted, `${what} ${reference}`).toContainEqual(look(reference));
  }
  const all = v.parse(
    v.array(v.string()),
    opened.inbox.prepare('select reference from submissions').pluck().all(),
  );
  for (const reference of all)
    expect(Object.values(WHOLE), reference).toContainEqual(look(reference));
  // At most one a process was on disk and not yet said; each was sent twice and is there once.
  expect(all.length - acknowledged.size).toBeLessThanOrEqual(KILLS);
  expect(
    new Set(
      opened.inbox.prepare("select json_extract(record, '$.title') from submissions").pluck().all(),
    ).size,
  ).toBe(all.length);
  expect(opened.inbox.pragma('integrity_check', { simple: true })).toBe('ok');
});
