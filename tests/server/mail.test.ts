// Mail over a real SMTP server: each kind once, in its reader's language, nothing after it is no longer so (contract 14.24).
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { erase } from '../../src/desk/forget.ts';
import {
  stopMail,
  toStopKey,
  beginRun,
  insertSent,
  readMailHealth,
} from '../../src/inbox/letters.ts';
import { correct, requestChange, submit, takeBack } from '../../src/desk/propose.ts';
import { MAIL_BOUNDS } from '../../src/domain/mail.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { approve } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { inbox, readRows, sendIn, SUBMISSION, undoNewest, useInbox } from '../fixtures/inbox.ts';
import { EDITORS, MINUTE_MS, openMailer, type TestMailer, toRelease } from '../fixtures/mailer.ts';
import { readBody, readHeader, startSmtp } from '../fixtures/smtp-server.ts';
import { grant, refuse } from '../fixtures/changes.ts';

const smtp = await startSmtp();
afterAll(smtp.stop);
useInbox();
let mailer: TestMailer;
beforeEach(async () => {
  smtp.received.length = 0;
  mailer = openMailer(inbox, smtp.url);
  // This day's digest and reminders are not what is tried.
  for (const kind of ['digest', 'reminder'] as const) await beginRun(inbox, kind, '2026-11-20');
});

const by = (reference: string, revision = 1) => ({
  reference,
  revision,
  editor: 'ana',
  now_ms: mailer.now_ms,
});
const subjects = (): string[] => smtp.received.map((one) => readHeader(one, 'Subject'));
/** Sends one in, and lets its receipt go. */
async function sendAndClear(changed: Partial<typeof SUBMISSION> = {}): Promise<string> {
  const { reference } = await sendIn(inbox, changed, 'form', mailer.now_ms);
  await mailer.round();
  smtp.received.length = 0;
  return reference;
}

describe('a receipt', () => {
  test('goes to whoever sent it, also in a flood, and so does what was decided', async () => {
    const sent = await Array.fromAsync(
      Array.from({ length: 8 }, (_, at) => at),
      (at) =>
        submit(inbox, {
          submission: {
            ...SUBMISSION,
            title: `Flood ${at}`,
            contact_email: `v${at}@correo.example`,
          },
          ...{ channel: 'form', sender: '203.0.113.9', now_ms: mailer.now_ms },
        }),
    );
    await mailer.round();
    for (const { reference } of sent)
      await refuse(inbox, by(reference), 'reject', 'No es un evento.');
    await mailer.after(6);
    const readers = smtp.received.map(({ to }) => to.join());
    expect(readers.filter((reader) => reader === 'v7@correo.example')).toHaveLength(2);
  });

  test('waits where a flood of them has used what an hour takes; a decision does not', async () => {
    for (let at = 0; at < MAIL_BOUNDS.all_receipts.hour; at += 1)
      await insertSent(inbox, `somebody ${at}`, 'receipt', mailer.now_ms);
    const { reference } = await sendIn(inbox);
    await mailer.round();
    expect(smtp.received).toEqual([]);
    await refuse(inbox, by(reference), 'reject', 'No es un evento.');
    await mailer.after(6);
    expect(subjects()).toEqual([expect.stringContaining(reference)]);
    await mailer.after(60);
    expect(subjects()).toHaveLength(2);
  });

  test('goes once, has the address of the status page, and says what to do if it was not you', async () => {
    const { reference, token } = await sendIn(inbox);
    await mailer.round();
    await mailer.after(60);
    expect(smtp.received).toHaveLength(1);
    const [letter] = smtp.received;
    if (letter === undefined) return;
    expect([letter.from, letter.to]).toEqual(['agenda@hoy.example', ['privado@ejemplo.example']]);
    expect(readHeader(letter, 'Subject')).toBe(`Recibimos tu evento (${reference})`);
    expect(readHeader(letter, 'From')).toBe('Hoy Cancún <agenda@hoy.example>');
    expect(readHeader(letter, 'Auto-Submitted')).toBe('auto-generated');
    expect(readHeader(letter, 'Message-ID')).toMatch(/^<receipt\.[0-9a-f]{32}@hoy\.example>$/);
    const link = `https://hoy.example/publicar/estado/${token}`;
    const leave = `${link}?does=erase&stop=${toStopKey(inbox, 'privado@ejemplo.example')}`;
    expect(readHeader(letter, 'List-Unsubscribe')).toBe(`<${leave}>`);
    expect(readHeader(letter, 'Content-Type')).toBe('text/plain; charset=utf-8');
    const body = readBody(letter);
    expect(body).toContain(`\n${link}\n`);
    expect(body).toContain('> Noche de prueba\n> sábado 5 de diciembre de 2026, 20:00 · HC-');
    expect(body).toContain('Si no fuiste tú');
    expect(body.trimEnd().endsWith(leave)).toBe(true);
  });

  test('is in the language of the text', async () => {
    const { reference, token } = await sendIn(inbox, { lang: 'en' });
    await mailer.round();
    expect(subjects()).toEqual([`We got your event (${reference})`]);
    const body = smtp.received.map(readBody).join('');
    expect(body).toContain(`https://hoy.example/en/submit/status/${token}`);
    expect(body).toContain('If it wasn’t you');
  });

  test('goes anew to an address that a correction changes, to no other', async () => {
    const reference = await sendAndClear();
    const change = (contact_email: string, title: string): Promise<void> =>
      correct(inbox, {
        ...{ reference, now_ms: mailer.now_ms },
        submission: { ...SUBMISSION, title, contact_email },
      });
    await change('privado@ejemplo.example', 'Otra');
    await mailer.after(90);
    expect(smtp.received).toEqual([]);
    await change('nueva@ejemplo.example', 'Otra más');
    await mailer.after(1);
    expect(smtp.received.map(({ to }) => to)).toEqual([['nueva@ejemplo.example']]);
  });

  test('not sent yet goes to the address that was given last, and counts one event', async () => {
    const { reference } = await sendIn(inbox);
    const submission = { ...SUBMISSION, title: 'Otra', contact_email: 'nueva@ejemplo.example' };
    await correct(inbox, { reference, now_ms: mailer.now_ms, submission });
    await mailer.round();
    expect(smtp.received.map(({ to }) => to)).toEqual([['nueva@ejemplo.example']]);
    expect(subjects()).toEqual([`Recibimos tu evento (${reference})`]);
  });

  test('goes to nobody who gave no address, and to nothing that is no single box', async () => {
    await sendIn(inbox, { contact_email: null });
    await sendIn(inbox, { title: 'B b b', contact_email: 'uno,victima@correo.example' });
    await sendIn(inbox, { title: 'C c c', contact_email: 'agenda@hoy.example' });
    await mailer.round();
    expect(smtp.received).toEqual([]);
    expect((await readMailHealth(inbox, mailer.now_ms)).waiting).toBe(0);
  });
});

