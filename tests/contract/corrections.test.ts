// "¿Algo cambió?" as it is served: from the link on a page to the desk and back; what is refused, and
// that nothing of it leaks (contract 14.11).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createFormStamp } from '../../src/inbox/secret.ts';
import { FLOOD_AN_HOUR } from '../../src/desk/allowances.ts';
import { getCorrection, countWaiting } from '../../src/inbox/changes.ts';
import { comeIn, serveDesk, toField } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const Things = v.object({ data: v.array(v.object({ id: v.string() })) });
const opened = await serveDesk({ TRUST_PROXY: '1' });
const { server, inbox } = opened;
const { read, post } = await comeIn(opened);
const findFirst = async (question: string): Promise<string> =>
  v.parse(Things, await (await server.get(`/api/v1/${question}`)).json()).data[0]?.id ?? '';
const event = await findFirst('events?date=today');
const notice = await findFirst('notices?date=today');
let addresses = 0;
/** As a person sends it, from an address of its own. */
const send = (
  path: string,
  fields: Readonly<Record<string, string>>,
  from = `198.51.100.${addresses++}`,
): Promise<Response> =>
  server.post(
    path,
    { stamp: createFormStamp(inbox, FRIDAY_NOON_MS - 60_000), ...fields },
    { 'x-forwarded-for': from },
  );
/** The site's own address in the desk's settings. */
const SITE_URL = 'http://127.0.0.1:4399';
const FORM = `/corregir/evento/${event}`;

describe('the link', () => {
  test('stands on the page and in the Markdown of an event, a venue, an organizer and a notice', async () => {
    const pages: readonly (readonly [string, string])[] = [
      ['/eventos/concierto-unico-a-b', 'corregir/evento/ev_'],
      ['/en/events/concierto-unico-a-b', 'en/correct/event/ev_'],
      [await findPath('/lugares/'), 'corregir/lugar/'],
      [await findPath('/organizadores/'), 'corregir/organizador/'],
      ['/hoy', `corregir/aviso/${notice}`],
      ['/en/today', `en/correct/notice/${notice}`],
    ];
    for (const [path, expected] of pages) {
      const answer = await server.get(path);
      const [, moved = path] =
        /^(?:https?:\/\/[^/]+)?(.*)$/.exec(answer.headers.get('location') ?? path) ?? [];
      const html = await read(moved);
      expect(html, path).toContain(`href="/${expected}`);
      expect(await read(`${moved}.md`), path).toContain(`${SITE_URL}/${expected}`);
      const [, form = ''] = new RegExp(`href="(/${expected}[^"]*)"`).exec(html) ?? [];
      expect((await server.get(form)).status, form).toBe(200);
    }
  });
  async function findPath(start: string): Promise<string> {
    const sitemap = await read('/sitemap.xml');
    return new RegExp(`<loc>${SITE_URL}(${start}[^<]+)`).exec(sitemap)?.[1] ?? '';
  }
});

