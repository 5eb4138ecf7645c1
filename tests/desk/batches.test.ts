// A calendar that is brought in: compared with what is there, sent as one, brought again without
// doubling, decided as one and undone as one (contract 14.34 to 14.36).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveBatch, listWaiting, refuseBatch } from '../../src/desk/batch-review.ts';
import { listSent } from '../../src/desk/batch-sent.ts';
import { getBatchByToken, openBatch } from '../../src/desk/batches.ts';
import { toKnown } from '../../src/desk/known.ts';
import { sendBatch, withdrawBatch } from '../../src/desk/send-batch.ts';
import { correct } from '../../src/desk/submit.ts';
import { undo } from '../../src/desk/decide.ts';
import { BATCH_LIMITS, type StoredBatch } from '../../src/domain/batch/batch.ts';
import { countWaiting, listWaiting as listQueue } from '../../src/inbox/waiting.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listPublications } from '../../src/inbox/submissions.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import {
  bring as bringIn,
  FORTY,
  getBatch,
  send as sendIt,
  toCalendar,
  toEvent,
} from '../fixtures/calendars.ts';
import { ADDED, openFixtureInbox, sendIn } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS, openFixture } from '../fixtures/fixture.ts';

let town: ReturnType<typeof openFixture>;
let opened: ReturnType<typeof openFixtureInbox>;
beforeAll(() => {
  town = openFixture();
});
afterAll(() => town.close());
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const bring = (bytes: Buffer, sender?: string, token?: string): string =>
  bringIn({ ...opened, snapshot: town.snapshot }, bytes, sender, token);
const send = (token: string): string => sendIt({ ...opened, snapshot: town.snapshot }, token);
const get = (token: string): StoredBatch => getBatch(opened.inbox, token);

const standingsOf = (token: string): Record<string, string> =>
  Object.fromEntries(get(token).draft?.rows.map((r) => [r.event.title, r.standing]) ?? []);

const choose = (token: string, only: (title: string) => boolean = () => true, edits = ADDED) =>
  listWaiting(opened.inbox, get(token))
    .filter(({ submission }) => only(submission.title))
    .map(({ reference, revision }) => ({ reference, revision, edits }));

describe('brought in', () => {
  test('forty are sent under one reference and counted as one', () => {
    const token = bring(toCalendar(...FORTY));
    expect(send(token)).toMatch(/^HC-/);
    expect(listSent(opened.inbox, get(token)).length).toBe(40);
    const [item, ...others] = listQueue(opened.inbox);
    expect([item?.kind, item?.title, item?.starts.length, others]).toEqual([
      'batch',
      'Ciclo',
      40,
      [],
    ]);
    const counted = opened.inbox.prepare('select count(*) from submission_senders').pluck().get();
    expect(counted).toBe(1);
    expect(countWaiting(opened.inbox).waiting).toBe(1);
  });

  test('what is in the agenda, what waits and what came with another calendar is there already', () => {
    sendIn(opened.inbox, { title: 'Noche de salsa', venue_name: 'Foro Nuevo' });
    send(bring(toCalendar(toEvent('Función 1', 3))));
    const token = bring(
      toCalendar(
        toEvent('Noche de salsa', 5),
        toEvent('Función 1', 9),
        toEvent('Otra', 5),
        'BEGIN:VEVENT\nUID:x\nSUMMARY:Concierto único\nDTSTART:20261205T200000\nEND:VEVENT\n',
      ),
      '198.51.100.8',
    );
    expect(standingsOf(token)).toMatchObject({
      'Noche de salsa': 'known',
      'Función 1': 'known',
      Otra: 'new',
    });
  });

  test('a stranger who brings it again sends nothing of it a second time', () => {
    send(bring(toCalendar(...FORTY)));
    const again = bring(toCalendar(...FORTY), '203.0.113.9');
    expect(new Set(Object.values(standingsOf(again)))).toEqual(new Set(['known']));
  });

  test('brought again by its own address: same, changed, called off, gone', () => {
    const token = bring(
      toCalendar(toEvent('A a', 1), toEvent('B b', 2), toEvent('C c', 3), toEvent('D d', 4)),
    );
    const reference = send(token);
    bring(
      toCalendar(
        toEvent('A a', 1),
        toEvent('B b', 9),
        toEvent('C c', 3, 'STATUS:CANCELLED\n'),
        toEvent('E e', 5),
      ),
      '198.51.100.7',
      token,
    );
    expect(standingsOf(token)).toEqual({
      'A a': 'same',
      'B b': 'changed',
      'C c': 'cancelled',
      'E e': 'new',
    });
    expect(get(token).draft?.gone.length).toBe(1);
    expect(send(token)).toBe(reference);
    const sent = listSent(opened.inbox, get(token)).map(({ stored }) => stored);
    expect(sent.map(({ submission, revision }) => [submission.title, revision])).toEqual([
      ['A a', 1],
      ['B b', 2],
      ['C c', 1],
      ['D d', 1],
      ['E e', 1],
    ]);
    expect(sent[1]?.submission.start).toBe('2026-12-09T20:00');
  });

  test('what is chosen from is forgotten after a day, and few of one address are kept', () => {
    const tokens = Array.from({ length: BATCH_LIMITS.drafts_of_sender + 1 }, () =>
      bring(toCalendar(toEvent('A a', 1))),
    );
    expect(getBatchByToken(opened.inbox, tokens[0] ?? '')).toBeNull();
    const late = openBatch(opened.inbox, town.snapshot, {
      bytes: toCalendar(toEvent('A a', 1)),
      url: null,
      lang: 'es',
      sender: '203.0.113.1',
      now_ms: NOW_MS + BATCH_LIMITS.draft_ms + 1,
    });
    expect('token' in late).toBe(true);
    expect(getBatchByToken(opened.inbox, tokens.at(-1) ?? '')).toBeNull();
  });

  test('what waits is taken back at once', () => {
    const token = bring(toCalendar(toEvent('A a', 1), toEvent('B b', 2)));
    send(token);
    const [first] = choose(token, (title) => title === 'A a');
    approveBatch(opened.inbox, toKnown(town.snapshot), ANA, get(token), first ? [first] : []);
    expect(withdrawBatch(opened.inbox, get(token))).toBe(1);
    expect(listSent(opened.inbox, get(token)).map(({ stored }) => stored.state)).toEqual([
      'approved',
      'withdrawn',
    ]);
  });
});

