// Emails about imported calendars over a real SMTP server: one for all events, with a private link whose token
// is not stored (contract 14.24, 14.35).
import { describe, expect, test } from 'vitest';
import { listPendingOfImport } from '../../src/desk/review.ts';
import {
  listImportedSubmissions,
  getImportEmail,
  getImportToken,
} from '../../src/inbox/calendar-imports.ts';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { createReferenceData } from '../../src/desk/reference-data.ts';
import { getMailHealth, unsubscribeKey } from '../../src/inbox/outbox.ts';
import { getSubmissionByToken } from '../../src/inbox/changes.ts';
import {
  importCalendar,
  CHOICES,
  FORTY_EVENTS,
  getImport,
  submitCalendar,
  icsCalendar,
  icsEvent,
} from '../fixtures/calendars.ts';
import { FRIDAY_NOON_MS as NOW_MS, useFixture } from '../fixtures/fixture.ts';
import { REVIEWER_FIELDS, folder, inbox, readStoredBytes, useInbox } from '../fixtures/inbox.ts';
import { approveImport, returnImport } from '../fixtures/changes.ts';
import { mailer, actorNow as ana, smtp, undoAsEva, useMailer } from '../fixtures/mailer.ts';
import { readBody, readHeader } from '../fixtures/smtp-server.ts';

const EMAIL = 'privado@ejemplo.example';
const town = useFixture();
useInbox();
useMailer();

const get = (token: string) => getImport(inbox, token);
const at = () => ({ inbox, snapshot: town.snapshot });

/** Imports events and submits them with an email address. Returns the token. */
async function sendIn(...events: readonly string[]): Promise<string> {
  const token = await importCalendar(at(), icsCalendar(...events));
  await submitCalendar(at(), token, { ...CHOICES, contact_email: EMAIL });
  return token;
}
const choose = async (token: string, but = '') =>
  (await listPendingOfImport(inbox, await get(token)))
    .filter(({ title }) => title !== but)
    .map(({ reference, revision }) => ({ reference, revision, edits: REVIEWER_FIELDS }));
/** Returns subject and text of the emails received since the last call. */
function takeEmails(): readonly (readonly [string, string])[] {
  return smtp.received
    .splice(0)
    .map((email) => [readHeader(email, 'Subject'), readBody(email)] as const);
}

const links = async (token: string) =>
  Promise.all(
    (await listImportedSubmissions(inbox, await get(token))).map(
      async ({ token: own, stored }) =>
        own && (await getSubmissionByToken(inbox, own))?.reference === stored.reference,
    ),
  );

test('tokens open each event, even after erasure of private data, and are not stored', async () => {
  const token = await sendIn(icsEvent('A a', 1), icsEvent('B b', 2));
  expect(await links(token)).toEqual([true, true]);
  expect(getImportToken(inbox, await get(token))).toBe(token);
  const bytes = await readStoredBytes({ inbox, folder });
  expect(bytes).toContain('A a');
  const own = (await listImportedSubmissions(inbox, await get(token))).map(
    (one) => one.token ?? '',
  );
  expect([token, ...own].filter((one) => bytes.includes(one))).toEqual([]);
  expect(await getImportEmail(inbox, await get(token))).toBe(EMAIL);
  await erasePrivateData(inbox, ((await get(token)).reference ?? '').toLowerCase(), null);
  expect(await getImportEmail(inbox, await get(token))).toBeNull();
  expect(await links(token)).toEqual([true, true]);
});

describe('emails about an import', () => {
  test('sends the receipt with the private link once, and again to a new address', async () => {
    const token = await sendIn(...FORTY_EVENTS);
    expect((await getMailHealth(inbox, NOW_MS)).waiting).toBe(1);
    await mailer.round();
    const reference = (await get(token)).reference ?? '';
    const [[subject, text] = ['', ''], ...others] = takeEmails();
    expect([subject, others]).toEqual([`Recibimos tu calendario (${reference})`, []]);
    const link = `https://hoy.example/publicar/calendario/${token}`;
    expect(text).toContain(`\n${link}\n`);
    expect(text).toMatch(/40 eventos.*> Función 38\n.*y 20 más/s);
    const unsubscribe_url = `${link}?does=erase&stop=${unsubscribeKey(inbox, EMAIL)}`;
    expect(text.trimEnd().endsWith(unsubscribe_url)).toBe(true);
    const again = async (contact_email: string, name: string, day: number) => {
      await importCalendar(
        at(),
        icsCalendar(...FORTY_EVENTS, icsEvent(name, day)),
        '198.51.100.7',
        token,
      );
      await submitCalendar(at(), token, { ...CHOICES, contact_email });
      return mailer.after(90);
    };
    await again(EMAIL, 'Otra', 9);
    expect(takeEmails()).toEqual([]);
    await again('nueva@ejemplo.example', 'Concierto de rock', 11);
    expect(takeEmails()).toHaveLength(1);
    await mailer.after(24 * 60);
    const [, digest] = takeEmails().find(([about]) => about.includes('revisar')) ?? [];
    expect(digest).toContain(`/revision/envios/${reference}`);
  });

  test('sends one email for each decision, with the page of each event', async () => {
    const token = await sendIn(icsEvent('A a', 1), icsEvent('B b', 2), icsEvent('C c', 3));
    await mailer.round();
    takeEmails();
    const chosen = await choose(token, 'C c');
    await approveImport(inbox, createReferenceData(town.snapshot), ana(), await get(token), chosen);
    await returnImport(
      inbox,
      ana(),
      await get(token),
      await choose(token),
      'reject',
      'Es privado.',
    );
    mailer.release();
    await mailer.after(6);
    const [[, text] = ['', ''], ...others] = takeEmails();
    expect(others).toEqual([]);
    expect(text).toContain('\n> Es privado.');
    expect(text).toContain('> C c\n');
    expect(text).not.toContain('> A a\n');
    mailer.release();
    await mailer.after(20);
    const [[, pages] = ['', '']] = takeEmails();
    expect(pages.match(/https:\/\/hoy\.example\/eventos\/noche-/g)).toHaveLength(2);
  });

  test('reports an undone decision only if the decision was reported', async () => {
    const token = await sendIn(icsEvent('A a', 1), icsEvent('B b', 2));
    await mailer.round();
    takeEmails();
    const refuse = async (): Promise<void> =>
      returnImport(inbox, ana(), await get(token), await choose(token), 'ask', 'Falta la hora.');
    await refuse();
    await undoAsEva();
    await mailer.after(6);
    expect(takeEmails()).toEqual([]);
    await refuse();
    await mailer.after(6);
    takeEmails();
    await undoAsEva();
    await mailer.after(6);
    const [[subject, text] = ['', ''], ...others] = takeEmails();
    expect([subject, others]).toEqual([expect.stringMatching(/^Cambió la decisión/), []]);
    expect(text).toMatch(/2 eventos.*> A a\n.*> B b\n/s);
  });
});
