// What the desk edits, as it is served: in the form of the page, with a picture, in the rows of a calendar; told on
// every surface, made one with another, and given back to its source (contract 14.28, 14.32, 14.35).
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { readApplied } from '../../src/inbox/applied.ts';
import { bring, send as sendCalendar, toCalendar, toEvent } from '../fixtures/calendars.ts';
import { comeIn, serveDesk, toField } from '../fixtures/desk-server.ts';
import { readDetail } from '../fixtures/event-surfaces.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { undoNewest } from '../fixtures/inbox.ts';
import { makePhoto } from '../fixtures/picture-server.ts';
import { postPicture } from '../fixtures/upload-form.ts';

type Fields = Readonly<Record<string, string>>;
const Pictured = v.object({ image: v.object({ url: v.string(), alt: v.string() }) });

const opened = await serveDesk();
const { server, inbox } = opened;
const { cookie, read, post } = await comeIn(opened);

const fill = async (path: string, changed: Fields) => fillForm(await read(path), changed);
async function send(path: string, changed: Fields) {
  const answer = await post(path, await fill(path, changed));
  return { status: answer.status, html: await answer.text() };
}
const toEdit = (id: string): string => `/revision/editar/${id}`;
const idOf = async (slug: string): Promise<string> => (await readDetail(server, slug, 'es')).id;
const editOf = async (id: string) => (await readApplied(inbox, id)).edits[0]?.record;
const undoLast = () => undoNewest(inbox, { editor: 'ana', now_ms: FRIDAY_NOON_MS });

test('a form that nobody touches changes nothing; what is wrong comes back at its field', async () => {
  const path = toEdit(await idOf('feria-diaria'));
  const same = await send(path, { does: 'save', reason: 'x' });
  expect([same.status, same.html]).toEqual([422, expect.stringContaining('No cambiaste nada')]);
  const faults = { start_time: '25:00', title: 'Feria "nueva"' };
  const wrong = await send(path, { does: 'save', reason: 'x', ...faults });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toMatch(/id="f-start-date-fault">Falta/);
  expect(wrong.html).toMatch(/href="#f-start-date">¿Qué día\?<\/a>/);
  expect(wrong.html).toMatch(/value="Feria (?:&#34;|&quot;)nueva(?:&#34;|&quot;)"/);
  const sources = { does: 'save', reason: 'x', 'sources.0.checked': 'ayer' };
  const { html } = await send(path, sources);
  expect(html).toMatch(/id="f-sources-0-checked-fault">Debe ser un día/);
});

test('a picture is uploaded: checked, kept with what was typed, described in both languages', async () => {
  const id = await idOf('fiesta-de-viernes');
  const path = toEdit(id);
  const alt = { image_alt: 'Un escenario de noche', other_image_alt: 'A stage at night' };
  const sendPicture = async (fields: Fields, bytes?: Buffer) =>
    postPicture(server.origin, path, cookie, {
      ...{
        html: await read(path),
        fields: { ...alt, reason: 'La mandó el lugar', ...fields },
        bytes,
      },
    });
  const broken = await sendPicture({}, Buffer.from('<svg/>'));
  expect(broken.status).toBe(422);
  for (const words of ['No es una imagen JPG', 'value="Un escenario de noche"'])
    expect(broken.html).toContain(words);
  const silent = await sendPicture({ reason: '' }, await makePhoto('jpeg'));
  const picture_id = toField(silent.html, 'picture_id');
  expect([silent.status, picture_id.length]).toEqual([422, 32]);
  for (const words of [`src="/subidas/${picture_id}"`, 'value="¡Fiesta de viernes!"'])
    expect(silent.html).toContain(words);
  expect((await sendPicture({ picture_id })).status).toBe(303);
  expect((await editOf(id))?.image).toEqual({
    url: `upload:${picture_id}`,
    alt: { es: alt.image_alt, en: alt.other_image_alt },
  });
  expect(await read(path)).not.toContain('upload:');
  const gone = await sendPicture({ picture_id: 'x'.repeat(32) });
  expect([gone.status, gone.html.includes('Ya no tenemos la imagen')]).toEqual([422, true]);
  expect((await sendPicture({ picture_id, picture_drop: '1' })).status).toBe(303);
  expect(await editOf(id)).toBeUndefined();
  await undoLast();
});

