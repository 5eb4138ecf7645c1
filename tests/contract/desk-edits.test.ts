// What the desk edits, as it is served: found by the address of its page, changed, told on every
// surface, made one with another, and given back to its source (contract 14.28–14.32).
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { sendCorrection } from '../../src/desk/propose.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { serveDesk, toCookie, toField } from '../fixtures/desk-server.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { bring, send as sendCalendar, toCalendar, toEvent } from '../fixtures/calendars.ts';
import { editFields, readSources } from '../fixtures/edits.ts';
import { readDetail } from '../fixtures/event-surfaces.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { undoNewest } from '../fixtures/inbox.ts';
import { makePhoto } from '../fixtures/picture-server.ts';
import { postPicture } from '../fixtures/upload-form.ts';

const Pictured = v.object({ image: v.object({ url: v.string(), alt: v.string() }) });

const opened = await serveDesk();
const { server } = opened;
const headers = { cookie: toCookie(await opened.logIn()) };

/** Without going where it leads. */
const ask = (path: string): Promise<Response> =>
  fetch(`${server.origin}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } });
const read = async (path: string): Promise<string> => (await server.get(path, headers)).text();

const fill = async (path: string, changed: Readonly<Record<string, string>>) =>
  fillForm(await read(path), changed);
async function send(path: string, changed: Readonly<Record<string, string>>) {
  const answer = await server.post(path, await fill(path, changed), headers);
  return { status: answer.status, html: await answer.text() };
}
const undoLast = (): Promise<void> =>
  undoNewest(opened.inbox, { editor: 'ana', now_ms: FRIDAY_NOON_MS });
/** What the desk decides is served by itself; the last of it is waited for. */
const untilServed = (path: string, text: string) =>
  expect.poll(() => read(path), { timeout: 90_000 }).toContain(text);

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
    start_time: '25:00',
    title: 'Feria "nueva"',
  });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toMatch(/id="f-start-date-fault">Falta/);
  expect(wrong.html).toMatch(/href="#f-start-date">¿Qué día\?<\/a>/);
  expect(wrong.html).toMatch(/value="Feria (?:&#34;|&quot;)nueva(?:&#34;|&quot;)"/);
  const sources = { does: 'save', reason: 'x', 'sources.0.checked': 'ayer' };
  expect((await send(path, sources)).html).toMatch(
    /id="f-sources-0-checked-fault">Debe ser un día/,
  );
  const silent = await send(path, { does: 'save', tags: 'puestos' });
  expect([silent.status, silent.html.includes('Escribe el motivo')]).toEqual([422, true]);
  expect(silent.html).toMatch(/<textarea[^>]*name="tags"[^>]*>puestos</);
});

test('what another changed meanwhile stays where nothing was typed over it', async () => {
  const { id } = await readDetail(server, 'feria-diaria', 'es');
  const path = `/revision/editar/${id}`;
  const mine = await fill(path, { does: 'save', reason: 'x', other_title: 'My fair' });
  expect((await send(path, { does: 'save', reason: 'y', title: 'Feria suya' })).status).toBe(303);
  const told = await server.post(path, mine, headers);
  const html = await told.text();
  expect([told.status, html.includes('value="Feria suya"')]).toEqual([422, true]);
  const again = fillForm(html, { does: 'save', reason: 'x' });
  expect((await server.post(path, again, headers)).status).toBe(303);
  const [edit] = (await readApplied(opened.inbox, id)).edits;
  expect(edit?.record.title).toEqual({ es: 'Feria suya', en: 'My fair' });
  expect((await send(path, { does: 'source' })).status).toBe(303);
});

const sendPicture = async (
  path: string,
  fields: Readonly<Record<string, string>>,
  bytes?: Buffer,
) => postPicture(server.origin, path, headers.cookie, { html: await read(path), fields, bytes });

test('a picture is uploaded: checked, kept with what was typed, described in both languages', async () => {
  const { id } = await readDetail(server, 'fiesta-de-viernes', 'es');
  const path = `/revision/editar/${id}`;
  const alt = { image_alt: 'Un escenario de noche', other_image_alt: 'A stage at night' };
  const reason = 'Nos la mandó el lugar';
  const broken = await sendPicture(path, { ...alt, reason }, Buffer.from('<svg/>'));
  expect([broken.status, broken.html.includes('No es una imagen JPG')]).toEqual([422, true]);
  expect(broken.html).toContain('value="Un escenario de noche"');
  const silent = await sendPicture(path, { ...alt, reason: '' }, await makePhoto('jpeg'));
  const held = toField(silent.html, 'picture_id');
  expect([silent.status, held.length]).toEqual([422, 32]);
  expect(silent.html).toContain(`src="/subidas/${held}"`);
  expect(silent.html, 'the rest is as it was').toContain('value="¡Fiesta de viernes!"');
  const sent = await sendPicture(path, { ...alt, reason, picture_id: held });
  expect(sent.status).toBe(303);
  expect((await readApplied(opened.inbox, id)).edits[0]?.record.image).toEqual({
    url: `upload:${held}`,
    alt: { es: alt.image_alt, en: alt.other_image_alt },
  });
  expect(await read(path)).not.toContain('upload:');
  const gone = await sendPicture(path, { ...alt, reason, picture_id: 'x'.repeat(32) });
  expect([gone.status, gone.html.includes('Ya no tenemos la imagen')]).toEqual([422, true]);
  const dropped = await sendPicture(path, {
    ...alt,
    reason,
    picture_id: held,
    picture_drop: '1',
  });
  expect([dropped.status, (await readApplied(opened.inbox, id)).edits]).toEqual([303, []]);
  await undoLast();
});

test('what changed underneath an edit is shown beside it, and an editor says which one counts', async () => {
  const { id } = await readDetail(server, 'feria-diaria', 'es');
  const put = () => editFields(opened.inbox, id, { tags: ['puestos'] }, { tags: ['de-antes'] });
  await put();
  const path = `/revision/editar/${id}`;
  for (const room of ['/revision/ediciones', '/revision/por-revisar'])
    expect(await read(room), room).toMatch(
      new RegExp(`La fuente cambió[\\s\\S]*href="${path}"[^>]*>Feria diaria<`),
    );
  const html = await read(path);
  for (const shown of ['de-antes', 'familia', 'puestos', 'value="keep"'])
    expect(html, shown).toContain(shown);
  expect((await send(path, { does: 'keep' })).status).toBe(303);
  expect(await read('/revision/por-revisar')).not.toContain('La fuente cambió');
  expect(await read(path)).not.toContain('value="keep"');
  await put();
  expect((await send(path, { does: 'source' })).status).toBe(303);
  expect((await readApplied(opened.inbox, id)).edits).toEqual([]);
  expect((await send(path, { does: 'keep' })).status).toBe(409);
});

test('nothing is the same as itself, or as another kind of thing', async () => {
  const { inbox } = opened;
  const sources = await readSources(inbox);
  const foro = (await sources.list('venue')).find(({ file }) => file.includes('foro'))?.id ?? '';
  const [group] = await sources.list('organizer');
  const path = `/revision/editar/${foro}`;
  for (const same_as of [foro, group?.id ?? '', 've_gone']) {
    const refused = await send(path, { does: 'save', reason: 'x', same_as });
    expect([refused.status, refused.html.includes('id="f-same-as-fault"')]).toEqual([422, true]);
  }
});

test('what no release has shown yet is edited, too: a notice, an approved event and its place', async () => {
  const { inbox } = opened;
  const csrf = toField(await read('/revision/avisos'), 'csrf');
  const notice = {
    ...{ type: 'traffic', severity: 'warning', source_url: 'https://transito.example/1' },
    ...{ title_es: 'Cierre en la Tulum', title_en: 'Closure on Tulum Avenue' },
    ...{ body_es: 'Cerrada por obras.', body_en: 'Closed for works.' },
  };
  expect((await server.post('/revision/avisos', { csrf, ...notice }, headers)).status).toBe(303);
  const path = /\/revision\/editar\/no_\w+/.exec(await read('/revision/avisos'))?.[0] ?? '';
  const title = { 'title.es': 'Cierre parcial en la Tulum' };
  expect((await send(path, { does: 'save', reason: 'Abrió un carril', ...title })).status).toBe(
    303,
  );
  expect(await read('/revision/avisos')).toContain(title['title.es']);

  const reference = await publish(inbox, { title: 'Todavía no publicada', dates: [] });
  const item = await read(`/revision/envios/${reference}`);
  const edit = /\/revision\/editar\/ev_\w+/.exec(item)?.[0] ?? '';
  const form = await read(edit);
  const venue = /<option value="(ve_\w+)" selected>Patio Inventado</.exec(form)?.[1] ?? '';
  expect(await read('/revision/eventos?q=todavia+no')).toContain(`href="${edit}"`);
  const family = { reason: 'Es familiar', tags: 'familia', verified: '1' };
  expect((await send(edit, { does: 'save', ...family })).status).toBe(303);
  const place = `/revision/editar/${venue}`;
  expect((await send(place, { does: 'save', reason: 'Llamamos', phone: '998 1' })).status).toBe(
    303,
  );
  const now = await readDatasetWith(inbox, EMPTY_LEDGER);
  const event = now.events.find(({ id }) => edit.endsWith(id));
  expect(now.left_out).toEqual([]);
  expect([event?.tags, event?.verified, event?.venue]).toEqual([['familia'], true, venue]);
  expect(now.venues.find(({ id }) => id === venue)?.phone).toBe('998 1');
  expect(now.notices.find(({ id }) => path.endsWith(id.slice(0, 13)))?.title.es).toBe(
    title['title.es'],
  );
  for (const one of [path, edit, place])
    expect((await send(one, { does: 'source' })).status).toBe(303);
});

test('an event of a calendar is seen and changed in its row; what is wrong comes back there as typed', async () => {
  const { inbox } = opened;
  const town = openFixture();
  const events = [toEvent('Función de noche', 3), toEvent('Función de tarde', 9)];
  const given = { inbox, snapshot: town.snapshot };
  const reference = await sendCalendar(given, await bring(given, toCalendar(...events)));
  town.close();
  const path = `/revision/envios/${reference}`;
  const html = await read(path);
  const [one = '', two = ''] = [...html.matchAll(/name="pick" value="(HC-\w+)"/g)].map(
    ([, found]) => found,
  );
  for (const shown of ['20:00', 'Gratis']) expect(html).toContain(shown);
  const opened_row = await send(path, { open: one, pick: `${one},${two}` });
  expect(opened_row.html).toContain(`name="description_${one}"`);
  const changed = {
    [`venue_name_${one}`]: 'Malecón Inventado',
    [`start_time_${one}`]: '19:30',
    [`price_kind_${one}`]: 'fixed',
    [`price_min_${one}`]: '150',
    [`category_${one}`]: 'live-music',
    [`description_${one}`]: 'Tres grupos tocan en la orilla.',
    [`category_${two}`]: 'live-music',
    [`price_kind_${two}`]: 'free',
    [`start_time_${two}`]: '',
  };
  const both = { does: 'approve', pick: `${one},${two}` };
  const wrong = await send(path, { ...changed, ...both });
  expect(wrong.status, wrong.html).toBe(422);
  // The first is approved; the second waits with what was typed.
  expect(wrong.html).not.toContain(`name="pick" value="${one}"`);
  expect(wrong.html).toMatch(new RegExp(`name="price_kind_${two}" value="free" checked`));
  expect(wrong.html).toContain(`id="f-start-time-${two}-fault"`);
  const record = (await readApplied(inbox)).publications.find((found) => found.id === one)?.record;
  expect(record).toMatchObject({
    event: {
      when: [{ start: '19:30' }],
      price: { min: 150, max: 150 },
      category: 'live-music',
      summary: { es: 'Tres grupos tocan en la orilla.' },
    },
    venue: { id: expect.stringMatching(/^ve_/) },
  });
});

test('what a reader reports is mended on the screen of the report', async () => {
  const { id } = await readDetail(server, 'feria-diaria', 'es');
  const about = { kind: 'event', id, title: 'Feria diaria' } as const;
  const correction = { change: 'Ahora es para todos', source_url: null, contact_email: null };
  const { reference } = await sendCorrection(opened.inbox, {
    ...{ correction, about, lang: 'es', sender: '203.0.113.7', now_ms: FRIDAY_NOON_MS },
  });
  const path = `/revision/envios/${reference}`;
  const html = await read(path);
  expect(html).toContain('Ahora es para todos');
  const fields = fillForm(html, { does: 'save', reason: 'Lo dijo un lector', tags: 'todos' });
  const saved = await server.post(`/revision/editar/${id}`, fields, headers);
  expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}?done=edited`]);
  expect((await readApplied(opened.inbox, id)).edits[0]?.record.tags).toEqual(['todos']);
  expect(await read(`${path}?done=edited`)).toContain('Guardado');
  expect((await send(path, { does: 'done' })).status).toBe(303);
  expect((await send(`/revision/editar/${id}`, { does: 'source' })).status).toBe(303);
});

