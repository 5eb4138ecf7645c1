// What the desk edits, as it is served: found by the address of its page, changed, released, told on
// every surface, merged, and given back to its source (contract 14.28–14.32).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getSource } from '../../src/inbox/patches.ts';
import { runCommand, type BuiltServer } from '../fixtures/built-server.ts';
import { type DeskServer, startDesk, toCookie, toField } from '../fixtures/desk-server.ts';
import { readDetail } from '../fixtures/event-surfaces.ts';

let opened: DeskServer;
let server: BuiltServer;
let headers: { cookie: string };
beforeAll(async () => {
  opened = await startDesk();
  ({ server } = opened);
  headers = { cookie: toCookie(await opened.logIn()) };
});
afterAll(() => opened.stop());

/** Without going where it leads. */
const ask = (path: string): Promise<Response> =>
  fetch(`${server.origin}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } });
const read = async (path: string): Promise<string> => (await server.get(path, headers)).text();

/** The controls of a form as a browser sends them back, with some changed. */
async function fill(path: string, changed: Readonly<Record<string, string>>) {
  const html = await read(path);
  const fields: Record<string, string> = { csrf: toField(html, 'csrf') };
  for (const [, name = '', value = ''] of html.matchAll(/name="([\w.]+)"[^>]*? value="([^"]*)"/g))
    if (name !== 'does' && !html.includes(`type="checkbox" name="${name}"`))
      fields[name] = decode(value);
  for (const [, name = '', text = ''] of html.matchAll(
    /<textarea[^>]*? name="([\w.]+)"[^>]*>([^<]*)</g,
  ))
    fields[name] = decode(text);
  for (const [, name = '', options = ''] of html.matchAll(
    /<select[^>]*? name="([\w.]+)"[^>]*>(.*?)<\/select>/gs,
  ))
    fields[name] = /<option value="([^"]*)" selected/.exec(options)?.[1] ?? '';
  for (const [tag] of html.matchAll(/<input type="checkbox"[^>]*>/g))
    if (/\schecked/.test(tag)) fields[/name="([^"]*)"/.exec(tag)?.[1] ?? ''] = 'on';
  return { ...fields, ...changed };
}
const decode = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#38;', '&')
    .replaceAll('&amp;', '&');

async function send(path: string, changed: Readonly<Record<string, string>>) {
  const answer = await server.post(path, await fill(path, changed), headers);
  return { status: answer.status, html: await answer.text() };
}
async function release(): Promise<void> {
  const { code, output } = await runCommand('release', [], opened.settings);
  expect(code, output).toBe(0);
  const health = async () => (await server.get('/healthz')).json();
  const is_new = async () => {
    const { release: serves, last_release } = await health();
    return serves === last_release.release;
  };
  await expect.poll(is_new, { timeout: 20_000 }).toBe(true);
}

test('a form that nobody touches changes nothing; what is wrong comes back at its field', async () => {
  const { id } = await readDetail(server, 'feria-diaria', 'es');
  const found = await read(
    `/revision/eventos?q=${encodeURIComponent('https://agenda.example/eventos/feria-diaria?x=1')}`,
  );
  expect(found).toContain(`href="/revision/editar/${id}"`);
  const path = `/revision/editar/${id}`;
  const same = await send(path, { does: 'save', reason: 'x' });
  expect([same.status, same.html.includes('No cambiaste nada')]).toEqual([422, true]);
  const wrong = await send(path, {
    does: 'save',
    reason: 'x',
    'when.0.start': '25:00',
    'title.es': 'Feria "nueva"',
  });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toMatch(/id="f-when-0-start-fault">[^<]*00:00/);
  expect(wrong.html).toMatch(/value="Feria (?:&#34;|&quot;)nueva(?:&#34;|&quot;)"/);
  const silent = await send(path, { does: 'save', tags: 'puestos' });
  expect([silent.status, silent.html.includes('Escribe el motivo')]).toEqual([422, true]);
  expect(silent.html).toMatch(/<textarea[^>]*name="tags"[^>]*>puestos</);
});

test('an edit is told on every surface, beside its source, until that speaks again', {
  timeout: 240_000,
}, async () => {
  const fair = await readDetail(server, 'feria-diaria', 'es');
  const play = await readDetail(server, 'fiesta-de-viernes', 'es');
  const venues = ['malecon-inventado', 'foro-sin-punto'] as const;
  const [kept = '', old = ''] = await Promise.all(
    venues.map(async (slug) => (await (await server.get(`/api/v1/venues/${slug}`)).json()).data.id),
  );
  const at = `/revision/editar/${fair.id}`;
  const stale = await fill(at, { does: 'save', reason: 'Otra', 'title.es': 'Feria ajena' });
  expect(
    (
      await send(at, {
        does: 'save',
        reason: 'Nos lo dijo el mercado',
        'title.es': 'Feria eterna',
        'title.en': 'Endless fair',
        tags: 'familia\npuestos',
      })
    ).status,
  ).toBe(303);
  const late = await server.post(at, stale, headers);
  expect([late.status, (await late.text()).includes('Otra persona cambió este campo')]).toEqual([
    422,
    true,
  ]);
  const note = { note_es: 'Se cayó el escenario', note_en: 'The stage fell' };
  expect(
    (await send(`/revision/eventos/${play.id}`, { does: 'cancel', reason: 'Llamaron', ...note }))
      .status,
  ).toBe(303);
  expect(
    (await send(`/revision/editar/${old}`, { does: 'merge', kept, merge_reason: 'Es el mismo' }))
      .status,
  ).toBe(303);
  await release();

  const after = await readDetail(server, fair.id, 'en');
  expect([after.id, after.title, after.tags]).toEqual([
    fair.id,
    'Endless fair',
    ['familia', 'puestos'],
  ]);
  const old_page = await ask('/eventos/feria-diaria');
  expect([old_page.status, old_page.headers.get('location')]).toEqual([
    301,
    expect.stringContaining('/eventos/feria-eterna'),
  ]);
  for (const path of [
    '/eventos/feria-eterna',
    '/eventos/feria-eterna.md',
    '/events/feria-eterna.ics',
    '/cambios',
    '/feeds/cambios.atom',
  ])
    expect(await read(path), path).toContain('Feria eterna');
  const off = await readDetail(server, play.id, 'es');
  expect(off.next).toMatchObject({ status: 'cancelled', notes: note.note_es });
  for (const path of [
    '/eventos/fiesta-de-viernes',
    '/eventos/fiesta-de-viernes.md',
    '/events/fiesta-de-viernes.ics',
  ])
    expect((await read(path)).replace(/\r\n /g, ''), path).toContain(note.note_es);
  const told = await server.callTool('detalle_evento', { id: play.id, lang: 'en' });
  expect(await told.text()).toContain(note.note_en);

  const moved = await ask(`/lugares/${venues[1]}`);
  expect([moved.status, moved.headers.get('location')]).toEqual([
    301,
    expect.stringContaining(`/lugares/${venues[0]}`),
  ]);
  expect((await (await server.get(`/api/v1/venues/${old}`)).json()).data.id).toBe(kept);

  expect(await read(at)).toContain('Nos lo dijo el mercado');
  expect((await send(at, { does: 'source' })).status).toBe(303);
  expect((await opened.review('split', 'venue', old)).code).toBe(0);
  expect((await opened.review('undo')).code, 'a split is undone like any decision').toBe(0);
  expect((await opened.review('split', 'venue', old)).code).toBe(0);
  await release();
  const again = await readDetail(server, 'feria-diaria', 'es');
  expect([again.id, again.title, again.tags]).toEqual([fair.id, fair.title, fair.tags]);
  expect((await (await server.get(`/api/v1/venues/${old}`)).json()).data.id).toBe(old);
  expect(getSource(opened.inbox, fair.id)?.file).toBe('events/feria-diaria.yml');
});
