// The review desk in a terminal: what it decides, as the desk on the web does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listSent } from '../../src/desk/batch-sent.ts';
import { saveDraft, toDraft } from '../../src/desk/review.ts';
import { toFormValues } from '../../src/domain/submission/form.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listOverrides } from '../../src/inbox/overrides.ts';
import { listMerges } from '../../src/inbox/patches.ts';
import { listPublications } from '../../src/inbox/publications.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { isUnswept } from '../../src/inbox/sweep.ts';
import { type DeskServer, startDesk } from '../fixtures/desk-server.ts';
import { bring, getBatch, send, toCalendar, toEvent } from '../fixtures/calendars.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';

let opened: DeskServer;
beforeAll(async () => {
  opened = await startDesk();
});
afterAll(() => opened.stop());

test('the terminal decides like the desk', async () => {
  const { inbox, review } = opened;
  const { reference } = sendIn(inbox, {
    title: 'Desde la terminal',
    ticket_url: 'https://boletos.example',
    ...{ hour: 'unknown', start: '2026-12-05', end: null },
  });
  const { ticket_url: _, ...draft } = toDraft(
    toFormValues(getSubmission(inbox, reference)?.submission ?? SUBMISSION),
  );
  saveDraft(inbox, { reference, revision: 1, editor: 'ana', now_ms: FRIDAY_NOON_MS }, draft);
  expect((await review('list')).output).toContain(reference);
  const shown = (await review('show', reference)).output;
  expect([shown.includes('"hour": "unknown"'), shown.includes('"hour_unknown"')]).toEqual([
    true,
    true,
  ]);
  const refused = await review('approve', reference);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/other_title: missing/),
  ]);
  const approved = await review(
    'approve',
    reference,
    '--other-title',
    'From the terminal',
    '--summary',
    'Una noche.',
    '--other-summary',
    'A night.',
  );
  expect([approved.code, getSubmission(inbox, reference)?.is_published]).toEqual([0, true]);
  expect(
    JSON.stringify(listPublications(inbox)),
    'what the reviewer emptied stays so',
  ).not.toContain('boletos.example');
  expect((await review('reject', reference, '--reason', 'x')).code).toBe(1);
  expect((await review('withdraw', 'nada', '--reason', 'x')).output).toContain(
    "no published event 'nada'",
  );
});

test('the terminal cancels, postpones and restores what is published, and undoes the newest decision', async () => {
  const { inbox, review } = opened;
  const event = await opened.findEventId();
  expect(await review('cancel', event, '--reason', ' ')).toMatchObject({
    code: 1,
    output: expect.stringContaining('--reason: say why'),
  });
  expect(await review('cancel', event, '--reason', 'Llueve')).toMatchObject({
    code: 0,
    output: expect.stringContaining('within seconds'),
  });
  expect(await review('restore', event)).toMatchObject({ code: 0 });
  const record = () => listOverrides(inbox).find((row) => row.event === event)?.record;
  expect(record()).toEqual({ status: 'published' });
  expect(await review('undo')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`restore of ${event}`),
  });
  expect([record(), listDecisions(inbox, 2).map(({ action }) => action)]).toEqual([
    { status: 'cancelled' },
    ['undo', 'restore'],
  ]);
  expect((await review('undo')).code).toBe(1);
  expect((await review('undo', 'x')).code).toBe(1);
  const log = (await review('log', event)).output;
  const number = /^(\d+) .* {2}cancel {2}/m.exec(log)?.[1] ?? '';
  expect(log).toContain(`npm run review -- undo ${number}`);
  expect(await review('undo', number, '--reason', 'No llueve')).toMatchObject({ code: 0 });
  expect([record(), listDecisions(inbox, 1)[0]]).toMatchObject([
    undefined,
    { action: 'undo', undoes: Number(number), reason: 'No llueve' },
  ]);
});

test('the terminal takes up again what was decided', async () => {
  const { inbox, review } = opened;
  const { reference } = sendIn(inbox, { title: 'Rechazada por error' });
  await review('reject', reference, '--reason', 'No es un evento');
  expect(await review('reopen', reference)).toMatchObject({
    code: 1,
    output: expect.stringContaining('--reason: say why'),
  });
  expect(await review('reopen', reference, '--reason', 'Sí lo es')).toMatchObject({ code: 0 });
  expect(getSubmission(inbox, reference)?.state).toBe('pending');
});