describe('a decision', () => {
  test('is told after a while with the words of whoever decided', async () => {
    const reference = await sendAndClear();
    await refuse(inbox, by(reference), 'ask', 'Falta la hora.\n¿A qué hora termina?');
    await mailer.after(4);
    expect(smtp.received).toEqual([]);
    await mailer.after(2);
    expect(subjects()).toEqual([`Necesitamos un cambio en tu evento (${reference})`]);
    expect(smtp.received.map(readBody).join('')).toContain(
      'Quien lo revisó dice:\n> Falta la hora.\n> ¿A qué hora termina?',
    );
  });

  test('taken back in that while it is told to nobody; decided again, the new one is, once', async () => {
    const reference = await sendAndClear();
    await refuse(inbox, by(reference), 'reject', 'No.');
    await undoNewest(inbox, { editor: 'eva', now_ms: mailer.now_ms });
    await mailer.after(6);
    expect(smtp.received).toEqual([]);
    await refuse(inbox, by(reference), 'reject', 'Es de otra ciudad.');
    await mailer.after(6);
    await mailer.after(60);
    expect(subjects()).toEqual([`Sobre tu envío (${reference})`]);
  });

  test('an approval is told once a release has it, with its public page', async () => {
    const reference = await sendAndClear();
    await approve(inbox, reference);
    mailer.release = toRelease(NOW_MS - MINUTE_MS);
    await mailer.after(20);
    expect(smtp.received).toEqual([]);
    mailer.release = toRelease(mailer.now_ms);
    await mailer.after(20);
    expect(subjects()).toEqual([`Tu envío ya se ve en la agenda (${reference})`]);
    const event = toSubmittedEventId(reference);
    expect(smtp.received.map(readBody).join('')).toContain(
      `https://hoy.example/eventos/noche-${event}\n`,
    );
  });

  test('undone once it was told, its sender is told what changed; told and undone again, that too', async () => {
    const reference = await sendAndClear();
    await refuse(inbox, by(reference), 'reject', 'Es de otra ciudad.');
    await mailer.after(6);
    const undoIt = (): Promise<void> => undoNewest(inbox, { editor: 'eva', now_ms: mailer.now_ms });
    await undoIt();
    await mailer.after(4);
    expect(subjects()).toEqual([`Sobre tu envío (${reference})`]);
    await mailer.after(2);
    const changed = `Cambió lo que te dijimos de tu evento (${reference})`;
    expect(subjects().slice(1)).toEqual([changed]);
    expect(smtp.received.map(readBody)[1]).toContain('va a revisarse otra vez');
    await undoIt();
    await mailer.after(6);
    expect(subjects().slice(2)).toEqual([changed]);
    expect(smtp.received.map(readBody)[2]).toContain('no se acepta.\n');
    expect(smtp.received.map(readBody)[2]).toContain('> Es de otra ciudad.');
  });

  test('taken back and put back is told once, however late it is put back', async () => {
    const other = { title: 'Otra', contact_email: 'otra@ejemplo.example' };
    const references = [await sendAndClear(), await sendAndClear(other)];
    const putBack = (): Promise<void> =>
      undoNewest(inbox, { editor: 'eva', now_ms: mailer.now_ms });
    for (const [at, reference] of references.entries()) {
      await refuse(inbox, by(reference), 'reject', 'Es de otra ciudad.');
      await undoNewest(inbox, { editor: 'eva', now_ms: mailer.now_ms });
      if (at === 1) await mailer.after(20);
      await putBack();
      await mailer.after(6);
    }
    await mailer.after(60);
    expect(subjects()).toEqual(references.map((reference) => `Sobre tu envío (${reference})`));
  });

  test('of which nothing is left because its sender took it back is told no more', async () => {
    const reference = await sendAndClear();
    await approve(inbox, reference);
    const submission = { ...SUBMISSION, title: 'Otra' };
    await correct(inbox, { reference, now_ms: mailer.now_ms, submission });
    await refuse(inbox, by(reference, 2), 'reject', 'No hace falta.');
    await mailer.after(6);
    expect(smtp.received.map(readBody).join('')).toContain('Lo publicado sigue como estaba.');
    await undoNewest(inbox, { editor: 'eva', now_ms: mailer.now_ms });
    await takeBack(inbox, reference);
    await mailer.after(60);
    expect(smtp.received).toHaveLength(1);
  });

  test('undone and decided anew within that while, only the newer decision is told', async () => {
    const reference = await sendAndClear();
    await refuse(inbox, by(reference), 'ask', 'Falta la hora.');
    await mailer.after(6);
    await undoNewest(inbox, { editor: 'eva', now_ms: mailer.now_ms });
    await mailer.after(1);
    await refuse(inbox, by(reference), 'reject', 'Es de otra ciudad.');
    await mailer.after(6);
    await mailer.after(60);
    expect(subjects().slice(1)).toEqual([`Cambió lo que te dijimos de tu evento (${reference})`]);
    expect(smtp.received.map(readBody)[1]).toContain('no se acepta.');
  });

  test('forty at once are two letters, not forty', async () => {
    const references: string[] = [];
    for (let at = 0; at < 40; at += 1)
      references.push((await sendIn(inbox, { title: `Noche ${at}` }, 'form', NOW_MS)).reference);
    await mailer.round();
    smtp.received.length = 0;
    for (const reference of references) await refuse(inbox, by(reference), 'reject', 'Repetido.');
    await mailer.after(6);
    await mailer.after(1);
    expect(subjects()).toEqual(['Sobre 20 de tus envíos', 'Sobre 20 de tus envíos']);
    const told = smtp.received.map(readBody).join('');
    expect(references.filter((reference) => !told.includes(reference))).toEqual([]);
  });
});

