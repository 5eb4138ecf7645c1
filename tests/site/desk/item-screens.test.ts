// The queue worked through, and what a stale page cannot do (contract 14.17, 14.21).
import { describe, expect, test } from 'vitest';
import {
  amendSubmission,
  requestStatusChange,
  withdrawSubmission,
} from '../../../src/desk/submissions.ts';
import { getCorrection, getSubmission } from '../../../src/inbox/changes.ts';
import { listDecisions } from '../../../src/inbox/decisions.ts';
import { publish } from '../../fixtures/approved.ts';
import { bring, send as sendBatch, toCalendar, toEvent } from '../../fixtures/calendars.ts';
import { enterDesk } from '../../fixtures/desk-visit.ts';
import { readFixture } from '../../fixtures/fixture.ts';
import { useOneInbox, readRows, report, sendIn, SUBMISSION } from '../../fixtures/inbox.ts';
import { openState } from '../../fixtures/site.ts';

const state = openState();
const { snapshot, now_ms: NOW_MS } = state;
const [{ id: EVENT = '' } = {}] = readFixture().events;
const { inbox } = await useOneInbox();
const { ask } = await enterDesk(inbox, state);

const send = async (title: string, changed: Partial<typeof SUBMISSION> = {}, now_ms = NOW_MS) =>
  (await sendIn(inbox, { title, ...changed }, 'form', now_ms)).reference;
const toPath = (reference: string): string => `/revision/envios/${reference}`;
const press = (reference: string, does: string, fields: Readonly<Record<string, string>> = {}) =>
  ask(toPath(reference), { revision: '1', does, ...fields });
const stateOf = async (reference: string) => (await getSubmission(inbox, reference))?.state;
const reasonOf = async (reference: string) => (await getSubmission(inbox, reference))?.reason;

describe('the queue', () => {
  test('has what is cancelled first, then what is soon, then the rest, what is doubtful behind', async () => {
    const reference = await publish(inbox, { title: 'Fila: se cancela' });
    const doubtful = await send('Fila: dudosa');
    await send('Fila: clara');
    await send('Fila: de mañana', { start: '2026-11-21T20:00', end: null, dates: [] });
    const asked = { asks: 'cancel', message: 'Sí', dates: null } as const;
    await requestStatusChange(inbox, { reference, now_ms: NOW_MS, ...asked });
    await readRows(inbox, 'update changes set is_doubtful = 1 where reference = ?', doubtful);
    const { says } = await ask('/revision/pendientes?q=fila');
    const titles = says.match(/(?<="title":"Fila: )[^"]+/g);
    expect(titles).toEqual(['se cancela', 'de mañana', 'clara', 'dudosa']);
    expect(says.match(/dudoso: llegó cuando/g)).toHaveLength(1);
  });
  test('shows a hundred, and says that there are more', async () => {
    for (let at = 0; at < 101; at += 1) await send(`En hilera ${at}`);
    const { says } = await ask('/revision/pendientes?q=hilera');
    expect(says).toContain('(101)');
    expect(says.match(/"title":"En hilera/g)).toHaveLength(100);
  });
  test('is worked through: a decision opens the next one, with the way back to what was decided', async () => {
    const one = await send('Cosa una');
    const next = /"next_path":"([^"]+)"/.exec((await ask(toPath(one))).says)?.[1];
    const { location } = await press(one, 'reject:spam');
    expect(location).toBe(`${next}?done=reject`);
    const last = { refusal: null, decision: { action: 'reject', subject: one } };
    const frame = { notice: expect.stringContaining('rechazado'), last };
    expect((await ask(location)).page).toMatchObject({ frame });
  });
});

