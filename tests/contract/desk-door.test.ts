// The door of the desk as it is served: who is let in, what they may do, and who is seen and sent out.
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { addEditor } from '../../src/desk/editors.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { comeIn, serveDesk, toCookie, toField } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn } from '../fixtures/inbox.ts';

const opened = await serveDesk();
const { server, inbox } = opened;

describe('the door', () => {
  test('shows a stranger the way in and nothing else, and takes nothing from one', async () => {
    const { reference } = await sendIn(inbox, { title: 'Título reservado' });
    const item = `/revision/envios/${reference}`;
    for (const path of ['/revision', item, '/revision/eventos', '/revision/avisos']) {
      const answer = await server.get(path);
      expect([answer.status, answer.headers.get('x-robots-tag')]).toEqual([
        ...[path === '/revision' ? 200 : 401, 'noindex, nofollow, noarchive'],
      ]);
      expect(await answer.text()).not.toContain('Título reservado');
    }
    for (const path of [item, '/revision/registro', '/revision/avisos'])
      expect((await server.post(path, { does: 'reject', reason: 'x' })).status).toBe(401);
    expect((await getSubmission(inbox, reference))?.state).toBe('waiting');
  });
  test('gives a cookie that scripts and other sites do not get, and takes it back', async () => {
    const answer = await opened.logIn();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/revision']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^desk=[\w%.]{40,}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = toCookie(answer);
    const html = await (await server.get('/revision', { cookie })).text();
    expect(html).toContain('Salir (ana)');
    await server.post('/revision/salir', { csrf: toField(html, 'csrf') }, { cookie });
    const after = await (await server.get('/revision', { cookie })).text();
    expect(after, 'the cookie is left, and lets nobody in').not.toContain('Salir (ana)');
  });
  test('shows the sessions, and ends them at once', async () => {
    const [one, two] = [await comeIn(opened), await comeIn(opened)];
    const html = await one.read('/revision/cuenta');
    expect(html.match(/value="end"/g)?.length).toBeGreaterThan(0);
    const ended = await one.post('/revision/cuenta', { does: 'end_others' });
    expect(ended.headers.get('location')).toBe('/revision/cuenta?done=ended');
    expect([await two.read('/revision'), await one.read('/revision')]).toEqual([
      expect.not.stringContaining('Salir (ana)'),
      expect.stringContaining('Salir (ana)'),
    ]);
  });
  test('lets editors decide who comes in', async () => {
    const ana = await comeIn(opened);
    const editors = '/revision/editores';
    const added = await ana.post(editors, { does: 'add', name: 'eva' });
    const password = /<code>([a-z2-9-]{23})<\/code>/.exec(await added.text())?.[1] ?? '';
    const eva = await comeIn(opened, 'eva', password);
    expect(await eva.read('/revision')).toContain(editors);
    const statuses: number[] = [];
    for (const [who, fields] of [
      [eva, { does: 'add', name: 'leo' }],
      [eva, { does: 'remove', name: 'leo' }],
      [ana, { does: 'end_all', name: 'eva' }],
    ] as const)
      statuses.push((await who.post(editors, fields)).status);
    expect(statuses).toEqual([200, 303, 303]);
    expect(await eva.read('/revision')).not.toContain('Salir (eva)');
    expect((await ana.post(editors, { does: 'remove', name: 'eva' })).status).toBe(303);
    expect((await ana.post(editors, { does: 'remove', name: 'ana' })).status).toBe(422);
    expect((await listEditors(inbox)).map(({ name }) => name)).toEqual(['ana']);
    expect(
      (await listDecisions(inbox, 5)).map(({ action, subject }) => `${action} ${subject}`),
    ).toEqual([
      'remove_editor eva',
      'end_sessions eva',
      'remove_editor leo',
      'add_editor leo',
      'add_editor eva',
    ]);
  });
  test('takes an own password and a second factor, whose codes are shown once', async () => {
    const first = await addEditor(inbox, 'Leo Ñu', FRIDAY_NOON_MS);
    // As another keyboard writes it.
    const leo = await comeIn(opened, ' Leo N\u0303u', first);
    const [account, next] = ['/revision/cuenta', 'siete barcas en la laguna'];
    const toNext = { does: 'password', current: first, next };
    expect((await leo.post(account, { ...toNext, next: 'Leo Ñu' })).status).toBe(422);
    expect((await leo.post(account, toNext)).status).toBe(303);
    expect(await leo.read('/revision')).not.toContain('Salir (Leo Ñu)');
    const again = await comeIn(opened, 'Leo Ñu', next);
    const begun = await again.post(account, { does: 'begin_factor', current: next });
    const shown = await begun.text();
    const codes = shown.match(/<code>[a-z2-9]{5}-[a-z2-9]{5}<\/code>/g) ?? [];
    expect(codes).toHaveLength(10);
    expect(await again.read(account)).not.toContain(codes[0]);
    const confirm = (code: string) => again.post(account, { does: 'confirm_factor', code });
    expect((await confirm('000000')).status).toBe(422);
    const secret = /secret=([A-Z2-7]+)/.exec(shown)?.[1] ?? '';
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await confirm(code)).status).toBe(303);
    const asked = await opened.logIn('Leo Ñu', next);
    const html = await asked.text();
    expect([asked.headers.get('set-cookie'), html.includes(next)]).toEqual([null, false]);
    const ticket = toField(html, 'ticket');
    const fields = { name: 'Leo Ñu', ticket, code: codes[0]?.replace(/<.?code>/g, '') ?? '' };
    const statuses: number[] = [];
    for (let times = 0; times < 2; times += 1)
      statuses.push((await server.post('/revision/entrar', fields)).status);
    expect(statuses).toEqual([303, 401]);
  });
  test('stops guessing after eight wrong passwords, and leaves who is in', async () => {
    const { read } = await comeIn(opened);
    const statuses: number[] = [];
    for (let times = 0; times < 10; times += 1)
      statuses.push((await opened.logIn('nadie', 'wrong')).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(8);
    expect((await opened.logIn()).status).toBe(429);
    expect(await read('/revision')).toContain('Salir (ana)');
  });
});
