// The door of the desk as it is served (contract 14.9, 14.37, 14.38).
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { addEditor } from '../../src/desk/editor-accounts.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { signInAs, serveDesk, readCookie, readFieldValue } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { submitTestEvent } from '../fixtures/inbox.ts';

const opened = await serveDesk();
const { server, inbox } = opened;
const ana = await signInAs(opened);
const ACCOUNT = '/revision/cuenta';
const EDITORS = '/revision/editores';
const stateOf = async (reference: string) => (await getSubmission(inbox, reference))?.state;

test('it shows a stranger the way in and nothing else, and takes nothing from one', async () => {
  const { reference } = await submitTestEvent(inbox, { title: 'Título reservado' });
  const item = `/revision/envios/${reference}`;
  for (const path of ['/revision', item, '/revision/eventos', '/revision/pendientes']) {
    const answer = await server.get(path);
    expect(answer.status).toBe(path === '/revision' ? 200 : 401);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive');
    expect(await answer.text()).not.toContain('Título reservado');
  }
  for (const path of [item, '/revision/registro', '/revision/avisos'])
    expect((await server.post(path, { does: 'reject', reason: 'x' })).status).toBe(401);
  expect(await stateOf(reference)).toBe('waiting');
});

test('it decides only with a form of its own session', async () => {
  const { reference } = await submitTestEvent(inbox, { title: 'Para decidir' });
  const path = `/revision/envios/${reference}`;
  const fields = { does: 'reject', reason: 'No es un evento', revision: '1' };
  expect([
    (await server.post(path, fields, { cookie: ana.cookie })).status,
    (await ana.post(path, { ...fields, csrf: 'x'.repeat(43) })).status,
    (await ana.post(path, fields, { origin: 'https://evil.example' })).status,
  ]).toEqual([403, 403, 403]);
  expect(await stateOf(reference)).toBe('waiting');
  expect((await ana.post(path, fields)).status).toBe(303);
  expect(await stateOf(reference)).toBe('refused');
});

test('it gives a cookie that scripts and other sites do not get, and takes it back', async () => {
  const answer = await opened.logIn();
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/revision']);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^desk=[\w%.]{40,}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const cookie = readCookie(answer);
  const look = async () => (await server.get('/revision', { cookie })).text();
  const html = await look();
  expect(html).toContain('Salir (ana)');
  await server.post('/revision/salir', { csrf: readFieldValue(html, 'csrf') }, { cookie });
  expect(await look(), 'the cookie is left, and lets nobody in').not.toContain('Salir (ana)');
});

test('it lets editors decide who comes in', async () => {
  const added = await (await ana.post(EDITORS, { does: 'add', name: 'eva' })).text();
  const eva = await signInAs(opened, 'eva', /<code>([a-z2-9-]{23})<\/code>/.exec(added)?.[1]);
  for (const [who, does, name, status] of [
    [eva, 'add', 'leo', 200],
    [eva, 'remove', 'leo', 303],
    [ana, 'end_all', 'eva', 303],
    [ana, 'remove', 'eva', 303],
    [ana, 'remove', 'ana', 422],
  ] as const)
    expect((await who.post(EDITORS, { does, name })).status, `${does} ${name}`).toBe(status);
  expect(await eva.read('/revision')).not.toContain('Salir (eva)');
  expect((await listEditors(inbox)).map(({ name }) => name)).toEqual(['ana']);
});

test('it takes an own password and a second factor, whose codes are shown once', async () => {
  const first = await addEditor(inbox, 'Leo Ñu', FRIDAY_NOON_MS);
  // As another keyboard writes it.
  const leo = await signInAs(opened, ' Leo N\u0303u', first);
  const next = 'siete barcas en la laguna';
  expect((await leo.post(ACCOUNT, { does: 'password', current: first, next })).status).toBe(303);
  expect(await leo.read('/revision')).not.toContain('Salir (Leo Ñu)');
  const again = await signInAs(opened, 'Leo Ñu', next);
  const shown = await (await again.post(ACCOUNT, { does: 'begin_factor', current: next })).text();
  const [, recovery = ''] = /<code>([a-z2-9]{5}-[a-z2-9]{5})<\/code>/.exec(shown) ?? [];
  expect(await again.read(ACCOUNT)).not.toContain(recovery);
  const secret = Secret.fromBase32(/secret=([A-Z2-7]+)/.exec(shown)?.[1] ?? '');
  const code = new TOTP({ secret }).generate();
  expect((await again.post(ACCOUNT, { does: 'confirm_factor', code })).status).toBe(303);
  const asked = await opened.logIn('Leo Ñu', next);
  expect(asked.headers.get('set-cookie')).toBeNull();
  const fields = { ticket: readFieldValue(await asked.text(), 'ticket'), code: recovery };
  expect((await server.post('/revision/entrar', { name: 'Leo Ñu', ...fields })).status).toBe(303);
});

test('the desk shows the changes of the last release, and a build in progress', async () => {
  const last = /Última publicación: [\d: -]+\. \d+ eventos; nuevos: \d+/;
  expect(await ana.read('/revision')).toMatch(last);
  const path = `/revision/editar/${await opened.findEventId()}`;
  const off = await ana.post(path, { does: 'cancel', date: 'all', reason: 'Llueve' });
  expect(off.status).toBe(303);
  const BUILDING = 'Se está publicando';
  const look = () => ana.read('/revision');
  expect(await look()).toContain(BUILDING);
  await expect.poll(look, { timeout: 60_000 }).not.toContain(BUILDING);
  expect(await look()).toMatch(/cancelados: 1\b/);
});

test('it stops guessing after eight wrong passwords, and leaves who is in', async () => {
  const guess = async () => (await opened.logIn('nadie', 'wrong')).status;
  const statuses = await Array.fromAsync(Array(9), guess);
  expect(statuses).toEqual([...Array(8).fill(401), 429]);
  expect((await opened.logIn()).status).toBe(429);
  expect(await ana.read('/revision')).toContain('Salir (ana)');
});
