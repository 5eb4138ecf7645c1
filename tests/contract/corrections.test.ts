// "¿Algo cambió?" as it is served: from the link on a page to the desk; what is refused, and that nothing of it
// leaks (contract 14.11).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { FLOOD_AN_HOUR } from '../../src/desk/allowances.ts';
import { createFormStamp } from '../../src/inbox/secret.ts';
import { getCorrection, countWaiting } from '../../src/inbox/changes.ts';
import { comeIn, serveDesk, toField } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const Things = v.object({ data: v.array(v.object({ id: v.string() })) });
type Fields = Readonly<Record<string, string>>;
const opened = await serveDesk();
const { server, inbox } = opened;
const { read, post } = await comeIn(opened);
const findFirst = async (question: string): Promise<string> =>
  v.parse(Things, await (await server.get(`/api/v1/${question}`)).json()).data[0]?.id ?? '';
const event = await findFirst('events?date=today');
const notice = await findFirst('notices?date=today');
const FORM = `/corregir/evento/${event}`;
/** As a person sends it, a minute after it was opened. */
const send = (path: string, fields: Fields, headers?: Fields): Promise<Response> =>
  server.post(path, { stamp: createFormStamp(inbox, FRIDAY_NOON_MS - 60_000), ...fields }, headers);
/** Sends what is right, and gives its reference. */
const report = async (path: string, fields: Fields): Promise<string> =>
  (await send(path, fields)).headers.get('location')?.split('=')[1] ?? '';

test('the link stands on the page and in the Markdown of each kind of thing, in both languages', async () => {
  const sitemap = await read('/sitemap.xml');
  const findPath = (start: string) =>
    new RegExp(`<loc>https?://[^/]+(${start}[^<]+)`).exec(sitemap)?.[1] ?? '';
  for (const [path, expected] of [
    [findPath('/eventos/'), 'corregir/evento/ev_'],
    [findPath('/en/events/'), 'en/correct/event/ev_'],
    [findPath('/lugares/'), 'corregir/lugar/'],
    [findPath('/organizadores/'), 'corregir/organizador/'],
    ['/hoy', `corregir/aviso/${notice}`],
    ['/en/today', `en/correct/notice/${notice}`],
  ] as const) {
    const [, form = ''] = new RegExp(`href="(/${expected}[^"]*)"`).exec(await read(path)) ?? [];
    expect((await server.get(form)).status, path).toBe(200);
    expect(await read(`${path}.md`), path).toContain(`/${expected}`);
  }
});

describe('the form', () => {
  test('is a page for its reader alone, and for no index', async () => {
    const answer = await server.get(FORM);
    const names = ['cache-control', 'x-robots-tag', 'access-control-allow-origin', 'etag'];
    expect(names.map((name) => answer.headers.get(name))).toEqual([
      ...['private, no-cache', 'noindex', null, null],
    ]);
    expect(await answer.text()).not.toMatch(/<script/);
  });
  test('says what is wrong beside each control, and loses nothing', async () => {
    const typed = { change: '"><b>ya', source_url: 'cartel "1"', contact_email: 'yo@' };
    const answer = await send(FORM, typed);
    const html = await answer.text();
    expect(answer.status).toBe(422);
    for (const id of ['f-change', 'f-source-url', 'f-contact-email'])
      for (const part of [`href="#${id}"`, `id="${id}-fault"`]) expect(html).toContain(part);
    expect(html).toMatch(/&gt;&lt;b&gt;ya<\/textarea>/);
    expect(html).toMatch(/value="cartel (&#34;|&quot;)1/);
    expect(html).not.toContain('<b>ya');
  });
  test('takes in nothing too soon, from a trap, from another site or too large, and once what comes twice', async () => {
    const change = 'Este mes empieza a las nueve.';
    const soon = await send(FORM, { change, stamp: toField(await read(FORM), 'stamp') });
    expect([soon.status, (await soon.text()).includes(change)]).toEqual([422, true]);
    for (const [fields, headers, status] of [
      [{ homepage: 'https://spam.example' }, {}, 422],
      [{ stamp: 'forged.AAAA' }, {}, 422],
      [{}, { origin: 'https://evil.example' }, 403],
      [{ change: 'x'.repeat(70_000) }, {}, 413],
    ] as const)
      expect((await send(FORM, { change, ...fields }, headers)).status).toBe(status);
    const put = await fetch(`${server.origin}${FORM}`, { method: 'PUT', body: 'x' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await countWaiting(inbox)).waiting).toBe(0);
    expect(await report(FORM, { change })).toBe(await report(FORM, { change }));
    expect((await countWaiting(inbox)).waiting).toBe(1);
  });
  test('thanks with the reference, and only for what was sent about this very thing', async () => {
    const reference = await report(FORM, { change: 'La entrada ya no es gratis.' });
    const thanks = await read(`${FORM}?sent=${reference}`);
    expect(thanks).toContain(reference);
    expect(thanks).not.toMatch(/<textarea|La entrada ya no es gratis/);
    for (const other of [`${FORM}?sent=HC-222222`, `/corregir/aviso/${notice}?sent=${reference}`])
      expect(await read(other)).toContain('<textarea');
  });
});

describe('at the desk', () => {
  test('hostile words stay words, with the way to the page, and are for editors alone', async () => {
    const change =
      '</blockquote><img src=x onerror=alert(1)>\u202e {{7*7}} [x](javascript:alert(1))';
    const contact_email = 'privado@lectores.example';
    const source_url = 'https://ejemplo.example/?a=1&b=%22%3E';
    const about = `/corregir/aviso/${notice}`;
    const reference = await report(about, { change, contact_email, source_url });
    const item = `/revision/envios/${reference}`;
    for (const path of [`/revision?q=${reference}`, item]) {
      const html = await read(path);
      expect(html).toContain('&lt;/blockquote&gt;&lt;img src=x');
      expect(html).not.toMatch(/<img src=x|\u202e/);
    }
    for (const shown of [contact_email, 'href="/avisos"'])
      expect(await read(item)).toContain(shown);
    for (const path of [item, '/hoy', '/hoy.md', '/api/v1/notices', about])
      expect(await (await server.get(path)).text()).not.toContain(contact_email);
  });
  test('is decided only by an editor, with a form of their own session', async () => {
    const reference = await report(FORM, { change: 'El lugar cerró en octubre.' });
    const path = `/revision/envios/${reference}`;
    const evil = { origin: 'https://evil.example' };
    const statuses = [
      (await server.post(path, { does: 'done' })).status,
      (await post(path, { does: 'done', csrf: 'x' })).status,
      (await post(path, { does: 'done' }, evil)).status,
      (await post(path, { does: 'dismiss' })).status,
    ];
    expect(statuses).toEqual([401, 403, 403, 422]);
    expect((await getCorrection(inbox, reference))?.state).toBe('waiting');
    expect((await post(path, { does: 'dismiss', reason: 'Sigue abierto' })).status).toBe(303);
    expect((await post(path, { does: 'done' })).status).toBe(409);
    expect(await read(path)).toContain('Sigue abierto');
  });
});

test('an address that floods is told when it works again, and keeps what was typed', async () => {
  for (let at = 0; at < FLOOD_AN_HOUR.sender; at++)
    await send(FORM, { change: `Cambio ${at} de x` });
  const refused = await send(FORM, { change: 'Uno que ya no cabe' });
  expect([refused.status, (await refused.text()).includes('Uno que ya no cabe')]).toEqual([
    ...[429, true],
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
});