describe('editors', () => {
  test('are told at once that somebody cancels, each in a letter of their own', async () => {
    const reference = await sendAndClear();
    await approve(inbox, reference);
    const message = 'Llueve. Ve https://malo.example y malo.example';
    await requestChange(inbox, {
      reference,
      now_ms: mailer.now_ms,
      asks: 'cancel',
      message,
      dates: null,
    });
    await mailer.round();
    await mailer.after(60);
    expect(smtp.received.map(({ to }) => to)).toEqual(EDITORS.map((one) => [one]));
    expect(subjects()[0]).toBe(`Urgente: piden cancelar o posponer ${reference}`);
    const body = smtp.received.map(readBody)[0] ?? '';
    expect(body).toContain('> Llueve. Ve https: //malo[.]example y malo[.]example');
    expect(body).toContain(`https://hoy.example/revision/envios/${reference}`);
    smtp.received.length = 0;
    await grant(inbox, by(reference, 2));
    mailer.release = toRelease(mailer.now_ms + 1);
    await mailer.after(6);
    expect(smtp.received.map(readBody).join('')).toContain('Ya aparece como cancelado');
  });

  test('are told the newest of what somebody asks before they are told', async () => {
    const reference = await sendAndClear();
    await approve(inbox, reference);
    for (const message of ['Llueve', 'Llueve mucho'])
      await requestChange(inbox, {
        ...{ reference, message, dates: null, asks: 'cancel', now_ms: mailer.now_ms },
      });
    mailer.release = toRelease(mailer.now_ms);
    await mailer.round();
    expect(subjects()).toEqual(
      EDITORS.map(() => `Urgente: piden cancelar o posponer ${reference}`),
    );
    const body = smtp.received.map(readBody)[0] ?? '';
    expect(body).toContain('> Llueve mucho');
    expect(body).not.toContain('/eventos/');
  });

  test('are told which days are meant, and so is whoever asked', async () => {
    const reference = await sendAndClear();
    await approve(inbox, reference);
    const request = { asks: 'cancel', message: 'Llueve', dates: ['2026-12-12'] } as const;
    await requestChange(inbox, { reference, now_ms: mailer.now_ms, ...request });
    await mailer.round();
    expect(smtp.received.map(readBody).join('')).toContain('pide cancelar sáb 12 dic. Lo demás');
    smtp.received.length = 0;
    await grant(inbox, by(reference, 2));
    mailer.release = toRelease(mailer.now_ms + 1);
    await mailer.after(6);
    const body = smtp.received.map(readBody).join('');
    expect(body).toContain('Ya aparece como cancelado en la agenda: sáb 12 dic.');
  });

  test('are told once a day what waits, from their hour on', async () => {
    await sendIn(inbox, { contact_email: null, title: 'Espera' });
    mailer.now_ms = Date.parse('2026-11-21T07:59:00-05:00');
    await mailer.round();
    expect(smtp.received).toEqual([]);
    for (let hour = 0; hour < 20; hour += 1) await mailer.after(60);
    expect(subjects()).toEqual(['Hoy Cancún: 1 por revisar', 'Hoy Cancún: 1 por revisar']);
    expect(smtp.received.map(readBody)[0]).toMatch(/1 espera su turno\n\n> Espera\n> sábado/);
  });
});

