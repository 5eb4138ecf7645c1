// Queue item screens: work through the review queue, and reject decisions from outdated pages (contract 14.17, 14.21).
import { describe, expect, test } from 'vitest';
import {
  amendSubmission,
  requestStatusChange,
  withdrawSubmission,
} from '../../../src/desk/submissions.ts';
import { submissionToForm } from '../../../src/domain/submission/form-values.ts';
import { getCorrection, getSubmission } from '../../../src/inbox/changes.ts';
import { listDecisions } from '../../../src/inbox/decisions.ts';
import { publish } from '../../fixtures/approved.ts';
import {
  importCalendar,
  submitCalendar as sendImport,
  icsCalendar,
  icsEvent,
} from '../../fixtures/calendars.ts';
import { openDesk } from '../../fixtures/desk-visit.ts';
import { loadFixture } from '../../fixtures/fixture.ts';
import {
  useSharedInbox,
  queryRows,
  submitTestCorrection,
  submitTestEvent,
  SUBMISSION,
} from '../../fixtures/inbox.ts';
import { openPageContext } from '../../fixtures/site.ts';

const state = openPageContext();
const { snapshot, now_ms: NOW_MS } = state;
const [{ id: EVENT = '' } = {}] = loadFixture().events;
const { inbox } = await useSharedInbox();
const { ask } = await openDesk(inbox, state);

const submit = async (title: string, changed: Partial<typeof SUBMISSION> = {}, now_ms = NOW_MS) =>
  (await submitTestEvent(inbox, { title, ...changed }, 'form', now_ms)).reference;
const itemPath = (reference: string): string => `/revision/envios/${reference}`;
const press = (reference: string, does: string, fields: Readonly<Record<string, string>> = {}) =>
  ask(itemPath(reference), { revision: '1', does, ...fields });
const stateOf = async (reference: string) => (await getSubmission(inbox, reference))?.state;
const reasonOf = async (reference: string) => (await getSubmission(inbox, reference))?.reason;

describe('the review queue', () => {
  test('lists cancellation requests first, then events by date, then flagged submissions', async () => {
    const reference = await publish(inbox, { title: 'Fila: se cancela' });
    const flagged = await submit('Fila: dudosa');
    await submit('Fila: clara');
    await submit('Fila: de mañana', { start: '2026-11-21T20:00', end: null, dates: [] });
    const request = { asks: 'cancel', message: 'Sí', dates: null } as const;
    await requestStatusChange(inbox, { reference, now_ms: NOW_MS, ...request });
    await queryRows(inbox, 'update changes set is_doubtful = 1 where reference = ?', flagged);
    const { page_json } = await ask('/revision/pendientes?q=fila');
    const titles = page_json.match(/(?<="title":"Fila: )[^"]+/g);
    expect(titles).toEqual(['se cancela', 'de mañana', 'clara', 'dudosa']);
    expect(page_json.match(/marcado: llegó después/g)).toHaveLength(1);
  });
  test('lists a hundred items, with the total count', async () => {
    for (let index = 0; index < 101; index += 1) await submit(`En hilera ${index}`);
    const { page_json } = await ask('/revision/pendientes?q=hilera');
    expect(page_json).toContain('(101)');
    expect(page_json.match(/"title":"En hilera/g)).toHaveLength(100);
  });
  test('opens the next item after a decision, with an undo button', async () => {
    const reference = await submit('Cosa una');
    const next = /"next_path":"([^"]+)"/.exec((await ask(itemPath(reference))).page_json)?.[1];
    const { location } = await press(reference, 'reject:spam');
    expect(location).toBe(`${next}?done=reject`);
    const last_decision = { refusal: null, decision: { action: 'reject', subject: reference } };
    const frame = { message: expect.stringContaining('rechazado'), last_decision };
    expect((await ask(location)).page).toMatchObject({ frame });
  });
});