test('an edit, and that two are one, are served, beside their sources, until those speak again', {
  timeout: 240_000,
}, async () => {
  // What the tests before gave back to its source.
  await untilServed('/api/v1/events/feria-diaria', '"tags":["familia"]');
  const fair = await readDetail(server, 'feria-diaria', 'es');
  const play = await readDetail(server, 'fiesta-de-viernes', 'es');
  const venues = ['malecon-inventado', 'foro-sin-punto'] as const;
  const [kept = '', old = ''] = await Promise.all(
    venues.map(async (slug) => (await (await server.get(`/api/v1/venues/${slug}`)).json()).data.id),
  );
  const at = `/revision/editar/${fair.id}`;
  const stale = await fill(at, { does: 'save', reason: 'Otra', title: 'Feria ajena' });
  const title = { title: 'Feria eterna', other_title: 'Endless fair' };
  const edit = { ...title, reason: 'Nos lo dijo el mercado', tags: 'familia\npuestos' };
  expect((await send(at, { does: 'save', ...edit })).status).toBe(303);
  const late = await server.post(at, stale, headers);
  expect([late.status, await late.text()]).toEqual([
    422,
    expect.stringContaining('Otra persona hizo cambios'),
  ]);
  const same = { does: 'save', same_as: kept, reason: 'Es el mismo' };
  expect((await send(`/revision/editar/${old}`, same)).status).toBe(303);
  await untilServed(`/api/v1/venues/${old}`, `"id":"${kept}"`);

  const after = await readDetail(server, fair.id, 'en');
  expect([after.id, after.title, after.tags]).toEqual([
    ...[fair.id, 'Endless fair', ['familia', 'puestos']],
  ]);
  for (const [before, now] of [
    ['/eventos/feria-diaria', '/eventos/feria-eterna'],
    [`/lugares/${venues[1]}`, `/lugares/${venues[0]}`],
  ] as const) {
    const moved = await ask(before);
    expect([moved.status, moved.headers.get('location')]).toEqual([
      301,
      expect.stringContaining(now),
    ]);
  }
  const { image } = v.parse(Pictured, await readDetail(server, play.id, 'en'));
  expect([image.alt, (await ask(new URL(image.url).pathname)).status]).toEqual([
    'A stage at night',
    200,
  ]);

  expect(await read(at)).toContain('Nos lo dijo el mercado');
  expect((await send(at, { does: 'source' })).status).toBe(303);
  const giveBack = () => send(`/revision/editar/${old}`, { does: 'source' });
  expect((await giveBack()).status).toBe(303);
  // Undone like any decision.
  await undoLast();
  expect((await giveBack()).status).toBe(303);
  await untilServed(`/api/v1/venues/${old}`, `"id":"${old}"`);
  const again = await readDetail(server, 'feria-diaria', 'es');
  expect([again.id, again.title, again.tags]).toEqual([fair.id, fair.title, fair.tags]);
});
