// A calendar that is brought in: compared with what is there, sent as one, brought again without
// doubling, decided as one and undone as one (contract 14.34 to 14.35).
import { ADDED, ANA, inbox, readValue, sendIn, useInbox } from '../fixtures/inbox.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listWaiting } from '../../src/desk/review.ts';
import { listSent, getBatchByToken } from '../../src/inbox/batches.ts';
import { openBatch, sendBatch, takeBackBatch } from '../../src/desk/batches.ts';
import { toKnown } from '../../src/desk/known.ts';
import { correct } from '../../src/desk/propose.ts';
import { undo } from '../../src/desk/decide.ts';
import { countWaiting, listWaiting as listQueue, getSubmission } from '../../src/inbox/changes.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { BATCH_LIMITS, type StoredBatch } from '../../src/domain/batch.ts';
import {
  bring as bringIn,
  FORTY,
  getBatch,
  send as sendIt,
  toCalendar,
  toEvent,
} from '../fixtures/calendars.ts';
import { FRIDAY_NOON_MS as NOW_MS, openFixture } from '../fixtures/fixture.ts';
import { approveBatch, refuseBatch } from '../fixtures/changes.ts';

let town: ReturnType<typeof openFixture>;
beforeAll(() => {
  town = openFixture();
});
afterAll(() => town.close());
useInbox();

const bring = (bytes: Buffer, sender?: string, token?: string): Promise<string> =>
  bringIn({ inbox, snapshot: town.snapshot }, bytes, sender, token);
const send = (token: string): Promise<string> => sendIt({ inbox, snapshot: town.snapshot }, token);
const get = (token: string): Promise<StoredBatch> => getBatch(inbox, token);

const standingsOf = async (token: string): Promise<Record<string, string>> =>
  Object.fromEntries((await get(token)).draft?.rows.map((r) => [r.event.title, r.standing]) ?? []);

const choose = async (
  token: string,
  only: (title: string) => boolean = () => true,
  edits = ADDED,
) =>
  (await listWaiting(inbox, await get(token)))
    .filter(({ title }) => only(title))
    .map(({ reference, revision }) => ({ reference, revision, edits }));

test('what waits of a calendar that is not kept any more waits by itself', async () => {
  const token = await bring(toCalendar(...FORTY.slice(0, 2)));
  await send(token);
  await inbox.db.deleteFrom('batches').execute();
  expect((await listQueue(inbox)).map(({ kind }) => kind)).toEqual(['new', 'new']);
});

