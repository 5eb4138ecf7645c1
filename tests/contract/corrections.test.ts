// Correction form ("¿Algo cambió?"): over HTTP, from the link on a page to the desk (contract 14.11).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { HARD_LIMITS_PER_HOUR } from '../../src/desk/submission-limits.ts';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { countPending } from '../../src/inbox/changes.ts';
import { signInAs, serveDesk, readFieldValue } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const RecordListSchema = v.object({ data: v.array(v.object({ id: v.string() })) });
type Fields = Readonly<Record<string, string>>;
const desk = await serveDesk();
const { server, inbox } = desk;
const { read } = await signInAs(desk);
const findFirst = async (question: string): Promise<string> =>
  v.parse(RecordListSchema, await (await server.get(`/api/v1/${question}`)).json()).data[0]?.id ??
  '';
const event = await findFirst('events?date=today');
const notice = await findFirst('notices?date=today');
const FORM = `/corregir/evento/${event}`;
const send = (path: string, fields: Fields, headers?: Fields): Promise<Response> =>
  server.post(path, { stamp: createFormToken(inbox, FRIDAY_NOON_MS - 60_000), ...fields }, headers);
const submitCorrection = async (path: string, fields: Fields): Promise<string> =>
  (await send(path, fields)).headers.get('location')?.split('=')[1] ?? '';

test('page and Markdown of every record kind link to the form, and other addresses have no form', async () => {
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
  for (const [about, status] of [
    ['evento/evento-retirado', 410],
    ['evento/nada', 404],
    [`aviso/${event}`, 404],
  ] as const)
    expect((await server.get(`/corregir/${about}`)).status, about).toBe(status);
});

describe('the form', () => {
  test('is private and not indexed', async () => {
    const { headers } = await server.get(FORM);
    const names = ['cache-control', 'x-robots-tag', 'access-control-allow-origin', 'etag'];
    const fields = ['private, no-cache', 'noindex', null, null];
    expect(names.map((name) => headers.get(name))).toEqual(fields);
  });
  test('rejects forms that are too fast, fill the honeypot or come from another site, and stores a repeated one once', async () => {
    const change = 'Este mes empieza a las nueve.';
    const soon = await send(FORM, { change, stamp: readFieldValue(await read(FORM), 'stamp') });
    expect([soon.status, (await soon.text()).includes(change)]).toEqual([422, true]);
    for (const [fields, headers, status] of [
      [{ homepage: 'https://spam.example' }, {}, 422],
      [{ stamp: 'forged.AAAA' }, {}, 422],
      [{}, { origin: 'https://evil.example' }, 403],
    ] as const)
      expect((await send(FORM, { change, ...fields }, headers)).status).toBe(status);
    expect((await countPending(inbox)).waiting).toBe(0);
    expect(await submitCorrection(FORM, { change })).toBe(await submitCorrection(FORM, { change }));
    expect((await countPending(inbox)).waiting).toBe(1);
  });
  test('confirms with the reference, and only for a correction of this record', async () => {
    const reference = await submitCorrection(FORM, { change: 'La entrada ya no es gratis.' });
    const thanks = await read(`${FORM}?sent=${reference}`);
    expect(thanks).toContain(reference);
    expect(thanks).not.toMatch(/<textarea|La entrada ya no es gratis/);
    for (const other of [`${FORM}?sent=HC-222222`, `/corregir/aviso/${notice}?sent=${reference}`])
      expect(await read(other)).toContain('<textarea');
  });
});

test('hostile text is escaped at the desk, and only editors see it', async () => {
  const change = '</blockquote><img src=x onerror=alert(1)>\u202e [x](javascript:alert(1))';
  const contact_email = 'privado@lectores.example';
  const about = `/corregir/aviso/${notice}`;
  const reference = await submitCorrection(about, { change, contact_email });
  const item = `/revision/envios/${reference}`;
  for (const path of [`/revision/pendientes?q=${reference}`, item]) {
    const html = await read(path);
    expect(html).toContain('&lt;/blockquote&gt;&lt;img src=x');
    expect(html).not.toMatch(/<img src=x|\u202e/);
  }
  expect(await read(item)).toContain(contact_email);
  for (const path of [item, '/hoy', '/hoy.md', '/api/v1/notices', about])
    expect(await (await server.get(path)).text()).not.toContain(contact_email);
});

test('an address over the hard limit gets the time to retry and its form back', async () => {
  for (let at = 0; at < HARD_LIMITS_PER_HOUR.sender; at++)
    await send(FORM, { change: `Cambio ${at} de x` });
  const refused = await send(FORM, { change: 'Uno que ya no cabe' });
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('Uno que')]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
});
