// Mailer over a real SMTP server: sends each email once, in the recipient's language, and no outdated ones
// (contract 14.24).
import { describe, expect, test } from 'vitest';
import { erasePrivateData } from '../../src/desk/retention.ts';
import {
  recordOutgoingEmail,
  getMailHealth,
  unsubscribe,
  unsubscribeKey,
} from '../../src/inbox/outbox.ts';
import {
  amendSubmission,
  requestStatusChange,
  submitEvent,
  withdrawSubmission,
} from '../../src/desk/submissions.ts';
import { MAIL_LIMITS } from '../../src/domain/mail-limits.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { approve } from '../fixtures/approved.ts';
import { acceptRequest, returnSubmission } from '../fixtures/changes.ts';
import { inbox, submitTestEvent, SUBMISSION, useInbox } from '../fixtures/inbox.ts';
import {
  receivedText,
  reviewNow,
  EDITORS,
  mailer,
  recipientAddresses,
  submitAndClear,
  smtp,
  receivedSubjects,
  undoAsEva,
  useMailer,
} from '../fixtures/mailer.ts';
import { readHeader } from '../fixtures/smtp-server.ts';

useInbox();
useMailer();

const reject = (reference: string, reason = 'Es de otra ciudad.', revision = 1): Promise<void> =>
  returnSubmission(inbox, reviewNow(reference, revision), 'reject', reason);
const ask = (reference: string): Promise<void> =>
  returnSubmission(inbox, reviewNow(reference), 'ask', 'Falta la hora.\n¿A qué hora termina?');
const change = (reference: string, title: string, contact_email = SUBMISSION.contact_email) =>
  amendSubmission(inbox, {
    ...{ reference, now_ms: mailer.now_ms },
    submission: { ...SUBMISSION, title, contact_email },
  });
const cancel = (reference: string, message: string, dates: readonly string[] | null = null) =>
  requestStatusChange(inbox, { reference, message, dates, asks: 'cancel', now_ms: mailer.now_ms });

describe('a receipt', () => {
  test('goes to every sender up to the hourly limit of receipts, which does not delay decisions', async () => {
    for (let at = 0; at < 6; at += 1) {
      const submission = { ...SUBMISSION, title: `${at}`, contact_email: `v${at}@correo.example` };
      const entry = { submission, channel: 'form', sender: '203.0.113.9' } as const;
      await submitEvent(inbox, { ...entry, now_ms: mailer.now_ms });
    }
    await mailer.round();
    expect(recipientAddresses()).toContain('v5@correo.example');
    for (let at = 6; at < MAIL_LIMITS.all_receipts.hour; at += 1)
      await recordOutgoingEmail(inbox, `somebody ${at}`, 'receipt', mailer.now_ms);
    const { reference } = await submitTestEvent(inbox);
    smtp.received.length = 0;
    await mailer.round();
    expect(smtp.received).toEqual([]);
    await reject(reference);
    await mailer.after(6);
    expect(receivedSubjects()).toEqual([`Sobre tu envío (${reference})`]);
    await mailer.after(60);
    expect(receivedSubjects()).toHaveLength(2);
  });

  test.each([
    ['es', 'Recibimos tu evento', 'sábado 5 de diciembre de 2026, 20:00', 'publicar/estado'],
    ['en', 'We got your event', 'Saturday, December 5, 2026, 8 p.m.', 'en/submit/status'],
  ] as const)(
    'goes once, in the language of the submission (%s), with the status page and an unsubscribe link',
    async (lang, subject, when, path) => {
      const { reference, token } = await submitTestEvent(inbox, { lang });
      await mailer.round();
      await mailer.after(60);
      expect(recipientAddresses()).toEqual(['privado@ejemplo.example']);
      const [email] = smtp.received;
      if (email === undefined) return;
      const link = `https://hoy.example/${path}/${token}`;
      const unsubscribe_url = `${link}?does=erase&stop=${unsubscribeKey(inbox, 'privado@ejemplo.example')}`;
      for (const [name, value] of [
        ['Subject', `${subject} (${reference})`],
        ['Auto-Submitted', 'auto-generated'],
        ['Message-ID', expect.stringMatching(/^<receipt\.[0-9a-f]{32}@hoy\.example>$/)],
        ['List-Unsubscribe', `<${unsubscribe_url}>`],
      ] as const)
        expect(readHeader(email, name), name).toEqual(value);
      for (const words of [`\n${link}\n`, `> Noche de prueba\n> ${when} · HC-`])
        expect(receivedText()).toContain(words);
      expect(receivedText().trimEnd().endsWith(unsubscribe_url)).toBe(true);
    },
  );

  test('goes again only to a changed address, and only to the last one if still queued', async () => {
    const reference = await submitAndClear();
    await change(reference, 'Otra');
    await mailer.after(90);
    expect(recipientAddresses()).toEqual([]);
    await change(reference, 'Otra más', 'nueva@ejemplo.example');
    await change(reference, 'Y otra', 'ultima@ejemplo.example');
    await mailer.after(1);
    expect(recipientAddresses()).toEqual(['ultima@ejemplo.example']);
    expect(receivedSubjects()).toEqual([`Recibimos tu evento (${reference})`]);
  });

  test('is not sent without an address, or to an invalid or our own one', async () => {
    const addresses = [null, 'uno,victima@correo.example', 'agenda@hoy.example'];
    for (const [at, contact_email] of addresses.entries())
      await submitTestEvent(inbox, { title: `Noche ${at}`, contact_email });
    await mailer.round();
    expect(smtp.received).toEqual([]);
    expect((await getMailHealth(inbox, mailer.now_ms)).waiting).toBe(0);
  });
});

