// Newsletter over a real SMTP server (contract 14.44): requested, confirmed, sent once a week, and ended
// without a trace.
import { describe, expect, test } from 'vitest';
import { SOFT_LIMITS } from '../../src/desk/submission-limits.ts';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import { eraseExpired } from '../../src/desk/retention.ts';
import {
  insertUnsubscription,
  listFailedEmails,
  emailRecipientDigest,
} from '../../src/inbox/outbox.ts';
import { deleteFormerSubscribers } from '../../src/inbox/subscribers.ts';
import { composeNewsletter } from '../../src/site/forms/newsletter.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import type { VisitorRequest } from '../../src/site/visitor-request.ts';
import { useFixture, loadFixture } from '../fixtures/fixture.ts';
import {
  folder,
  inbox,
  queryRows,
  readStoredBytes,
  queryValue,
  useInbox,
} from '../fixtures/inbox.ts';
import {
  mailer,
  openMailer,
  recipientAddresses,
  smtp,
  receivedSubjects,
  useMailer,
} from '../fixtures/mailer.ts';
import { readBody, readHeader, type ReceivedEmail } from '../fixtures/smtp-server.ts';
import { createVisit } from '../fixtures/visit.ts';

const NO_EMAIL: ReceivedEmail = { from: '', to: [], raw: '' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Thursday. */
const NOON_MS = Date.parse('2026-11-26T12:00:00-05:00');
const CHOSEN = { value: 'centro', is_selected: true };
const ASK = '/correo/nuevo';
const ASK_EN = '/en/email/new';
const LOLA = 'lola.secreta@correo.example';
const SITE = { url: 'https://hoy.example', name: 'Hoy Cancún', contact_email: null } as const;

const COPIES = Array.from({ length: 40 }, (_, at) => at + 10);
const copy = (one: OccurrenceRecord, at: number): OccurrenceRecord => ({
  ...{ ...one, id: `${one.id}x${at}`, event: `${one.event}x${at}` },
  status: at === 10 ? 'cancelled' : one.status,
});
/** Builds the small town with forty copies of its daily fair, one of them cancelled. */
function toLargeTown() {
  const { events, occurrences, ...town } = loadFixture();
  for (const fair of events.filter(({ slug }) => slug.es === 'feria-diaria'))
    return {
      ...town,
      events: [...events, ...COPIES.map((at) => ({ ...fair, id: `${fair.id}x${at}` }))].sort(
        (a, b) => (a.id < b.id ? -1 : 1),
      ),
      occurrences: occurrences.flatMap((one) =>
        [one].concat(one.event === fair.id ? COPIES.map((at) => copy(one, at)) : []),
      ),
    };
  throw new Error('The fixture has no fair');
}

const { snapshot } = useFixture(toLargeTown());
const state = (sends_mail = true) => ({
  ...{ snapshot, now_ms: mailer.now_ms },
  site: sends_mail ? ({ ...SITE, sends_mail } as const) : SITE,
});
useInbox();
useMailer('2099-01-01', (kind, reader) => composeNewsletter(state(), kind, reader));

const open = (path: string, changed: Partial<VisitorRequest> = {}, at = state()) =>
  matchPage(path)?.handle(at, '', createVisit(inbox, changed));
const send = (path: string, fields: VisitorRequest['fields'], sender = '192.0.2.1') =>
  open(path, { method: 'POST', fields, sender });
/** Returns the path of the private link in an email. */
const findPath = (email = NO_EMAIL): string =>
  /^<https:\/\/hoy\.example(\/[\w/-]+)\?/.exec(readHeader(email, 'List-Unsubscribe'))?.[1] ?? '';
const count = async () => Number(await queryValue(inbox, 'select count(*) from readers'));
const roundAt = (now_ms: number): Promise<void> => mailer.after((now_ms - mailer.now_ms) / 60_000);

/** Subscribes and confirms on Wednesday. Returns the path of the private page. */
async function subscribe(fields: VisitorRequest['fields'] = {}, form = ASK): Promise<string> {
  await roundAt(NOON_MS - DAY_MS);
  await send(form, { email: LOLA, ...fields });
  await mailer.after(1);
  const path = findPath(smtp.received.splice(0)[0]);
  await send(path, fields);
  return path;
}

/** Lists the event entries of a document or of an email's text. */
const listEntries = (markdown: string): readonly string[] =>
  markdown
    .replace(/^(\[Ver|\[See|Hay \d|There are \d)(.|\n)*/m, '')
    .split(/^(?=#)/m)
    .filter((part) => /^### \[.+\/event/.test(part))
    .map((part) => part.trim());

test('a subscription is requested, confirmed, changed, ended by one click and requested again', async () => {
  await roundAt(NOON_MS - DAY_MS);
  const response = await send(ASK, { email: LOLA, zone: 'centro' });
  expect(response).toMatchObject({ kind: 'redirect', location: `${ASK}?asked=1` });
  await mailer.round();
  expect(receivedSubjects()).toEqual(['Confirma tu correo de los jueves']);
  const path = findPath(smtp.received[0]);
  // Link scanners of mail programs open every link.
  for (const query of [{}, { does: 'leave' }, { saved: '1' }, { 'List-Unsubscribe': 'One-Click' }])
    expect(await open(path, { query })).toMatchObject({ status: 200 });
  const chosen = { options: expect.arrayContaining([expect.objectContaining(CHOSEN)]) };
  expect(await open(path)).toMatchObject({
    page: { stage: 'confirm', selects: [{ name: 'category' }, { name: 'zone', ...chosen }] },
  });
  await roundAt(NOON_MS);
  expect(smtp.received).toHaveLength(1);
  expect(await send(path, { zone: 'centro' })).toMatchObject({ kind: 'redirect' });
  const english = path.replace('/correo', '/en/email');
  await send(english, { free: '1' });
  expect(await open(path)).toMatchObject({ page: { stage: 'kept' } });
  await mailer.after(60);
  expect(recipientAddresses()).toEqual([LOLA, LOLA]);
  const email = smtp.received[1] ?? NO_EMAIL;
  const unsubscribe_url = `https://hoy.example${english}?does=leave`;
  for (const [name, value] of [
    ['Subject', expect.stringMatching(/^Weekend \(.+November.*\): \d+ events?$/)],
    ['Content-Language', 'en'],
    ['List-Unsubscribe', `<${unsubscribe_url}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ] as const)
    expect(readHeader(email, name), name).toEqual(value);
  expect(email.raw).not.toMatch(/<img|<script|utm_/);
  const click_response = await send(path, { 'List-Unsubscribe': 'One-Click' });
  expect(click_response).toMatchObject({ kind: 'page', status: 200, page: { stage: 'left' } });
  expect(await open(path)).toMatchObject({ status: 404, page: { stage: 'left' } });
  expect(await readStoredBytes({ inbox, folder })).not.toContain('lola.secreta');
  await mailer.after(24 * 60);
  await send(ASK, { email: LOLA });
  await mailer.after(1);
  expect(receivedSubjects()).toHaveLength(3);
  expect(await count()).toBe(1);
});

describe('the newsletter', () => {
  test.each([
    [ASK, '/fin-de-semana', '', 'Hay 14 más. [Ver'],
    [ASK_EN, '/en/weekend', 'free=1', 'There are 11 more. [See'],
    [ASK, '/fin-de-semana', 'zone=isla-mujeres', '\n[Ver el fin'],
  ])(
    'requested at %s lists the events of the Markdown of %s?%s',
    async (form, page, query, more) => {
      await subscribe(Object.fromEntries(new URLSearchParams(query)), form);
      await roundAt(NOON_MS);
      const body = readBody(smtp.received[0] ?? NO_EMAIL);
      const text = body.slice(0, body.indexOf('<!doctype'));
      const document = await (await createMarkdownResponse(state(), page, query)).text();
      const entries = listEntries(text);
      expect(entries.length).toBeGreaterThan(0);
      expect(entries).toEqual(listEntries(document).slice(0, 30));
      for (const words of [more, `(https://hoy.example${page}${query && `?${query}`})`])
        expect(text).toContain(words);
      if (query === '') expect(text).toContain('Cancelado');
    },
  );

  test('is sent once a week, even after a restart, and within a day after a failure', async () => {
    await subscribe();
    await roundAt(NOON_MS - 60_000);
    expect(smtp.received).toEqual([]);
    for (let hour = 0; hour < 30; hour += 1) {
      await roundAt(NOON_MS + hour * HOUR_MS);
      const again = openMailer(inbox, smtp.url);
      again.now_ms = mailer.now_ms;
      await again.round();
    }
    expect(smtp.received).toHaveLength(1);
    await roundAt(NOON_MS + 8 * DAY_MS - 60_000);
    expect(smtp.received, 'caught up on').toHaveLength(2);
    await roundAt(NOON_MS + 15 * DAY_MS);
    smtp.answer.data = 451;
    await roundAt(NOON_MS + 21 * DAY_MS);
    smtp.answer.data = null;
    await roundAt(NOON_MS + 22 * DAY_MS);
    expect(smtp.received, 'too late').toHaveLength(2);
  });

  test('is not sent without events, or to unsubscribed addresses', async () => {
    await subscribe({ category: 'cine', zone: 'puerto-morelos', free: '1' });
    await roundAt(NOON_MS);
    await insertUnsubscription(inbox, emailRecipientDigest(inbox, LOLA));
    await queryRows(inbox, "update readers set query = ''");
    await roundAt(NOON_MS + 7 * DAY_MS);
    expect(smtp.received).toEqual([]);
  });

  test('ends after three weeks of permanent rejection, without a notice to the desk', async () => {
    await subscribe();
    smtp.answer.rcpt = 550;
    for (const week of [0, 1, 2]) {
      expect(await count()).toBe(1);
      await roundAt(NOON_MS + week * 7 * DAY_MS);
    }
    expect([await count(), await listFailedEmails(inbox, 9)]).toEqual([0, []]);
  });
});

test('the response to a request is the same for new, pending, confirmed and unsubscribed addresses', async () => {
  await subscribe();
  await insertUnsubscription(inbox, emailRecipientDigest(inbox, 'nunca@correo.example'));
  const all = ['nueva@correo.example', 'nueva@correo.example', LOLA, 'Nunca+x@correo.example'];
  const answers = await Array.fromAsync(all, (email, at) =>
    send(ASK, { email, free: '1' }, `198.51.${at}.1`),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await mailer.after(61);
  expect(recipientAddresses().toSorted()).toEqual([LOLA, 'nueva@correo.example']);
  // A repeated request changes nothing.
  const query = await queryValue(inbox, 'select query from readers where email = ?', LOLA);
  expect([query, await count()]).toEqual(['', 2]);
});

test('erases an unconfirmed address after seven days; a restored backup brings back no unsubscribed one', async () => {
  await send(ASK, { email: LOLA });
  const asked_ms = mailer.now_ms;
  await eraseExpired(inbox, asked_ms + 7 * DAY_MS - 1);
  expect(await count()).toBe(1);
  expect(await eraseExpired(inbox, asked_ms + 7 * DAY_MS)).toBe(1);
  expect(await readStoredBytes({ inbox, folder })).not.toContain('lola.secreta');
  const path = await subscribe();
  const [row = {}] = await queryRows(inbox, 'select * from readers');
  await send(path, { does: 'leave' });
  const names = Object.keys(row);
  const marks = names.map(() => '?').join();
  const put = `insert into readers (${names.join()}) values (${marks})`;
  await queryRows(inbox, put, ...Object.values(row));
  expect([await count(), await deleteFormerSubscribers(inbox), await count()]).toEqual([1, 1, 0]);
});

test('rejects forms of robots and above the limits; without a mail server there is no newsletter', async () => {
  const request = (fields: VisitorRequest['fields']) => send(ASK, { email: LOLA, ...fields });
  for (const fields of [{ homepage: 'x' }, { email: 'a,b@correo.example' }, { zone: 'atlantis' }])
    expect(await request(fields)).toMatchObject({ kind: 'page', status: 422 });
  for (let at = 0; at < SOFT_LIMITS.sender.hour; at += 1)
    expect(await request({ email: `v${at}@correo.example` })).toMatchObject({ kind: 'redirect' });
  expect(await request({})).toMatchObject({ status: 429, page: { banner: expect.any(String) } });
  expect(await count()).toBe(SOFT_LIMITS.sender.hour);
  expect(await open(ASK, {}, state(false))).toMatchObject({ failure: 'not_found' });
  for (const is_mailed of [true, false]) {
    const calendar = await (
      await createMarkdownResponse(state(is_mailed), '/calendario', '')
    ).text();
    expect(calendar.includes('https://hoy.example/correo/nuevo')).toBe(is_mailed);
  }
});