describe('“¿sigue en pie?”', () => {
  test('is asked once, two days before, of what is not sure', async () => {
    const [unsure, sure] = [await sendAndClear(), await sendAndClear({ title: 'Segura' })];
    for (const reference of [unsure, sure]) await approve(inbox, reference);
    await readRows(inbox, "delete from letters where state = 'waiting'");
    mailer.now_ms = Date.parse('2026-12-03T09:59:00-05:00');
    mailer.release = toRelease(NOW_MS, [toSubmittedEventId(unsure)]);
    await readRows(
      inbox,
      `update letters set subject = '2026-12-03' where state = 'run' and kind = 'digest'`,
    );
    await mailer.round();
    expect(smtp.received).toEqual([]);
    for (let hour = 0; hour < 12; hour += 1) await mailer.after(60);
    expect(subjects()).toEqual([`¿Sigue en pie tu evento? (${unsure})`]);
    expect(smtp.received.map(readBody).join('')).toContain('sábado 5 de diciembre');
  });
});

describe('nobody is written to', () => {
  test('whose address was erased', async () => {
    const { reference } = await sendIn(inbox);
    await erase(inbox, reference, null);
    await mailer.round();
    expect(smtp.received).toEqual([]);
  });

  test('who wants none, whoever types the address and however', async () => {
    const { reference } = await sendIn(inbox, { contact_email: 'v.ictima@gmail.com' });
    // Whoever typed somebody's address has no such key.
    await stopMail(inbox, [reference], toStopKey(inbox, 'otra@gmail.com'));
    await sendIn(inbox, { title: 'Todavía', contact_email: 'victima@gmail.com' });
    await mailer.round();
    expect(smtp.received).toHaveLength(1);
    smtp.received.length = 0;
    await stopMail(inbox, [reference], toStopKey(inbox, 'victima@gmail.com'));
    for (const [at, contact_email] of ['victima@gmail.com', 'Vic.tima+x@gmail.com'].entries())
      await sendIn(inbox, { title: `Otra ${at}`, contact_email });
    await mailer.after(120);
    expect(smtp.received).toEqual([]);
  });

  test('more than once an hour for receipts, whatever is sent in with an address', async () => {
    for (let at = 0; at < 60; at += 1) {
      await sendIn(inbox, {
        title: `Inundación ${at}`,
        contact_email: `victima+${at % 7}@correo.example`,
      });
      await mailer.after(5);
    }
    // Five hours: one an hour, four in a day.
    expect(smtp.received.length).toBeLessThanOrEqual(4);
    expect(smtp.received.length).toBeGreaterThan(1);
  });
});
