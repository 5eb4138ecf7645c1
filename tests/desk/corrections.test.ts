// Corrections of readers in a real inbox: stored once, counted with submissions, decided, undone.
import { readColumn, readRows, makeOldInbox, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendCorrection, submit } from '../../src/desk/propose.ts';
import { FLOOD_AN_HOUR } from '../../src/desk/allowances.ts';
import { getCorrection, getSubmission, countWaiting } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { settleCorrection } from '../fixtures/changes.ts';

let folder: string;
let inbox: Inbox;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-corrections-'));
  inbox = await openInbox(join(folder, 'inbox.db'));
});
afterEach(async () => {
  await inbox.close();
  rmSync(folder, { recursive: true });
});

const ABOUT = { kind: 'event', id: 'ev_abc', title: 'Paseo' } as const;
const ANA = { editor: 'ana', now_ms: NOW_MS };
const send = (
  change: string,
  { sender = '192.0.2.1', now_ms = NOW_MS, about = ABOUT }: Partial<Sending> = {},
) =>
  sendCorrection(inbox, {
    correction: { change, source_url: null, contact_email: 'yo@ejemplo.example' },
    about,
    lang: 'es',
    sender,
    now_ms,
  });
interface Sending {
  readonly sender: string;
  readonly now_ms: number;
  readonly about: typeof ABOUT | { kind: 'venue'; id: string; title: string };
}
const stateOf = async (reference: string) => {
  const stored = await getCorrection(inbox, reference);
  return stored && [stored.state, stored.reason];
};

describe('what a reader sends', () => {
  test('is there after a restart, with what it is about', async () => {
    const { reference } = await send('Empieza a las nueve');
    await inbox.close();
    inbox = await openInbox(join(folder, 'inbox.db'));
    expect(await getCorrection(inbox, reference.toLowerCase())).toMatchObject({
      ...{ reference, kind: ABOUT.kind, thing: ABOUT.id, title: ABOUT.title },
      ...{ asks: 'check', state: 'waiting', reason: null, at: '2026-11-20T12:00:00-05:00' },
      text: {
        ...{ change: 'Empieza a las nueve', source_url: null, lang: 'es' },
        contact_email: 'yo@ejemplo.example',
      },
    });
  });
  test('is one however often it comes, and another one about another thing', async () => {
    const first = await send('Empieza a las nueve');
    expect(await send('Empieza a las nueve', { sender: '198.51.100.7' })).toEqual({
      ...first,
      is_repeat: true,
    });
    await send('Empieza a las nueve', { about: { kind: 'venue', id: 've_abc', title: 'Plaza' } });
    expect((await countWaiting(inbox)).waiting).toBe(2);
  });
  test('is told anew once the same words were decided, with a reference of its own', async () => {
    const { reference } = await send('Empieza a las nueve');
    await settleCorrection(inbox, ANA, reference, 'done', '');
    const again = await send('Empieza a las nueve');
    expect([again.is_repeat, again.reference === reference]).toEqual([false, false]);
    expect((await getCorrection(inbox, again.reference))?.state).toBe('waiting');
  });
  test('counts with the submissions of the same sender, and a repetition does not count', async () => {
    await submit(inbox, {
      submission: SUBMISSION,
      channel: 'form',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    for (let at = 1; at < FLOOD_AN_HOUR.sender; at++) await send(`Cambio número ${at}`);
    await expect(() => send('Uno más, que ya no cabe')).rejects.toThrow(
      /It works again at 13:00 in Cancún/,
    );
    expect((await send('Cambio número 1')).is_repeat).toBe(true);
    expect((await send('Uno más, de otra parte', { sender: '198.51.100.7' })).is_repeat).toBe(
      false,
    );
    expect((await send('Una hora después', { now_ms: NOW_MS + 3_600_001 })).is_repeat).toBe(false);
  });
  test('says nowhere who sent it', async () => {
    await send('Empieza a las nueve', { sender: '203.0.113.77' });
    const tables = await Array.fromAsync(['changes', 'submission_senders'], (table) =>
      readRows(inbox, `select * from ${table}`),
    );
    expect(tables.map((rows) => rows.length)).toEqual([1, 1]);
    expect(JSON.stringify(tables)).not.toContain('203.0.113.77');
  });
});

describe('an editor', () => {
  test('marks it done, once; it stands in the log and is undone from there', async () => {
    const { reference } = await send('Empieza a las nueve');
    await settleCorrection(inbox, ANA, reference.toLowerCase(), 'done', 'Corregido en content/');
    expect(await stateOf(reference)).toEqual(['applied', 'Corregido en content/']);
    await expect(() => settleCorrection(inbox, ANA, reference, 'dismiss', 'Tarde')).rejects.toThrow(
      /does not wait/,
    );
    expect(await listDecisions(inbox, 9)).toMatchObject([
      { editor: 'ana', action: 'done', subject: reference, reason: 'Corregido en content/' },
    ]);
    await undoNewest(inbox, ANA);
    expect(await stateOf(reference)).toEqual(['waiting', null]);
    expect(await listDecisions(inbox, 1)).toMatchObject([{ action: 'undo', subject: reference }]);
  });
  test('dismisses it only with a reason, which may be undone', async () => {
    const { reference } = await send('Empieza a las nueve');
    await expect(() =>
      settleCorrection(inbox, ANA, reference, 'dismiss', ' \u200b '),
    ).rejects.toThrow('no reason');
    await expect(() =>
      settleCorrection(inbox, ANA, reference, 'dismiss', 'x'.repeat(601)),
    ).rejects.toThrow(/at most 600/);
    expect(await stateOf(reference)).toEqual(['waiting', null]);
    await settleCorrection(inbox, ANA, reference, 'dismiss', 'Su página dice lo contrario');
    expect(await stateOf(reference)).toEqual(['refused', 'Su página dice lo contrario']);
    await undoNewest(inbox, ANA);
    expect(await stateOf(reference)).toEqual(['waiting', null]);
  });
  test('is told where there is none', async () => {
    await expect(() => settleCorrection(inbox, ANA, 'HC-222222', 'done', '')).rejects.toThrow(
      /no such submission/,
    );
  });
});

test('an inbox of the version before keeps all and takes corrections', async () => {
  const old = makeOldInbox(join(folder, 'old.db'), 4);
  old
    .prepare(
      "insert into submissions (reference, digest, token_hash, received_at, channel, state, record) values ('HC-222222', 'd', 't', '2026-11-20T12:00:00-05:00', 'form', 'pending', ?)",
    )
    .run(JSON.stringify(SUBMISSION));
  old.close();
  await inbox.close();
  inbox = await openInbox(join(folder, 'old.db'));
  expect((await getSubmission(inbox, 'HC-222222'))?.text).toEqual(SUBMISSION);
  expect((await send('Empieza a las nueve')).reference).toMatch(/^HC-/);
  const asked = await readColumn(inbox, 'select asks from changes order by id');
  expect(asked).toEqual(['publish', 'check']);
});