describe('a decision', () => {
  const SUBJECTS = {
    question: 'Necesitamos un cambio en tu evento',
    rejected: 'Sobre tu envío',
    changed: 'Cambió la decisión sobre tu evento',
  } as const;
  type Step = (reference: string) => Promise<unknown>;
  const wait = (minutes: number) => () => mailer.after(minutes);
  const rejectAnother: Step = (reference) => reject(reference, 'No hace falta.', 2);
  /** Steps of a submission; the topics of the emails that its sender receives, and a text in them. */
  test.each<readonly [string, readonly Step[], readonly (keyof typeof SUBJECTS)[], string]>([
    ['is reported with the editor’s reason', [ask], ['question'], '> Falta la hora.\n> ¿A qué'],
    ['undone before sending is not reported', [reject, undoAsEva], [], ''],
    [
      'undone and repeated is reported once',
      [reject, undoAsEva, wait(6), reject],
      ['rejected'],
      '',
    ],
    [
      'that was reported as undone and applies again is reported again',
      [reject, wait(6), undoAsEva, wait(6), undoAsEva],
      ['rejected', 'changed', 'changed'],
      'va a revisarse otra vez',
    ],
    [
      'undone and changed before sending is reported in its final state',
      [ask, wait(6), undoAsEva, wait(1), reject],
      ['question', 'changed'],
      '> Es de otra ciudad.',
    ],
    [
      'on an edit mentions the published version, and is not reported after a withdrawal',
      [
        (of) => approve(inbox, of),
        (of) => change(of, 'Otra'),
        ...[rejectAnother, wait(6), undoAsEva],
        (of) => withdrawSubmission(inbox, of),
      ],
      ['rejected'],
      'Lo publicado sigue como estaba.',
    ],
  ])('%s', async (_, steps, topics, text) => {
    const reference = await submitAndClear();
    for (const step of steps) await step(reference);
    const before = smtp.received.length;
    await mailer.after(4);
    expect(smtp.received, 'not at once').toHaveLength(before);
    await mailer.after(2);
    await mailer.after(60);
    expect(receivedSubjects()).toEqual(topics.map((topic) => `${SUBJECTS[topic]} (${reference})`));
    expect(receivedText()).toContain(text);
  });

  test('to publish is reported once a release contains the event, with its page', async () => {
    const reference = await submitAndClear();
    await approve(inbox, reference);
    mailer.release(-1);
    await mailer.after(20);
    expect(smtp.received).toEqual([]);
    mailer.release();
    await mailer.after(20);
    expect(receivedSubjects()).toEqual([`Tu envío ya se ve en la agenda (${reference})`]);
    const event = submittedEventId(reference);
    expect(receivedText()).toContain(`https://hoy.example/eventos/noche-${event}\n`);
  });

  test('on twenty-one at once becomes two emails', async () => {
    const references: string[] = [];
    for (let at = 0; at < 21; at += 1)
      references.push((await submitTestEvent(inbox, { title: `Noche ${at}` })).reference);
    await mailer.round();
    smtp.received.length = 0;
    for (const reference of references) await reject(reference);
    await mailer.after(6);
    await mailer.after(1);
    expect(receivedSubjects()).toEqual([
      'Sobre 20 de tus envíos',
      `Sobre tu envío (${references[20]})`,
    ]);
    expect(references.filter((reference) => !receivedText().includes(reference))).toEqual([]);
  });
});