describe('brought in', () => {
  test('forty are sent under one reference and counted as one', async () => {
    const token = await bring(toCalendar(...FORTY));
    expect(await send(token)).toMatch(/^HC-/);
    expect((await listSent(inbox, await get(token))).length).toBe(40);
    const [item, ...others] = await listQueue(inbox);
    expect([item?.kind, item?.title, item?.starts.length, others]).toEqual([
      'batch',
      'Ciclo',
      40,
      [],
    ]);
    const counted = await readValue(inbox, 'select count(*) from submission_senders');
    expect(counted).toBe(1);
    expect((await countWaiting(inbox)).waiting).toBe(1);
  });

  test('sent by a button that is pressed twice, they are sent once', async () => {
    const token = await bring(toCalendar(...FORTY));
    const [one, two] = await Promise.all([send(token), send(token)]);
    expect(two).toBe(one);
    expect((await get(token)).reference).toBe(one);
    expect(await readValue(inbox, 'select count(*) from submission_senders')).toBe(1);
  });

  test('what is in the agenda, what waits and what came with another calendar is there already', async () => {
    await sendIn(inbox, { title: 'Noche de salsa', venue_name: 'Foro Nuevo' });
    await send(await bring(toCalendar(toEvent('Función 1', 3))));
    const token = await bring(
      toCalendar(
        toEvent('Noche de salsa', 5),
        toEvent('Función 1', 9),
        toEvent('Otra', 5),
        'BEGIN:VEVENT\nUID:x\nSUMMARY:Concierto único\nDTSTART:20261205T200000\nEND:VEVENT\n',
      ),
      '198.51.100.8',
    );
    expect(await standingsOf(token)).toMatchObject({
      'Noche de salsa': 'known',
      'Función 1': 'known',
      Otra: 'new',
    });
  });

  test('a stranger who brings it again sends nothing of it a second time', async () => {
    await send(await bring(toCalendar(...FORTY)));
    const again = await bring(toCalendar(...FORTY), '203.0.113.9');
    expect(new Set(Object.values(await standingsOf(again)))).toEqual(new Set(['known']));
  });

  test('brought again by its own address: same, changed, called off, gone', async () => {
    const token = await bring(
      toCalendar(toEvent('A a', 1), toEvent('B b', 2), toEvent('C c', 3), toEvent('D d', 4)),
    );
    const reference = await send(token);
    await bring(
      toCalendar(
        toEvent('A a', 1),
        toEvent('B b', 9),
        toEvent('C c', 3, 'STATUS:CANCELLED\n'),
        toEvent('E e', 5),
      ),
      '198.51.100.7',
      token,
    );
    expect(await standingsOf(token)).toEqual({
      'A a': 'same',
      'B b': 'changed',
      'C c': 'cancelled',
      'E e': 'new',
    });
    expect((await get(token)).draft?.gone.length).toBe(1);
    expect(await send(token)).toBe(reference);
    const sent = (await listSent(inbox, await get(token))).map(({ stored }) => stored);
    expect(sent.map(({ title, revision }) => [title, revision])).toEqual([
      ['A a', 1],
      ['B b', 2],
      ['C c', 1],
      ['D d', 1],
      ['E e', 1],
    ]);
    expect(sent[1]?.text.start).toBe('2026-12-09T20:00');
  });

  test('what is chosen from is forgotten after a day, and few of one address are kept', async () => {
    const tokens = await Array.fromAsync(Array(BATCH_LIMITS.drafts_of_sender + 1).keys(), () =>
      bring(toCalendar(toEvent('A a', 1))),
    );
    expect(await getBatchByToken(inbox, tokens[0] ?? '')).toBeNull();
    const late = await openBatch(inbox, town.snapshot, {
      bytes: toCalendar(toEvent('A a', 1)),
      url: null,
      lang: 'es',
      sender: '203.0.113.1',
      now_ms: NOW_MS + BATCH_LIMITS.draft_ms + 1,
    });
    expect('token' in late).toBe(true);
    expect(await getBatchByToken(inbox, tokens.at(-1) ?? '')).toBeNull();
  });

  test('what waits is taken back at once', async () => {
    const token = await bring(toCalendar(toEvent('A a', 1), toEvent('B b', 2)));
    await send(token);
    const [first] = await choose(token, (title) => title === 'A a');
    await approveBatch(inbox, toKnown(town.snapshot), ANA, await get(token), first ? [first] : []);
    expect(await takeBackBatch(inbox, await get(token))).toBe(1);
    expect((await listSent(inbox, await get(token))).map(({ stored }) => stored.state)).toEqual([
      'applied',
      'taken_back',
    ]);
  });
});