describe('an item', () => {
  test('is sent back by a button, in the language it was written in', async () => {
    const [asked, rejected] = [await send('Where is it', { lang: 'en' }), await send('Privada')];
    await press(asked, 'ask:place', { reason: 'Thanks!' });
    await press(rejected, 'reject:private');
    expect(await stateOf(asked)).toBe('asked');
    expect(await reasonOf(asked)).toMatch(/where it is.* Thanks!$/);
    expect(await reasonOf(rejected)).toContain('abierto al público');
  });
  test('is rejected as a duplicate with the page of what is there already', async () => {
    const [one, two, other] = [await send('Doble a'), await send('Doble b'), await send('Doble c')];
    await press(one, `duplicate:${EVENT}`);
    expect(await reasonOf(one)).toMatch(/https:\/\/agenda\.example\/eventos\//);
    await press(two, `duplicate:${other}`);
    expect(await reasonOf(two)).toContain('Ya nos había llegado');
    expect((await press(other, 'duplicate:nada-de-nada')).status).toBe(422);
  });
  test('shows each field before and after of a correction of what is published', async () => {
    const reference = await publish(inbox, { title: 'Con hora' });
    const submission = { ...SUBMISSION, title: 'Con hora', start: '2026-12-05T21:30' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    expect((await ask(toPath(reference))).says).toMatch(
      /"Antes","words":"20:00[^"]*"},{"who":"Ahora","words":"21:30/,
    );
  });
  test('is decided by no stale page, which shows what was typed again over what is there now', async () => {
    const reference = await send('Con hora mala');
    const fields = { title: 'Con hora mala', other_title: 'Typed by Ana', revision: '1' };
    const foreign = await press(reference, 'approve', { ...fields, csrf: 'x'.repeat(43) });
    expect([foreign.status, foreign.says]).toEqual([403, expect.stringContaining('Typed by Ana')]);
    const submission = { ...SUBMISSION, title: 'Con hora buena' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    const form = { values: { title: 'Con hora buena' } };
    const view = { stored: { revision: 2 }, form, additions: { other_title: 'Typed by Ana' } };
    for (const [does, status] of Object.entries({ approve: 409, look: 200, reject: 422 })) {
      const stale = await press(reference, does, fields);
      expect(stale, does).toMatchObject({ status, page: { view } });
    }
    const waiting = { state: 'waiting', revision: 2, draft: null };
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    await withdrawSubmission(inbox, reference);
    const late = await press(reference, 'approve', { ...fields, revision: '2' });
    expect(late).toMatchObject({ status: 409, page: { view: { item: { waits: false } } } });
  });
  test('loses what is private of it, and is taken up again, at a button', async () => {
    const reference = await send('Para olvidar');
    const erased = await press(reference, 'erase');
    expect(erased.location).toBe(`${toPath(reference)}?done=erased`);
    expect((await ask(erased.location)).page).toMatchObject({ view: { item: { held: null } } });
    expect((await getSubmission(inbox, reference))?.text.contact_email).toBeNull();
    await press(reference, 'reject', { reason: 'No es un evento' });
    expect((await press(reference, 'reject', { reason: 'x' })).status).toBe(409);
    await press(reference, 'reopen', { reason: 'Sí lo es' });
    expect(await stateOf(reference)).toBe('waiting');
  });
});

test('of a calendar Enter in a line decides nothing, and a decision stays with what is left', async () => {
  const here = { inbox, snapshot };
  const calendar = toCalendar(toEvent('Uno', 1), toEvent('Dos', 2));
  const reference = await sendBatch(here, await bring(here, calendar));
  const { says } = await ask(toPath(reference));
  const [first = '', second = ''] = says.match(/(?<="id":")HC-\w+/g) ?? [];
  const row = { [`category_${first}`]: 'live-music', [`other_title_${first}`]: 'Typed by Ana' };
  const looked = await press(reference, 'look', { pick: `${first},${second}`, ...row });
  expect([looked.status, looked.says]).toEqual([200, expect.stringContaining('Typed by Ana')]);
  expect(await stateOf(first)).toBe('waiting');
  const sent_back = { pick: first, [`revision_${first}`]: '1' };
  const { location } = await press(reference, 'reject:spam', sent_back);
  const last = { decision: { action: 'reject', subject: reference } };
  const frame = { notice: expect.stringContaining('rechazado'), last };
  expect((await ask(location)).page).toMatchObject({ frame, view: { waiting: 1 } });
});

test('a report is settled or dismissed by no other button, and taken up again', async () => {
  const reference = await report(inbox, 'Empieza a las nueve.', EVENT);
  for (const does of ['approve', 'ask', 'nothing'])
    expect((await press(reference, does, { reason: 'x' })).status, does).toBe(409);
  expect((await getCorrection(inbox, reference))?.state).toBe('waiting');
  expect((await press(reference, 'reject:spam')).status).toBe(303);
  expect((await getCorrection(inbox, reference))?.state).toBe('refused');
  await press(reference, 'reopen', { reason: 'Sigue así' });
  expect((await getCorrection(inbox, reference))?.state).toBe('waiting');
});

test('any decision is undone from the log, which says why one cannot be', async () => {
  const [first, second] = [await send('Primera'), await send('Segunda')];
  for (const reference of [first, second]) await press(reference, 'reject', { reason: 'No es' });
  const { page } = await ask(`/revision/registro?q=${first}`);
  const [newer, older] = await listDecisions(inbox, 2);
  expect(page).toMatchObject({ view: { lines: [{ decision: { id: older?.id } }] } });
  const undo = () => ask('/revision/registro', { id: String(older?.id) });
  expect((await undo()).location).toBe('/revision/registro?done=undone');
  expect([await stateOf(first), await stateOf(second)]).toEqual(['waiting', 'refused']);
  const again = await undo();
  expect([again.status, again.says]).toEqual([409, expect.stringContaining('Ya se había')]);
  await press(second, 'reopen', { reason: 'Sí lo es' });
  const log = await ask(`/revision/registro?q=${newer?.id}`);
  expect(log.page).toMatchObject({ view: { lines: [{ refusal: 'decided_since' }] } });
});

test('what waits and cannot be read is named among what could not be taken', async () => {
  const reference = await send('Ilegible');
  await readRows(inbox, "update changes set text = 'x' where reference = ?", reference);
  expect((await ask('/revision')).says).toContain(`${reference} espera y no se puede`);
});
