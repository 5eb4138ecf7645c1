// The queue as it is served: urgency, several rejected at once, reasons in each sender's language, claims,
// before and after (contract 14.21 to 14.23).
import { describe, expect, test } from 'vitest';
import { addEditor } from '../../src/desk/editors.ts';
import { correct, requestChange } from '../../src/desk/submit.ts';
import { sendCorrection } from '../../src/desk/corrections.ts';
import { getCorrection } from '../../src/inbox/corrections.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { publish } from '../fixtures/approved.ts';
import { comeIn, serveDesk } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';

const desk = await serveDesk();
const { read, post } = await comeIn(desk);

const send = (title: string, changed: Partial<typeof SUBMISSION> = {}): string =>
  sendIn(desk.inbox, { title, ...changed }).reference;
const reasonOf = (reference: string) => getSubmission(desk.inbox, reference)?.reason;
const inOrder = (html: string, ...words: readonly string[]): boolean =>
  words.every((word, at) => at === 0 || html.indexOf(words[at - 1] ?? '') < html.indexOf(word));

test('what is cancelled stands first, then what is soon, then the rest, in page and terminal', async () => {
  const reference = publish(desk.inbox, { title: 'Se cancela' });
  const rest = send('De diciembre');
  const soon = send('De mañana', { start: '2026-11-21T20:00', end: null, dates: [] });
  requestChange(desk.inbox, { reference, now_ms: FRIDAY_NOON_MS, asks: 'cancel', message: 'Sí' });
  expect(
    inOrder(await read('/revision'), 'Se cancela</a>', 'De mañana</a>', 'De diciembre</a>'),
  ).toBe(true);
  expect((await read('/revision?group=soon')).match(/<li data-item/g)).toHaveLength(1);
  expect(inOrder((await desk.review('list')).output, reference, soon, rest)).toBe(true);
});

describe('several at once', () => {
  test('are rejected for a reason that each reads in their own language; what changed is left alone', async () => {
    const [es, en, late] = [send('Basura uno'), send('Junk two', { lang: 'en' }), send('Tarde')];
    const { reference: report } = sendCorrection(desk.inbox, {
      correction: { change: 'Compre ya en mi tienda', source_url: null, contact_email: null },
      about: { kind: 'venue', id: 've_x', title: 'Plaza' },
      lang: 'en',
      sender: '2001:db8:99:0::/64',
      now_ms: FRIDAY_NOON_MS,
    });
    correct(desk.inbox, { reference: late, now_ms: FRIDAY_NOON_MS, submission: SUBMISSION });
    const pick = [es, en, late, report].map((reference) => `${reference}.1`).join(',');
    const answer = await post('/revision/varios', { pick, does: 'spam', words: 'Gracias.' });
    const html = await read(answer.headers.get('location') ?? '');
    expect(html).toContain('3 rechazados');
    expect(html).toContain(`no se tocaron: ${late}`);
    expect(reasonOf(es)).toMatch(/^No parece un evento.*Gracias\.$/);
    expect(reasonOf(en)).toMatch(/^It doesn’t look like an event/);
    expect([getCorrection(desk.inbox, report)?.state, reasonOf(late)]).toEqual(['dismissed', null]);
  });
  test('nothing checked says so; all of a page are checked by a link', async () => {
    expect((await post('/revision/varios', { does: 'spam' })).status).toBe(422);
    expect(await read('/revision?pick=all')).toMatch(/type="checkbox" name="pick"[^>]* checked/);
  });
});

test('one is sent back by a button, in the language it was written in', async () => {
  const [asked, rejected] = [send('Where is it', { lang: 'en' }), send('Privada')];
  await post(`/revision/envios/${asked}`, { revision: '1', does: 'ask:place', reason: 'Thanks!' });
  await post(`/revision/envios/${rejected}`, { revision: '1', does: 'reject:private' });
  expect([getSubmission(desk.inbox, asked)?.state, reasonOf(asked)]).toEqual([
    'changes_requested',
    'We need to know where it is: add the address or how to get there. Thanks!',
  ]);
  expect(reasonOf(rejected)).toContain('abierto al público');
});

test('a duplicate is rejected with the page of what is there already', async () => {
  const [one, two, wrong] = [send('Doble uno'), send('Doble dos'), send('Doble tres')];
  const event = await desk.findEventId();
  await post(`/revision/envios/${one}`, { revision: '1', does: 'duplicate', duplicate_of: event });
  expect(reasonOf(one)).toMatch(/^Ya está en la agenda: .+, http:\/\/127\.0\.0\.1:4399\/eventos\//);
  await post(`/revision/envios/${two}`, { revision: '1', does: `duplicate:${wrong}` });
  expect(reasonOf(two)).toBe('Ya nos había llegado, así que no lo publicamos dos veces.');
  const refused = await post(`/revision/envios/${wrong}`, {
    revision: '1',
    does: 'duplicate',
    duplicate_of: 'nada-de-nada',
  });
  expect([refused.status, (await refused.text()).includes('value="nada-de-nada"')]).toEqual([
    422,
    true,
  ]);
});

test('who opens an item has it for a while: another sees so, skips it, and may take it', async () => {
  const reference = send('De una sola persona');
  const path = `/revision/envios/${reference}`;
  expect(await read(path)).toContain('Lo estás viendo tú');
  const password = await addEditor(desk.inbox, 'beto', 0);
  const other = await comeIn(desk, 'beto', password);
  expect(await other.read(path)).toMatch(/Lo está viendo ana, hasta las \d\d:\d\d/);
  expect(await other.read('/revision?q=sola+persona')).toContain('Lo está viendo ana');
  await other.post(path, { does: 'take' });
  expect(await read(path)).toContain('Lo está viendo beto');
});

test('a correction of what is published says each field before and after', async () => {
  const reference = publish(desk.inbox, { title: 'Con hora' });
  const submission = {
    ...SUBMISSION,
    title: 'Con hora',
    start: '2026-12-05T21:30',
    zone: 'hotel-zone',
  };
  correct(desk.inbox, { reference, now_ms: FRIDAY_NOON_MS + 60_000, submission });
  const html = await read(`/revision/envios/${reference}`);
  expect(html.replace(/<[^>]+>|\s+/g, ' ')).toMatch(/Antes +20:00 +Ahora +21:30/);
  expect(html).toMatch(/<del>Centro<\/del>/);
});