describe('editors', () => {
  test('are notified at once, each in their own email, of the newest request and its days', async () => {
    const reference = await submitAndClear();
    await approve(inbox, reference);
    await cancel(reference, 'Llueve.');
    await cancel(reference, 'Ve https://malo.example y malo.example', ['2026-12-12']);
    await mailer.round();
    await mailer.after(60);
    expect(recipientAddresses()).toEqual(EDITORS);
    expect(receivedSubjects()[0]).toBe(`Urgente: piden cancelar o posponer ${reference}`);
    for (const words of [
      'pide cancelar sáb 12 dic',
      '> Ve https: //malo[.]example y malo[.]example',
      `https://hoy.example/revision/envios/${reference}`,
    ])
      expect(receivedText()).toContain(words);
    expect(receivedText()).not.toMatch(/Llueve|\/eventos\//);
    smtp.received.length = 0;
    await acceptRequest(inbox, reviewNow(reference, 3));
    mailer.release(1);
    await mailer.after(6);
    expect(receivedText()).toContain('Ya aparece como cancelado en la agenda: sáb 12 dic.');
  });

  test('get the size of the review queue once a day from their hour on, unless it is empty', async () => {
    mailer.now_ms = Date.parse('2026-11-21T08:00:00-05:00');
    await mailer.round();
    await inbox.transaction(async () => {
      for (let at = 0; at < 250; at += 1)
        await submitTestEvent(inbox, { title: `Noche ${at}`, contact_email: null });
    });
    await mailer.after(24 * 60 - 1);
    expect(smtp.received).toEqual([]);
    await mailer.after(1);
    await mailer.after(8 * 60);
    expect(receivedSubjects()).toEqual(EDITORS.map(() => 'Hoy Cancún: 250 por revisar'));
  });
});

describe('no email is sent', () => {
  test('to an erased address', async () => {
    await erasePrivateData(inbox, (await submitTestEvent(inbox)).reference, null);
    await mailer.round();
    expect(smtp.received).toEqual([]);
  });

  test('to an unsubscribed address, even if entered by others or spelled differently', async () => {
    const { reference } = await submitTestEvent(inbox, { contact_email: 'v.ictima@gmail.com' });
    // The key of another address does not unsubscribe this one.
    await unsubscribe(inbox, [reference], unsubscribeKey(inbox, 'otra@gmail.com'));
    await submitTestEvent(inbox, { title: 'Todavía', contact_email: 'victima@gmail.com' });
    await mailer.round();
    expect(smtp.received).toHaveLength(1);
    await unsubscribe(inbox, [reference], unsubscribeKey(inbox, 'victima@gmail.com'));
    for (const [at, contact_email] of ['victima@gmail.com', 'Vic.tima+x@gmail.com'].entries())
      await submitTestEvent(inbox, { title: `Otra ${at}`, contact_email });
    await mailer.after(120);
    expect(smtp.received).toHaveLength(1);
  });

  test('more than once an hour as a receipt to the same address', async () => {
    for (let at = 0; at < 15; at += 1) {
      const contact_email = `victima+${at % 7}@correo.example`;
      await submitTestEvent(inbox, { title: `Inundación ${at}`, contact_email });
      await mailer.after(20);
    }
    // Five hours: one an hour, four in a day.
    expect(smtp.received).toHaveLength(4);
  });
});