describe('an item', () => {
  test('is sent back with a preset reason in the language of its sender', async () => {
    const [asked, rejected] = [
      await submit('Where is it', { lang: 'en' }),
      await submit('Privada'),
    ];
    await press(asked, 'ask:place', { reason: 'Thanks!' });
    await press(rejected, 'reject:private');
    expect(await stateOf(asked)).toBe('asked');
    expect(await reasonOf(asked)).toMatch(/where it is.* Thanks!$/);
    expect(await reasonOf(rejected)).toContain('abierto al público');
  });
  test('is rejected as a duplicate with a link to the published event', async () => {
    const [first, second, other] = [
      await submit('Doble a'),
      await submit('Doble b'),
      await submit('Doble c'),
    ];
    await press(first, `duplicate:${EVENT}`);
    expect(await reasonOf(first)).toMatch(/https:\/\/agenda\.example\/eventos\//);
    await press(second, `duplicate:${other}`);
    expect(await reasonOf(second)).toContain('Ya nos había llegado');
    expect((await press(other, 'duplicate:nada-de-nada')).status).toBe(422);
  });
  test('shows each field of a published event before and after its amendment', async () => {
    const reference = await publish(inbox, { title: 'Con hora' });
    const submission = { ...SUBMISSION, title: 'Con hora', start: '2026-12-05T21:30' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    expect((await ask(itemPath(reference))).page_json).toMatch(
      /"Antes","text":"20:00[^"]*"},{"label":"Ahora","text":"21:30/,
    );
  });
  test('rejects decisions from an outdated page, and shows the new text with the typed additions', async () => {
    const reference = await submit('Con hora mala');
    const fields = { title: 'Con hora mala', other_title: 'Typed by Ana', revision: '1' };
    const foreign = await press(reference, 'approve', { ...fields, csrf: 'x'.repeat(43) });
    expect([foreign.status, foreign.page_json]).toEqual([
      403,
      expect.stringContaining('Typed by Ana'),
    ]);
    const submission = { ...SUBMISSION, title: 'Con hora buena' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    const form = { values: { title: 'Con hora buena' } };
    const view = { stored: { revision: 2 }, form, additions: { other_title: 'Typed by Ana' } };
    for (const [does, status] of Object.entries({ approve: 409, look: 200, reject: 422 })) {
      const response = await press(reference, does, fields);
      expect(response, does).toMatchObject({ status, page: { view } });
    }
    const pending = { state: 'waiting', revision: 2, draft: null };
    expect(await getSubmission(inbox, reference)).toMatchObject(pending);
    await withdrawSubmission(inbox, reference);
    const withdrawn = await press(reference, 'approve', { ...fields, revision: '2' });
    const view_after = { item: { is_pending: false } };
    expect(withdrawn).toMatchObject({ status: 409, page: { view: view_after } });
  });
  test('erases its private data, and reopens after a decision', async () => {
    const reference = await submit('Para olvidar');
    const erased = await press(reference, 'erase');
    expect(erased.location).toBe(`${itemPath(reference)}?done=erased`);
    expect((await ask(erased.location)).page).toMatchObject({
      view: { item: { private_data: null } },
    });
    expect((await getSubmission(inbox, reference))?.text.contact_email).toBeNull();
    await press(reference, 'reject', { reason: 'No es un evento' });
    expect((await press(reference, 'reject', { reason: 'x' })).status).toBe(409);
    await press(reference, 'reopen', { reason: 'Sí lo es' });
    expect(await stateOf(reference)).toBe('waiting');
  });
});

test('an imported calendar ignores Enter in a text field, and stays open until all events are decided', async () => {
  const here = { inbox, snapshot };
  const calendar = icsCalendar(icsEvent('Uno', 1), icsEvent('Dos', 2));
  const reference = await sendImport(here, await importCalendar(here, calendar));
  const { page_json } = await ask(itemPath(reference));
  const [first = '', second = ''] = page_json.match(/(?<="id":")HC-\w+/g) ?? [];
  const row = { [`category_${first}`]: 'live-music', [`other_title_${first}`]: 'Typed by Ana' };
  const response = await press(reference, 'look', { pick: `${first},${second}`, ...row });
  expect([response.status, response.page_json]).toEqual([
    200,
    expect.stringContaining('Typed by Ana'),
  ]);
  expect(await stateOf(first)).toBe('waiting');
  const selection = { pick: first, [`revision_${first}`]: '1' };
  const { location } = await press(reference, 'reject:spam', selection);
  const last_decision = { decision: { action: 'reject', subject: reference } };
  const frame = { message: expect.stringContaining('rechazado'), last_decision };
  expect((await ask(location)).page).toMatchObject({ frame, view: { pending_count: 1 } });
});

test('a correction accepts no other action than done and reject, and can be reopened', async () => {
  const reference = await submitTestCorrection(inbox, 'Empieza a las nueve.', EVENT);
  for (const does of ['approve', 'ask', 'nothing'])
    expect((await press(reference, does, { reason: 'x' })).status, does).toBe(409);
  expect((await getCorrection(inbox, reference))?.state).toBe('waiting');
  expect((await press(reference, 'reject:spam')).status).toBe(303);
  expect((await getCorrection(inbox, reference))?.state).toBe('refused');
  await press(reference, 'reopen', { reason: 'Sigue así' });
  expect((await getCorrection(inbox, reference))?.state).toBe('waiting');
});

test('the log undoes any decision, and shows why one cannot be undone', async () => {
  const [first, second] = [await submit('Primera'), await submit('Segunda')];
  for (const reference of [first, second]) await press(reference, 'reject', { reason: 'No es' });
  const { page } = await ask(`/revision/registro?q=${first}`);
  const [newer, older] = await listDecisions(inbox, 2);
  expect(page).toMatchObject({ view: { lines: [{ decision: { id: older?.id } }] } });
  const undo = () => ask('/revision/registro', { id: String(older?.id) });
  expect((await undo()).location).toBe('/revision/registro?done=undone');
  expect([await stateOf(first), await stateOf(second)]).toEqual(['waiting', 'refused']);
  const second_undo = await undo();
  expect([second_undo.status, second_undo.page_json]).toEqual([
    409,
    expect.stringContaining('Ya se había'),
  ]);
  await press(second, 'reopen', { reason: 'Sí lo es' });
  const log = await ask(`/revision/registro?q=${newer?.id}`);
  expect(log.page).toMatchObject({ view: { lines: [{ refusal: 'decided_since' }] } });
});

test('pending changes that cannot be parsed are listed with the omitted records', async () => {
  const reference = await submit('Ilegible');
  await queryRows(inbox, "update changes set text = 'x' where reference = ?", reference);
  expect((await ask('/revision')).page_json).toContain(`${reference} está pendiente y no se puede`);
});

test('the screen of a submission names the holidays that rest until a date has them', async () => {
  const resting = ['2026-12-25', '2027-01-01'];
  const reference = await submit('Descansa', { dates: ['2027-01-08'], resting });
  expect((await ask(itemPath(reference))).page_json).toContain(
    `"resting_days":${JSON.stringify(resting)}`,
  );
  const form = submissionToForm({ ...SUBMISSION, title: 'Descansa' });
  const { page_json } = await press(reference, 'look', {
    ...form,
    dates: '2026-12-25, 2027-01-08',
  });
  expect(page_json).toContain('"resting_days":["2027-01-01"]');
});

describe('the link of a video call', () => {
  const call = 'https://us02web.zoom.us/j/123?pwd=1';
  const answer = call.replace('https://us02web.', '');
  const description = `Una charla en línea, por ${call}`;

  test.each(['form', 'agent'] as const)(
    'is published only if the editor confirms it, and asked about again if it changes: %s',
    async (door) => {
      const text = { title: `Charla ${door}`, description };
      const { reference } = await submitTestEvent(inbox, text, door, NOW_MS);
      const { page_json } = await ask(itemPath(reference));
      expect(page_json).toContain('"join_link"');
      const form = { ...submissionToForm({ ...SUBMISSION, ...text }), summary: 'Charla' };
      const approve = (fields: Readonly<Record<string, string>>) =>
        press(reference, 'approve', { ...form, ...fields });
      const refused = { status: 422, page_json: expect.stringContaining('quítalo del texto') };
      expect(await approve({})).toMatchObject(refused);
      const other = description.replace('/123', '/124');
      expect(await approve({ description: other, join_link: answer })).toMatchObject(refused);
      expect(await stateOf(reference)).toBe('waiting');
      await approve({ join_link: answer });
      expect(await stateOf(reference)).toBe('applied');
    },
  );

  test('is confirmed in the row of an imported calendar', async () => {
    const here = { inbox, snapshot };
    const calendar = icsCalendar(icsEvent('Charla importada', 1, `DESCRIPTION:${description}\n`));
    const reference = await sendImport(here, await importCalendar(here, calendar));
    const { page_json } = await ask(itemPath(reference));
    const [row = ''] = page_json.match(/(?<="id":")HC-\w+/g) ?? [];
    const selection = { pick: row, [`revision_${row}`]: '1' };
    const refused = await press(reference, 'approve', selection);
    expect(refused).toMatchObject({
      status: 422,
      page_json: expect.stringContaining(`"confirms":"${answer}"`),
    });
    await press(reference, 'approve', {
      ...selection,
      [`category_${row}`]: 'live-music',
      [`summary_${row}`]: 'Charla',
      [`join_link_${row}`]: answer,
    });
    expect(await stateOf(row)).toBe('applied');
  });
});