describe('the form', () => {
  test.each(['es', 'en'])('is a page for its reader alone, and for no index: %s', async (lang) => {
    const path = lang === 'es' ? FORM : `/en/correct/event/${event}`;
    const answer = await server.get(path);
    const html = await answer.text();
    expect([
      answer.status,
      answer.headers.get('cache-control'),
      answer.headers.get('x-robots-tag'),
      answer.headers.get('access-control-allow-origin'),
      answer.headers.get('etag'),
    ]).toEqual([200, 'private, no-cache', 'noindex', null, null]);
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html).not.toMatch(/<script/);
  });
  test('says what is wrong beside each control, and loses nothing', async () => {
    const answer = await send(FORM, {
      change: '"><b>ya',
      source_url: 'cartel "1"',
      contact_email: 'yo@',
    });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    for (const id of ['f-change', 'f-source-url', 'f-contact-email']) {
      expect(html).toContain(`href="#${id}"`);
      expect(html).toContain(`id="${id}-fault"`);
    }
    expect(html).toMatch(
      /&#34;&gt;&lt;b&gt;ya<\/textarea>|&quot;&gt;&lt;b&gt;ya<\/textarea>|"&gt;&lt;b&gt;ya<\/textarea>/,
    );
    expect(html).toMatch(/value="cartel (&#34;|&quot;)1/);
    expect(html).not.toContain('<b>ya');
    expect((await countWaiting(inbox)).waiting).toBe(0);
  });
  test('takes in nothing too soon, from a trap, from another site, too large or twice', async () => {
    const change = 'Este mes empieza a las nueve.';
    const soon = await server.post(FORM, {
      change,
      stamp: toField(await read(FORM), 'stamp'),
    });
    expect([soon.status, (await soon.text()).includes(change)]).toEqual([422, true]);
    expect((await send(FORM, { change, homepage: 'https://spam.example' })).status).toBe(422);
    expect((await send(FORM, { change, stamp: 'forged.AAAA' })).status).toBe(422);
    expect((await server.post(FORM, { change }, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await server.post(FORM, { change: 'x'.repeat(70_000) })).status).toBe(413);
    const put = await fetch(`${server.origin}${FORM}`, { method: 'PUT', body: 'x' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await countWaiting(inbox)).waiting).toBe(0);
    const first = await send(FORM, { change });
    const again = await send(FORM, { change });
    expect([first.status, again.headers.get('location')]).toEqual([
      303,
      first.headers.get('location'),
    ]);
    expect((await countWaiting(inbox)).waiting).toBe(1);
  });
  test('thanks with the reference, and only for what was sent about this very thing', async () => {
    const sent = await send(FORM, { change: 'La entrada ya no es gratis.' });
    const location = sent.headers.get('location') ?? '';
    const [, reference = ''] = /\?sent=(HC-[2-9A-Z]{6})$/.exec(location) ?? [];
    expect(await read(location)).toContain(reference);
    expect(await read(location)).not.toContain('<textarea');
    expect(await read(`${FORM}?sent=HC-222222`)).toContain('<textarea');
    expect(await read(`/corregir/aviso/${notice}?sent=${reference}`)).toContain('<textarea');
    expect(await read(location)).not.toContain('La entrada ya no es gratis.');
  });
  test('counts what comes from one address, and keeps what was typed', async () => {
    const from = '203.0.113.9';
    for (let at = 0; at < FLOOD_AN_HOUR.sender; at++)
      expect((await send(FORM, { change: `Cambio número ${at}` }, from)).status).toBe(303);
    const refused = await send(FORM, { change: 'Uno que ya no cabe' }, from);
    expect([refused.status, (await refused.text()).includes('Uno que ya no cabe')]).toEqual([
      429,
      true,
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});

describe('at the desk', () => {
  test('hostile words stay words, with the way to the page, and are for editors alone', async () => {
    const change =
      '</blockquote><img src=x onerror=alert(1)>\u202e {{7*7}} [x](javascript:alert(1))';
    const contact_email = 'privado@lectores.example';
    const sent = await send(`/corregir/aviso/${notice}`, {
      change,
      contact_email,
      source_url: 'https://ejemplo.example/?a=1&b=%22%3E',
    });
    const reference = sent.headers.get('location')?.split('=')[1] ?? '';
    const paths = [`/revision?q=${reference}`, `/revision/envios/${reference}`];
    for (const path of paths) {
      const html = await read(path);
      expect(html).toContain('&lt;/blockquote&gt;&lt;img src=x');
      expect(html).not.toContain('<img src=x');
      expect(html).not.toContain('\u202e');
      expect(html, path).toContain(reference);
      expect(await (await server.get(path)).text()).not.toContain(contact_email);
    }
    const item = await read(paths[1] ?? '');
    for (const shown of [contact_email, 'href="/avisos"']) expect(item).toContain(shown);
    for (const path of ['/hoy', '/hoy.md', '/api/v1/notices', `/corregir/aviso/${notice}`])
      expect(await read(path)).not.toContain(contact_email);
  });
  test('is decided only by an editor, with a form of their own session', async () => {
    const sent = await send(FORM, { change: 'El lugar cerró en octubre.' });
    const reference = sent.headers.get('location')?.split('=')[1] ?? '';
    const path = `/revision/envios/${reference}`;
    const evil = { origin: 'https://evil.example' };
    const statuses = [
      (await server.post(path, { does: 'done' })).status,
      (await post(path, { does: 'done', csrf: 'x' })).status,
      (await post(path, { does: 'done' }, evil)).status,
      (await post(path, { does: 'dismiss' })).status,
    ];
    expect([statuses, (await getCorrection(inbox, reference))?.state]).toEqual([
      [401, 403, 403, 422],
      'waiting',
    ]);
    expect((await post(path, { does: 'dismiss', reason: 'Sigue abierto' })).status).toBe(303);
    expect((await post(path, { does: 'done' })).status).toBe(409);
    expect(await read('/revision')).not.toContain('El lugar cerró en octubre.');
    expect(await read(path)).toContain('Sigue abierto');
  });
});
