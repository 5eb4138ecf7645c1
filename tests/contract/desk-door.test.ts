// Desk access over HTTP: sign-in, sessions, editors, passwords and the second factor (contract 14.9, 14.37, 14.38).
import { Secret, TOTP } from 'otpauth';
import { expect, onTestFinished, test } from 'vitest';
import { addEditor } from '../../src/desk/editor-accounts.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { tryAcquireLock } from '../../src/releases/file-lock.ts';
import { dataLayout } from '../../src/releases/snapshots.ts';
import { signInAs, serveDesk, readCookie, readFieldValue } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { queryRows, submitTestEvent } from '../fixtures/inbox.ts';

const desk = await serveDesk();
const { server, inbox } = desk;
const ana = await signInAs(desk);
const ACCOUNT = '/revision/cuenta';
const EDITORS = '/revision/editores';
const getState = async (reference: string) => (await getSubmission(inbox, reference))?.state;

test('a stranger sees only the sign-in page, and cannot decide anything', async () => {
  const { reference } = await submitTestEvent(inbox, { title: 'Título reservado' });
  const item = `/revision/envios/${reference}`;
  for (const path of ['/revision', item, '/revision/eventos', '/revision/pendientes']) {
    const response = await server.get(path);
    expect(response.status).toBe(path === '/revision' ? 200 : 401);
    expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive');
    expect(await response.text()).not.toContain('Título reservado');
  }
  for (const path of [item, '/revision/registro', '/revision/avisos'])
    expect((await server.post(path, { does: 'reject', reason: 'x' })).status).toBe(401);
  expect(await getState(reference)).toBe('waiting');
});

test('a decision requires a form of its own session', async () => {
  const { reference } = await submitTestEvent(inbox, { title: 'Para decidir' });
  const path = `/revision/envios/${reference}`;
  const fields = { does: 'reject', reason: 'No es un evento', revision: '1' };
  expect([
    (await server.post(path, fields, { cookie: ana.cookie })).status,
    (await ana.post(path, { ...fields, csrf: 'x'.repeat(43) })).status,
    (await ana.post(path, fields, { origin: 'https://evil.example' })).status,
  ]).toEqual([403, 403, 403]);
  expect(await getState(reference)).toBe('waiting');
  expect((await ana.post(path, fields)).status).toBe(303);
  expect(await getState(reference)).toBe('refused');
});

test('the session cookie is HttpOnly and SameSite=Strict, and signing out ends the session', async () => {
  const response = await desk.logIn();
  expect([response.status, response.headers.get('location')]).toEqual([303, '/revision']);
  expect(response.headers.get('set-cookie')).toMatch(
    /^desk=[\w%.]{40,}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const cookie = readCookie(response);
  const readStartPage = async () => (await server.get('/revision', { cookie })).text();
  const html = await readStartPage();
  expect(html).toContain('Salir (ana)');
  await server.post('/revision/salir', { csrf: readFieldValue(html, 'csrf') }, { cookie });
  expect(await readStartPage(), 'the cookie remains, but its session has ended').not.toContain(
    'Salir (ana)',
  );
});

test('editors add and remove editors, but not the last one', async () => {
  const added = await (await ana.post(EDITORS, { does: 'add', name: 'eva' })).text();
  const eva = await signInAs(desk, 'eva', /<code>([a-z2-9-]{23})<\/code>/.exec(added)?.[1]);
  for (const [editor, action, name, status] of [
    [eva, 'add', 'leo', 200],
    [eva, 'remove', 'leo', 303],
    [ana, 'end_all', 'eva', 303],
    [ana, 'remove', 'eva', 303],
    [ana, 'remove', 'ana', 422],
  ] as const)
    expect((await editor.post(EDITORS, { does: action, name })).status, `${action} ${name}`).toBe(
      status,
    );
  expect(await eva.read('/revision')).not.toContain('Salir (eva)');
  expect((await listEditors(inbox)).map(({ name }) => name)).toEqual(['ana']);
});

test('an editor sets a password and a second factor, with recovery codes shown once', async () => {
  const first = await addEditor(inbox, 'Leo Ñu', FRIDAY_NOON_MS);
  // Decomposed ñ, as some keyboards type it.
  const leo = await signInAs(desk, ' Leo N\u0303u', first);
  const new_password = 'siete barcas en la laguna';
  expect(
    (await leo.post(ACCOUNT, { does: 'password', current: first, next: new_password })).status,
  ).toBe(303);
  expect(await leo.read('/revision')).not.toContain('Salir (Leo Ñu)');
  const session = await signInAs(desk, 'Leo Ñu', new_password);
  const factor_page = await (
    await session.post(ACCOUNT, { does: 'begin_factor', current: new_password })
  ).text();
  const [, recovery = ''] = /<code>([a-z2-9]{5}-[a-z2-9]{5})<\/code>/.exec(factor_page) ?? [];
  expect(await session.read(ACCOUNT)).not.toContain(recovery);
  const secret = Secret.fromBase32(/secret=([A-Z2-7]+)/.exec(factor_page)?.[1] ?? '');
  const code = new TOTP({ secret }).generate();
  expect((await session.post(ACCOUNT, { does: 'confirm_factor', code })).status).toBe(303);
  const factor_prompt = await desk.logIn('Leo Ñu', new_password);
  expect(factor_prompt.headers.get('set-cookie')).toBeNull();
  const fields = { ticket: readFieldValue(await factor_prompt.text(), 'ticket'), code: recovery };
  expect((await server.post('/revision/entrar', { name: 'Leo Ñu', ...fields })).status).toBe(303);
});

test('the desk shows the changes of the last release, and a build in progress', async () => {
  const last = /Última publicación: [\d: -]+\. \d+ eventos; nuevos: \d+/;
  expect(await ana.read('/revision')).toMatch(last);
  const path = `/revision/editar/${await desk.findEventId()}`;
  const cancelled = await ana.post(path, { does: 'cancel', date: 'all', reason: 'Llueve' });
  expect(cancelled.status).toBe(303);
  const BUILDING = 'Se está publicando';
  const readStartPage = () => ana.read('/revision');
  expect(await readStartPage()).toContain(BUILDING);
  await expect.poll(readStartPage, { timeout: 60_000 }).not.toContain(BUILDING);
  expect(await readStartPage()).toMatch(/cancelados: 1\b/);
});

test('the first screen says that a decision is not published yet', async () => {
  const release = tryAcquireLock(dataLayout(desk.settings.data_dir).lock_file);
  onTestFinished(() => release?.());
  await queryRows(
    inbox,
    "insert into decisions (at, editor, action, subject, weight, outcomes) values (?, 'ana', 'approve', '', 'agenda', '[]')",
    '2026-11-20T09:00:00-05:00',
  );
  const LATE = 'Hay una decisión que aún no se publica (2026-11-20 09:00)';
  const readStartPage = () => ana.read('/revision');
  expect(await readStartPage()).toContain(LATE);
  const { attention } = await (await server.get('/statusz')).json();
  expect(attention).toEqual([expect.stringMatching(/^decision: the one of 2026-11-20T09/)]);
  release?.();
  await expect.poll(readStartPage, { timeout: 60_000 }).not.toContain(LATE);
});

test('rejects sign-ins from an address after eight wrong passwords, and keeps existing sessions', async () => {
  const guessPassword = async () => (await desk.logIn('nadie', 'wrong')).status;
  const statuses = await Array.fromAsync(Array(9), guessPassword);
  expect(statuses).toEqual([...Array(8).fill(401), 429]);
  expect((await desk.logIn()).status).toBe(429);
  expect(await ana.read('/revision')).toContain('Salir (ana)');
});