test('an event of a calendar is seen and changed in its row; what is wrong comes back there as typed', async () => {
  const town = openFixture();
  const given = { inbox, snapshot: town.snapshot };
  const calendar = toCalendar(toEvent('Función de noche', 3), toEvent('Función de tarde', 9));
  const path = `/revision/envios/${await sendCalendar(given, await bring(given, calendar))}`;
  town.close();
  const html = await read(path);
  const [one = '', two = ''] = html.match(/(?<=name="pick" value=")HC-\w+/g) ?? [];
  for (const shown of ['20:00', 'Gratis']) expect(html).toContain(shown);
  const pick = `${one},${two}`;
  expect((await send(path, { open: one, pick })).html).toContain(`name="description_${one}"`);
  const wrong = await send(path, {
    ...{ does: 'approve', pick },
    [`venue_name_${one}`]: 'Malecón Inventado',
    [`start_time_${one}`]: '19:30',
    [`price_kind_${one}`]: 'fixed',
    [`price_min_${one}`]: '150',
    [`category_${one}`]: 'live-music',
    [`description_${one}`]: 'Tres grupos tocan en la orilla.',
    [`category_${two}`]: 'live-music',
    [`price_kind_${two}`]: 'free',
    [`start_time_${two}`]: '',
  });
  expect(wrong.status, wrong.html).toBe(422);
  // The first is approved; the second waits with what was typed.
  expect(wrong.html).not.toContain(`name="pick" value="${one}"`);
  for (const shown of [
    `name="price_kind_${two}" value="free" checked`,
    `id="f-start-time-${two}-fault"`,
  ])
    expect(wrong.html).toContain(shown);
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

test('an edit is served beside what its source says, until that speaks again', {
  timeout: 240_000,
}, async () => {
  /** What the desk decides is served by itself; the last of it is waited for. */
  const untilServed = (path: string, text: string) =>
    expect.poll(() => read(path), { timeout: 90_000 }).toContain(text);
  const fair = await readDetail(server, 'feria-diaria', 'es');
  const at = toEdit(fair.id);
  const title = { title: 'Feria eterna', other_title: 'Endless fair' };
  const edit = { ...title, reason: 'Nos lo dijo el mercado', tags: 'familia\npuestos' };
  expect((await send(at, { does: 'save', ...edit })).status).toBe(303);
  await untilServed(`/api/v1/events/${fair.id}`, title.title);
  expect(await readDetail(server, fair.id, 'en')).toMatchObject({
    ...{ id: fair.id, title: 'Endless fair', tags: ['familia', 'puestos'] },
  });
  const moved = await server.get('/eventos/feria-diaria');
  expect([moved.status, moved.headers.get('location')]).toEqual([
    ...[301, expect.stringContaining('/eventos/feria-eterna')],
  ]);
  const play = await idOf('fiesta-de-viernes');
  const { image } = v.parse(Pictured, await readDetail(server, play, 'en'));
  expect(image.alt).toBe('A stage at night');
  expect((await server.get(new URL(image.url).pathname)).status).toBe(200);

  expect(await read(at)).toContain('Nos lo dijo el mercado');
  const giveBack = async () => (await send(at, { does: 'source' })).status;
  expect(await giveBack()).toBe(303);
  // Undone like any decision.
  await undoLast();
  expect(await giveBack()).toBe(303);
  await untilServed(`/api/v1/events/${fair.id}`, fair.title);
  const { id, title: said, tags } = await readDetail(server, 'feria-diaria', 'es');
  expect([id, said, tags]).toEqual([fair.id, fair.title, fair.tags]);
});
