// A calendar's letters over a real SMTP server: one for all of its events, with a private address that is
// stored nowhere (contract 14.24, 14.35).
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveBatch, listWaiting, refuseBatch } from '../../src/desk/batch-review.ts';
import { listSent, readBatchEmail, readBatchToken } from '../../src/desk/batch-sent.ts';
import { erase, forgetDue } from '../../src/desk/forget.ts';
import { toKnown } from '../../src/desk/known.ts';
import { toStopKey } from '../../src/desk/mail.ts';
import { sendBatch } from '../../src/desk/send-batch.ts';
import { toDigest, toToken } from '../../src/desk/secret.ts';
import { getSubmissionByToken } from '../../src/desk/submit.ts';
import { beginRun } from '../../src/inbox/letters.ts';
import { getDigest } from '../../src/inbox/submissions.ts';
import {
  bring,
  CHOICES,
  FORTY,
  getBatch,
  send,
  toCalendar,
  toEvent,
} from '../fixtures/calendars.ts';
import { FRIDAY_NOON_MS as NOW_MS, openFixture } from '../fixtures/fixture.ts';
import { ADDED, openFixtureInbox, undoNewest } from '../fixtures/inbox.ts';
import { openMailer, type TestMailer, toRelease } from '../fixtures/mailer.ts';
import { readBody, readHeader, startSmtp, type TestSmtp } from '../fixtures/smtp-server.ts';

const EMAIL = 'privado@ejemplo.example';
let smtp: TestSmtp;
let town: ReturnType<typeof openFixture>;
beforeAll(async () => {
  town = openFixture();
  smtp = await startSmtp();
});
afterAll(async () => {
  town.close();
  await smtp.stop();
});
let opened: ReturnType<typeof openFixtureInbox>;
let mailer: TestMailer;
beforeEach(() => {
  opened = openFixtureInbox();
  smtp.received.length = 0;
  mailer = openMailer(opened.inbox, smtp.url);
  for (const kind of ['digest', 'reminder'] as const) beginRun(opened.inbox, kind, '2026-11-20');
});
afterEach(() => opened.close());

const get = (token: string) => getBatch(opened.inbox, token);
const at = () => ({ inbox: opened.inbox, snapshot: town.snapshot });

/** Brings events in and sends them with an e-mail; gives the token. */
function sendIn(...events: readonly string[]): string {
  const token = bring(at(), toCalendar(...events));
  send(at(), token, { ...CHOICES, contact_email: EMAIL });
  return token;
}
const choose = (token: string, only: (title: string) => boolean = () => true) =>
  listWaiting(opened.inbox, get(token))
    .filter(({ submission }) => only(submission.title))
    .map(({ reference, revision }) => ({ reference, revision, edits: ADDED }));
const ana = () => ({ editor: 'ana', now_ms: mailer.now_ms });
/** What came since, subject and text of each. */
function takeLetters(): readonly (readonly [string, string])[] {
  return smtp.received
    .splice(0)
    .map((letter) => [readHeader(letter, 'Subject'), readBody(letter)] as const);
}

describe('its addresses', () => {
  const links = (token: string) =>
    listSent(opened.inbox, get(token)).map(
      ({ token: own, stored }) =>
        own && getSubmissionByToken(opened.inbox, own)?.reference === stored.reference,
    );
  const sendWithEmail = (): string => sendIn(toEvent('A a', 1), toEvent('B b', 2));

  test('lead to each event, also once what is private of it is forgotten', () => {
    const token = sendWithEmail();
    expect(links(token)).toEqual([true, true]);
    const [first] = listSent(opened.inbox, get(token));
    erase(opened.inbox, first?.stored.reference ?? '', null);
    expect(links(token)).toEqual([true, true]);
    expect(forgetDue(opened.inbox, NOW_MS + 400 * 86_400_000)).toBe(1);
    expect(links(token)).toEqual([true, true]);
  });

  test('of events that an older version took in and that were forgotten are not made up', () => {
    const token = sendWithEmail();
    const [{ stored } = { stored: null }] = listSent(opened.inbox, get(token));
    const { digest } = getDigest(opened.inbox, stored?.reference ?? '');
    opened.inbox
      .prepare('update changes set token_hash = ? where reference = ?')
      .run(toDigest(toToken(opened.inbox, digest ?? '')), stored?.reference);
    expect(links(token)).toEqual([true, true]);
    erase(opened.inbox, stored?.reference ?? '', null);
    expect(links(token)).toEqual([null, true]);
  });

  test('are stored nowhere, and that of the calendar can be told for a letter', () => {
    const token = sendWithEmail();
    expect(readBatchToken(opened.inbox, get(token))).toBe(token);
    opened.inbox.pragma('wal_checkpoint(truncate)');
    const bytes = readFileSync(opened.inbox.name, 'latin1');
    const own = listSent(opened.inbox, get(token)).map((one) => one.token ?? '');
    expect([token, ...own].filter((one) => bytes.includes(one))).toEqual([]);
  });

  test('what is private of all of it is erased by its reference', () => {
    const token = sendWithEmail();
    expect(readBatchEmail(opened.inbox, get(token))).toBe(EMAIL);
    erase(opened.inbox, (get(token).reference ?? '').toLowerCase(), null);
    expect(readBatchEmail(opened.inbox, get(token))).toBeNull();
  });
});

