// kill -9 at random moments of sending in, reporting what has changed and deciding: what was
// acknowledged is there, once; the rest is whole or was never there.
import { readColumn, readValue } from '../fixtures/inbox.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { listPublications } from '../../src/inbox/submissions.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';

/** Of building and of the whole service: tests/contract/bad-day.long.test.ts. */
const KILLS = 85;
/** At work on the same inbox at once, as serving processes are. */
const AT_ONCE = 2;
/** A turn of theirs takes some milliseconds, the first some tens. */
const LONGEST_MS = 240;
const opened = await openFixtureInbox();
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
async function look(reference: string): Promise<v.InferOutput<typeof RowSchema> | undefined> {
  const state = await readValue(
    opened.inbox,
    'select state from changes where reference = ?',
    reference,
  );
  if (state === undefined) return undefined;
  const decisions = await readColumn(
    opened.inbox,
    'select action from decisions where subject = ?',
    reference,
  );
  return v.parse(RowSchema, {
    state,
    decisions,
    is_public: (await listPublications(opened.inbox)).some((one) => one.reference === reference),
  });
}

const readRows = async <S extends v.GenericSchema>(schema: S, sql: string, ...params: string[]) =>
  v.parse(schema, await readColumn(opened.inbox, sql, ...params));

/** How a reader's correction stands; undefined where there is none. */
async function lookAtCorrection(reference: string): Promise<string | undefined> {
  const states = await readRows(
    v.array(v.string()),
    'select state from changes where reference = ?',
    reference,
  );
  const decisions = await readRows(
    v.array(v.string()),
    'select action from decisions where subject = ?',
    reference,
  );
  return states.length === 0 ? undefined : [...states, ...decisions].join(' ');
}
const WHOLE_CORRECTION: Readonly<Record<string, string>> = {
  reported: 'waiting',
  done: 'applied done',
  dismiss: 'refused dismiss',
};

const WHOLE = {
  pending: { state: 'waiting', decisions: [], is_public: false },
  approved: { state: 'applied', decisions: ['approve'], is_public: true },
  rejected: { state: 'refused', decisions: ['reject'], is_public: false },
} as const;

test(`${KILLS} processes killed while they send in, report and decide`, {
  timeout: 200_000,
}, async () => {
  const acknowledged = new Map<string, string>();
  const reported = new Map<string, string>();
  for (let round = 0; round * AT_ONCE < KILLS; round += 1) {
    const numbers = Array.from(
      { length: Math.min(AT_ONCE, KILLS - round * AT_ONCE) },
      (_, i) => round * AT_ONCE + i,
    );
    for (const line of (await Promise.all(numbers.map(workAndDie))).flat()) {
      const [what = '', reference = ''] = line.split(' ');
      (what in WHOLE_CORRECTION ? reported : acknowledged).set(reference, what);
    }
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  for (const [reference, what] of acknowledged) {
    // What nobody was told may have happened too: killed between the disk and the word.
    const accepted =
      what === 'sent'
        ? Object.values(WHOLE)
        : [what === 'approved' ? WHOLE.approved : WHOLE.rejected];
    expect(accepted, `${what} ${reference}`).toContainEqual(await look(reference));
  }
  const all = v.parse(
    v.array(v.string()),
    await readColumn(opened.inbox, "select reference from changes where asks = 'publish'"),
  );
  for (const reference of all)
    expect(Object.values(WHOLE), reference).toContainEqual(await look(reference));
  // At most one a process was on disk and not yet said; each was sent twice and is there once.
  expect(all.length - acknowledged.size).toBeLessThanOrEqual(KILLS);
  expect(
    new Set(await readColumn(opened.inbox, "select title from changes where asks = 'publish'"))
      .size,
  ).toBe(all.length);
  await checkCorrections(reported);
  expect(await readValue(opened.inbox, 'pragma integrity_check')).toBe('ok');
});

/** What readers were told is there, whole and once. */
async function checkCorrections(reported: ReadonlyMap<string, string>): Promise<void> {
  expect(reported.size).toBeGreaterThan(KILLS / 2);
  const whole = Object.values(WHOLE_CORRECTION);
  for (const [reference, what] of reported)
    expect(
      what === 'reported' ? whole : [WHOLE_CORRECTION[what]],
      `${what} ${reference}`,
    ).toContain(await lookAtCorrection(reference));
  const all = await readRows(
    v.array(v.string()),
    "select reference from changes where asks = 'check'",
  );
  for (const reference of all)
    expect(whole, reference).toContain(await lookAtCorrection(reference));
  expect(all.length - reported.size).toBeLessThanOrEqual(KILLS);
  const texts = await readRows(
    v.array(v.string()),
    "select text ->> '$.change' from changes where asks = 'check'",
  );
  expect(new Set(texts).size).toBe(all.length);
}