describe('decided', () => {
  const approve = (token: string, chosen = choose(token)) =>
    approveBatch(opened.inbox, toKnown(town.snapshot), ANA, get(token), chosen);

  test('all are approved by one decision, which is undone as one', () => {
    const token = bring(toCalendar(...FORTY));
    const reference = send(token);
    expect(approve(token)).toMatchObject({ left: new Map() });
    expect(listPublications(opened.inbox).length).toBe(40);
    const [last] = listDecisions(opened.inbox, 9);
    expect(last).toMatchObject({ action: 'approve', subject: reference });
    undo(opened.inbox, last?.id ?? 0, ANA);
    expect(listPublications(opened.inbox)).toEqual([]);
    expect(listWaiting(opened.inbox, get(token)).length).toBe(40);
  });

  test('what an editor added to one is there again when its sender corrects it', () => {
    const token = bring(toCalendar(toEvent('A a', 1)));
    send(token);
    approve(token);
    const [sent] = listSent(opened.inbox, get(token));
    const { reference = '', submission } = sent?.stored ?? {};
    if (submission === undefined) throw new Error('nothing was sent');
    const later = { ...submission, start: '2026-12-01T21:00' };
    correct(opened.inbox, { reference, now_ms: NOW_MS, submission: later });
    const stored = getSubmission(opened.inbox, reference);
    expect(stored).toMatchObject({ asks: 'change', draft: ADDED });
  });

  test('one that cannot be published keeps no other from it', () => {
    const token = bring(toCalendar(...FORTY));
    send(token);
    const [bad, ...good] = choose(token);
    if (bad === undefined) throw new Error('nothing waits');
    const { approved, left } = approve(token, [
      { ...bad, edits: { ...ADDED, summary: 'x'.repeat(2_000) } },
      ...good,
    ]);
    expect([approved.length, [...left.keys()]]).toEqual([39, [bad.reference]]);
    expect(listWaiting(opened.inbox, get(token)).map((one) => one.reference)).toEqual([
      bad.reference,
    ]);
  });

  test('some are approved, the rest sent back with a reason that their sender reads', () => {
    const token = bring(toCalendar(toEvent('A a', 1), toEvent('B b', 2), toEvent('C c', 3)));
    send(token);
    const batch = get(token);
    approve(
      token,
      choose(token, (title) => title === 'A a'),
    );
    expect(() => refuseBatch(opened.inbox, ANA, batch, choose(token), 'reject', ' ')).toThrow(
      'say why',
    );
    refuseBatch(opened.inbox, ANA, batch, choose(token), 'reject', 'No es de aquí.');
    const states = listSent(opened.inbox, batch).map(({ stored }) => [stored.state, stored.reason]);
    expect(states).toEqual([
      ['approved', null],
      ['rejected', 'No es de aquí.'],
      ['rejected', 'No es de aquí.'],
    ]);
  });

  test('not where one has changed since it was looked at', () => {
    const token = bring(toCalendar(toEvent('A a', 1), toEvent('B b', 2)));
    send(token);
    const looked = choose(token);
    bring(toCalendar(toEvent('A a', 1), toEvent('B b', 9)), '198.51.100.7', token);
    send(token);
    expect(() => approve(token, looked)).toThrow('changed one meanwhile');
    expect(() => approve(token, [])).toThrow('at least one');
    expect(listPublications(opened.inbox)).toEqual([]);
  });

  test('an event that was called off in its calendar once it is published is asked to be', () => {
    const token = bring(toCalendar(toEvent('A a', 1)));
    send(token);
    approve(token);
    bring(toCalendar(toEvent('A a', 1, 'STATUS:CANCELLED\n')), '198.51.100.7', token);
    const [row] = get(token).draft?.rows ?? [];
    if (row === undefined) throw new Error('nothing was read');
    sendBatch(opened.inbox, {
      batch: get(token),
      chosen: [{ row, submission: null }],
      choices: {},
      cancelled_message: 'Cancelado en su calendario.',
      sender: '198.51.100.7',
      now_ms: NOW_MS,
    });
    expect(getSubmission(opened.inbox, row.reference ?? '')).toMatchObject({
      state: 'pending',
      asks: 'cancel',
      message: 'Cancelado en su calendario.',
    });
    expect(listQueue(opened.inbox).map(({ kind }) => kind)).toEqual(['request']);
    expect(countWaiting(opened.inbox).waiting).toBe(1);
  });
});
