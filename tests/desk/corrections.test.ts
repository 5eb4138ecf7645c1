// Corrections of readers in a real inbox: stored once, counted with submissions, decided, undone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendCorrection, settleCorrection } from '../../src/desk/corrections.ts';
import { FLOOD_AN_HOUR } from '../../src/desk/allowances.ts';
import { submit } from '../../src/desk/submit.ts';
import { getCorrection } from '../../src/inbox/corrections.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { countWaiting } from '../../src/inbox/waiting.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { makeOldInbox, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';

let folder: string;
let inbox: Inbox;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-corrections-'));
  inbox = openInbox(join(folder, 'inbox.db'));
});
afterEach(() => {
  inbox.close();
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
const stateOf = (reference: string) => {
  const stored = getCorrection(inbox, reference);
  return stored && [stored.state, stored.reason];
};

describe('what a reader sends', () => {
  test('is there after a restart, with what it is about', () => {
    const { reference } = send('Empieza a las nueve');
    inbox.close();
    inbox = openInbox(join(folder, 'inbox.db'));
    expect(getCorrection(inbox, reference.toLowerCase())).toEqual({
      reference,
      about: ABOUT,
      lang: 'es',
      state: 'pending',
      reason: null,
      received_at: '2026-11-20T12:00:00-05:00',
      change: 'Empieza a las nueve',
      source_url: null,
      contact_email: 'yo@ejemplo.example',
    });
  });
  test('is one however often it comes, and another one about another thing', () => {
    const first = send('Empieza a las nueve');
    expect(send('Empieza a las nueve', { sender: '198.51.100.7' })).toEqual({
      ...first,
      is_repeat: true,
    });
    send('Empieza a las nueve', { about: { kind: 'venue', id: 've_abc', title: 'Plaza' } });
    expect(countWaiting(inbox).waiting).toBe(2);
  });
  test('is told anew once the same words were decided, with a reference of its own', () => {
    const { reference } = send('Empieza a las nueve');
    settleCorrection(inbox, ANA, reference, 'done', '');
    const again = send('Empieza a las nueve');
    expect([again.is_repeat, again.reference === reference]).toEqual([false, false]);
    expect(getCorrection(inbox, again.reference)?.state).toBe('pending');
  });
  test('counts with the submissions of the same sender, and a repetition does not count', () => {
    submit(inbox, { submission: SUBMISSION, channel: 'form', sender: '192.0.2.1', now_ms: NOW_MS });
    for (let at = 1; at < FLOOD_AN_HOUR.sender; at++) send(`Cambio número ${at}`);
    expect(() => send('Uno más, que ya no cabe')).toThrow(/It works again at 13:00 in Cancún/);
    expect(send('Cambio número 1').is_repeat).toBe(true);
    expect(send('Uno más, de otra parte', { sender: '198.51.100.7' }).is_repeat).toBe(false);
    expect(send('Una hora después', { now_ms: NOW_MS + 3_600_001 }).is_repeat).toBe(false);
  });
  test('says nowhere who sent it', () => {
    send('Empieza a las nueve', { sender: '203.0.113.77' });
    const tables = ['changes', 'submission_senders'].map((table) =>
      JSON.stringify(inbox.prepare(`select * from ${table}`).all()),
    );
    expect(tables.join()).not.toContain('203.0.113.77');
  });
});

describe('an editor', () => {
  test('marks it done, once; it stands in the log and is undone from there', () => {
    const { reference } = send('Empieza a las nueve');
    settleCorrection(inbox, ANA, reference.toLowerCase(), 'done', 'Corregido en content/');
    expect(stateOf(reference)).toEqual(['done', 'Corregido en content/']);
    expect(() => settleCorrection(inbox, ANA, reference, 'dismiss', 'Tarde')).toThrow(/not wait/);
    expect(listDecisions(inbox, 9)).toMatchObject([
      { editor: 'ana', action: 'done', subject: reference, reason: 'Corregido en content/' },
    ]);
    undoNewest(inbox, ANA);
    expect(stateOf(reference)).toEqual(['pending', null]);
    expect(listDecisions(inbox, 1)).toMatchObject([{ action: 'undo', subject: reference }]);
  });
  test('dismisses it only with a reason, which may be undone', () => {
    const { reference } = send('Empieza a las nueve');
    expect(() => settleCorrection(inbox, ANA, reference, 'dismiss', ' \u200b ')).toThrow(/reason/);
    expect(() => settleCorrection(inbox, ANA, reference, 'dismiss', 'x'.repeat(401))).toThrow(
      /at most 400/,
    );
    expect(stateOf(reference)).toEqual(['pending', null]);
    settleCorrection(inbox, ANA, reference, 'dismiss', 'Su página dice lo contrario');
    expect(stateOf(reference)).toEqual(['dismissed', 'Su página dice lo contrario']);
    undoNewest(inbox, ANA);
    expect(stateOf(reference)).toEqual(['pending', null]);
  });
  test('is told where there is none', () => {
    expect(() => settleCorrection(inbox, ANA, 'HC-222222', 'done', '')).toThrow(/no such/);
  });
});

test('an inbox of the version before keeps all and takes corrections', () => {
  const old = makeOldInbox(join(folder, 'old.db'), 4);
  old
    .prepare(
      "insert into submissions (reference, digest, token_hash, received_at, channel, state, record) values ('HC-222222', 'd', 't', '2026-11-20T12:00:00-05:00', 'form', 'pending', ?)",
    )
    .run(JSON.stringify(SUBMISSION));
  old.close();
  inbox.close();
  inbox = openInbox(join(folder, 'old.db'));
  expect(getSubmission(inbox, 'HC-222222')?.submission).toEqual(SUBMISSION);
  expect(send('Empieza a las nueve').reference).toMatch(/^HC-/);
  const asked = inbox.prepare('select asks from changes order by id').pluck().all();
  expect(asked).toEqual(['publish', 'check']);
});