test('the terminal shows a calendar, approves what it does not leave out, and sends the rest back', async () => {
  const { inbox, review } = opened;
  const town = openFixture();
  const token = bring(
    { inbox, snapshot: town.snapshot },
    toCalendar(
      toEvent('Cine de barrio', 1),
      toEvent('Taller de títeres', 2),
      toEvent('Noche de poesía', 3),
    ),
  );
  const reference = send({ inbox, snapshot: town.snapshot }, token);
  town.close();
  const own = listSent(inbox, getBatch(inbox, token)).map(({ stored }) => stored.reference);
  const states = () => own.map((one) => getSubmission(inbox, one)?.state);
  expect((await review('list', '--kind', 'batch')).output).toContain(reference);
  const shown = (await review('show', reference)).output;
  expect(shown).toContain(`${reference}  Ciclo  from a file`);
  for (const one of own) expect(shown).toMatch(new RegExp(`${one} +pending +2026-12-0`));
  expect(await review('approve', reference, own[2] ?? '')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`2 of ${reference} are approved`),
  });
  expect(states()).toEqual(['approved', 'approved', 'pending']);
  expect(await review('ask', reference, '--because', 'hour')).toMatchObject({ code: 0 });
  expect(getSubmission(inbox, own[2] ?? '')).toMatchObject({
    ...{ state: 'changes_requested', reason: expect.stringContaining('hora') },
  });
  expect(await review('undo')).toMatchObject({ code: 0 });
  expect(await review('reject', reference, '--because', 'spam')).toMatchObject({ code: 0 });
  expect(states()).toEqual(['approved', 'approved', 'rejected']);
  expect((await review('approve', reference)).output).toContain('at least one');
});

test('the terminal writes a notice, says what is wrong with one, and closes it once', async () => {
  const { inbox, review } = opened;
  const fields = [
    'type=traffic',
    'severity=warning',
    'title_es=Cierre en la Tulum',
    'title_en=Closure on Tulum Avenue',
    'body_es=Cerrada por obras.',
    'source_url=https://transito.example/1',
  ];
  expect(await review('notice', ...fields)).toMatchObject({
    code: 1,
    output: expect.stringContaining('body_en: '),
  });
  expect(await review('notice', 'tipo=traffic')).toMatchObject({
    code: 1,
    output: expect.stringContaining("'tipo' is no field"),
  });
  expect(await review('notice', ...fields, 'body_en=Closed for works.')).toMatchObject({
    code: 0,
    output: expect.stringContaining('npm run release'),
  });
  const listed = await review('notices');
  const id = /(notice-\w+) {2}open {2}warning {3}Cierre en la Tulum/.exec(listed.output)?.[1] ?? '';
  expect(await review('close', id)).toMatchObject({ code: 0 });
  expect(await review('close', id)).toMatchObject({
    code: 1,
    output: expect.stringContaining('closed already'),
  });
  expect(
    listDecisions(inbox, 2).map(({ action, editor }) => [action, editor.endsWith('(terminal)')]),
  ).toEqual([
    ['close_notice', true],
    ['write_notice', true],
  ]);
});

test('the terminal erases what is private', async () => {
  const { inbox, review } = opened;
  const { reference } = sendIn(inbox, { title: 'Para olvidar' });
  expect(await review('erase', reference)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Backups made before'),
  });
  expect(isUnswept(inbox)).toBe(false);
  expect(await review('sweep')).toMatchObject({ code: 0 });
  expect(getSubmission(inbox, reference)?.submission.contact_email).toBeNull();
  expect((await review('erase', 'HC-NADA99')).output).toContain('no such submission');
});

test('the terminal makes two one and two again', async () => {
  const { inbox, review } = opened;
  const [kept, old] = ['malecon-inventado', 'foro-sin-punto'];
  const merge = ['merge', 'venue', old, kept, '--reason'];
  expect(await review(...merge, '')).toMatchObject({
    code: 1,
    output: expect.stringContaining('--reason: say why'),
  });
  expect(await review(...merge, 'Es el mismo')).toMatchObject({ code: 0 });
  const [{ old: id = '' } = {}] = listMerges(inbox);
  expect((await review('edits')).output).toContain(`merged    venue      ${id} into`);
  expect(await review('merge', 'venue', kept, old, '--reason', 'x')).toMatchObject({
    code: 1,
    output: expect.stringContaining('cannot be one'),
  });
  expect(await review('split', 'venue', id)).toMatchObject({ code: 0 });
  expect(listMerges(inbox)).toEqual([]);
});