describe('decided', () => {
  const approve = async (token: string, chosen?: Awaited<ReturnType<typeof choose>>) =>
    approveBatch(
      inbox,
      toKnown(town.snapshot),
      ANA,
      await get(token),
      chosen ?? (await choose(token)),
    );

  test('all are approved by one decision, which is undone as one', async () => {
    const token = await bring(toCalendar(...FORTY));
    const reference = await send(token);
    expect(await approve(token)).toMatchObject({ left: new Map() });
    expect((await readApplied(inbox)).publications.length).toBe(40);
    const [last] = await listDecisions(inbox, 9);
    expect(last).toMatchObject({ action: 'approve', subject: reference });
    await undo(inbox, last?.id ?? 0, ANA);
    expect((await readApplied(inbox)).publications).toEqual([]);
    expect((await listWaiting(inbox, await get(token))).length).toBe(40);
  });

  test('what an editor added to one is there again when its sender corrects it', async () => {
    const token = await bring(toCalendar(toEvent('A a', 1)));
    await send(token);
    await approve(token);
    const [sent] = await listSent(inbox, await get(token));
    const { reference = '', text } = sent?.stored ?? {};
    if (text === undefined) throw new Error('nothing was sent');
    const later = { ...text, start: '2026-12-01T21:00' };
    await correct(inbox, { reference, now_ms: NOW_MS, submission: later });
    const stored = await getSubmission(inbox, reference);
    expect(stored).toMatchObject({ asks: 'edit', draft: ADDED });
  });

  test('one that cannot be published keeps no other from it', async () => {
    const token = await bring(toCalendar(...FORTY));
    await send(token);
    const [bad, ...good] = await choose(token);
    if (bad === undefined) throw new Error('nothing waits');
    const { approved, left } = await approve(token, [
      { ...bad, edits: { ...ADDED, summary: 'x'.repeat(2_000) } },
      ...good,
    ]);
    expect([approved.length, [...left.keys()]]).toEqual([39, [bad.reference]]);
    expect((await listWaiting(inbox, await get(token))).map((one) => one.reference)).toEqual([
      bad.reference,
    ]);
  });

  test('some are approved, the rest sent back with a reason that their sender reads', async () => {
    const token = await bring(toCalendar(toEvent('A a', 1), toEvent('B b', 2), toEvent('C c', 3)));
    await send(token);
    const batch = await get(token);
    await approve(token, await choose(token, (title) => title === 'A a'));
    await expect(async () =>
      refuseBatch(inbox, ANA, batch, await choose(token), 'reject', ' '),
    ).rejects.toThrow('no words');
    await refuseBatch(inbox, ANA, batch, await choose(token), 'reject', 'No es de aquí.');
    const states = (await listSent(inbox, batch)).map(({ stored }) => [
      stored.state,
      stored.reason,
    ]);
    expect(states).toEqual([
      ['applied', null],
      ['refused', 'No es de aquí.'],
      ['refused', 'No es de aquí.'],
    ]);
  });

  test('not where one has changed since it was looked at', async () => {
    const token = await bring(toCalendar(toEvent('A a', 1), toEvent('B b', 2)));
    await send(token);
    const looked = await choose(token);
    await bring(toCalendar(toEvent('A a', 1), toEvent('B b', 9)), '198.51.100.7', token);
    await send(token);
    await expect(() => approve(token, looked)).rejects.toThrow('text changed');
    await expect(() => approve(token, [])).rejects.toThrow('at least one');
    expect((await readApplied(inbox)).publications).toEqual([]);
  });

  test('an event that was called off in its calendar once it is published is asked to be', async () => {
    const token = await bring(toCalendar(toEvent('A a', 1)));
    await send(token);
    await approve(token);
    await bring(toCalendar(toEvent('A a', 1, 'STATUS:CANCELLED\n')), '198.51.100.7', token);
    const [row] = (await get(token)).draft?.rows ?? [];
    if (row === undefined) throw new Error('nothing was read');
    await sendBatch(inbox, {
      batch: await get(token),
      chosen: [{ row, submission: null }],
      choices: {},
      cancelled_message: 'Cancelado en su calendario.',
      sender: '198.51.100.7',
      now_ms: NOW_MS,
    });
    expect(await getSubmission(inbox, row.reference ?? '')).toMatchObject({
      state: 'waiting',
      asks: 'cancel',
      message: 'Cancelado en su calendario.',
    });
    expect((await listQueue(inbox)).map(({ kind }) => kind)).toEqual(['request']);
    expect((await countWaiting(inbox)).waiting).toBe(1);
  });
});