describe('its letters', () => {
  test('a receipt with its private address goes once, and anew to another e-mail', async () => {
    const token = sendIn(...FORTY);
    await mailer.round();
    const reference = get(token).reference ?? '';
    const [[subject, text] = ['', ''], ...others] = takeLetters();
    expect([subject, others]).toEqual([`Recibimos tu calendario (${reference})`, []]);
    const link = `https://hoy.example/publicar/calendario/${token}`;
    expect(text).toContain(`\n${link}\n`);
    expect(text).toContain('Recibimos 40 eventos de tu calendario.');
    expect(text).toContain('> Función 38\n> jueves 10 de diciembre de 2026, 20:00\n\ny 20 más.');
    const leave = `${link}?does=erase&stop=${toStopKey(opened.inbox, EMAIL)}`;
    expect(text.trimEnd().endsWith(leave)).toBe(true);
    const again = (contact_email: string, name: string, day: number) => {
      bring(at(), toCalendar(...FORTY, toEvent(name, day)), '198.51.100.7', token);
      send(at(), token, { ...CHOICES, contact_email });
      return mailer.after(90);
    };
    await again(EMAIL, 'Otra', 9);
    expect(takeLetters()).toEqual([]);
    await again('nueva@ejemplo.example', 'Concierto de rock', 11);
    expect(takeLetters()).toHaveLength(1);
  });

  test('what is decided of it is one letter for each decision, with where each event is', async () => {
    const token = sendIn(toEvent('A a', 1), toEvent('B b', 2), toEvent('C c', 3));
    await mailer.round();
    takeLetters();
    const chosen = choose(token, (title) => title !== 'C c');
    approveBatch(opened.inbox, toKnown(town.snapshot), ana(), get(token), chosen);
    refuseBatch(opened.inbox, ana(), get(token), choose(token), 'reject', 'Es privado.');
    mailer.release = toRelease(mailer.now_ms);
    await mailer.after(6);
    const [[subject, text] = ['', ''], ...others] = takeLetters();
    expect([subject, others]).toEqual([`Sobre tu calendario (${get(token).reference})`, []]);
    expect(text).toContain('Quien lo revisó dice:\n> Es privado.');
    expect(text).toContain('> C c\n');
    expect(text).not.toContain('> A a\n');
    mailer.release = toRelease(mailer.now_ms);
    await mailer.after(20);
    const [[approved, pages] = ['', '']] = takeLetters();
    expect(approved).toBe(`Tu calendario ya se ve en la agenda (${get(token).reference})`);
    expect(pages.match(/https:\/\/hoy\.example\/eventos\/noche-/g)).toHaveLength(2);
  });

  test('a decision that is undone before it was told is told to nobody; one that was told, is', async () => {
    const token = sendIn(toEvent('A a', 1), toEvent('B b', 2));
    await mailer.round();
    takeLetters();
    const refuse = (): void =>
      refuseBatch(opened.inbox, ana(), get(token), choose(token), 'ask', 'Falta la hora.');
    refuse();
    undoNewest(opened.inbox, ana());
    await mailer.after(6);
    expect(takeLetters()).toEqual([]);
    refuse();
    await mailer.after(6);
    takeLetters();
    undoNewest(opened.inbox, ana());
    await mailer.after(6);
    const [[subject, text] = ['', ''], ...others] = takeLetters();
    expect([subject, others]).toEqual([
      `Cambió lo que te dijimos de tu calendario (${get(token).reference})`,
      [],
    ]);
    expect(text).toContain('Lo que te dijimos de 2 eventos de tu calendario ya no vale');
    for (const title of ['A a', 'B b']) expect(text).toContain(`> ${title}\n`);
  });

  test('a decision that is taken back and put back is told once', async () => {
    const token = sendIn(toEvent('A a', 1), toEvent('B b', 2));
    await mailer.round();
    takeLetters();
    refuseBatch(opened.inbox, ana(), get(token), choose(token), 'reject', 'Es privado.');
    for (let at = 0; at < 2; at += 1) undoNewest(opened.inbox, ana());
    await mailer.after(6);
    await mailer.after(60);
    expect(takeLetters().map(([subject]) => subject)).toEqual([
      `Sobre tu calendario (${get(token).reference})`,
    ]);
  });

  test('what its own sender had called off in the calendar reaches the editors at once', async () => {
    const token = sendIn(toEvent('A a', 1));
    approveBatch(opened.inbox, toKnown(town.snapshot), ana(), get(token), choose(token));
    await mailer.round();
    takeLetters();
    bring(at(), toCalendar(toEvent('A a', 1, 'STATUS:CANCELLED\n')), '198.51.100.7', token);
    const [row] = get(token).draft?.rows ?? [];
    if (row === undefined) throw new Error('nothing was read');
    sendBatch(opened.inbox, {
      ...{ batch: get(token), chosen: [{ row, submission: null }], choices: {} },
      ...{ cancelled_message: 'Cancelado.', sender: '198.51.100.7', now_ms: mailer.now_ms },
    });
    await mailer.round();
    expect(takeLetters().map(([subject]) => subject)).toEqual([
      expect.stringContaining('Urgente'),
      expect.stringContaining('Urgente'),
    ]);
  });
});

test('editors are told once a day of a calendar that waits', async () => {
  const token = sendIn(toEvent('A a', 1), toEvent('B b', 2));
  await mailer.after(24 * 60);
  const [, text] = takeLetters().find(([subject]) => subject.includes('revisar')) ?? [];
  expect(text).toContain(`/revision/calendarios/${get(token).reference}`);
});
