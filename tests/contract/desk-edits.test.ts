// Desk overrides over HTTP: pictures, imported events and edits, up to the API and pages (contract 14.28, 14.32, 14.35).
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import {
  importCalendar,
  submitCalendar as sendCalendar,
  icsCalendar,
  icsEvent,
} from '../fixtures/calendars.ts';
import { signInAs, serveDesk, readFieldValue } from '../fixtures/desk-server.ts';
import { fetchEventDetail } from '../fixtures/event-surfaces.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { undoNewestDecision } from '../fixtures/inbox.ts';
import { createPhoto } from '../fixtures/picture-server.ts';
import { postPicture } from '../fixtures/upload-form.ts';

type Fields = Readonly<Record<string, string>>;
const PicturedSchema = v.object({ image: v.object({ url: v.string(), alt: v.string() }) });

const desk = await serveDesk();
const { server, inbox } = desk;
const { cookie, read, post } = await signInAs(desk);

const fillPageForm = async (path: string, changed: Fields) => fillForm(await read(path), changed);
async function send(path: string, changed: Fields) {
  const answer = await post(path, await fillPageForm(path, changed));
  return { status: answer.status, html: await answer.text() };
}
const editPath = (id: string): string => `/revision/editar/${id}`;
const getEventId = async (slug: string): Promise<string> =>
  (await fetchEventDetail(server, slug, 'es')).id;
const getOverride = async (id: string) => (await loadAppliedChanges(inbox, id)).edits[0]?.record;
const undoLast = () => undoNewestDecision(inbox, { editor: 'ana', now_ms: FRIDAY_NOON_MS });

test('an uploaded picture is validated, stored with the form values and described in both languages', async () => {
  const id = await getEventId('fiesta-de-viernes');
  const path = editPath(id);
  const alt = { image_alt: 'Un escenario de noche', other_image_alt: 'A stage at night' };
  const sendPicture = async (changed: Fields, bytes?: Buffer) => {
    const fields = { ...alt, reason: 'La mandó el lugar', ...changed };
    return postPicture(server.origin, path, cookie, { html: await read(path), fields, bytes });
  };
  const broken = await sendPicture({}, Buffer.from('<svg/>'));
  expect([broken.status, broken.html]).toEqual([422, expect.stringContaining('No es una imagen')]);
  const without_reason = await sendPicture({ reason: '' }, await createPhoto('jpeg'));
  const picture_id = readFieldValue(without_reason.html, 'picture_id');
  expect([without_reason.status, picture_id.length]).toEqual([422, 32]);
  expect((await sendPicture({ picture_id })).status).toBe(303);
  const both = { es: alt.image_alt, en: alt.other_image_alt };
  expect((await getOverride(id))?.image).toEqual({ url: `upload:${picture_id}`, alt: both });
  expect(await read(path)).not.toContain('upload:');
  expect((await sendPicture({ picture_id, picture_drop: '1' })).status).toBe(303);
  expect(await getOverride(id)).toBeUndefined();
  await undoLast();
});

test('a preview lists some of many dates, marks a cancelled one and counts the others', async () => {
  const html = await read(editPath(await getEventId('feria-diaria')));
  const previews = html.slice(html.indexOf('<div class="looks">'));
  for (const text of [
    'Cancelado: sábado 21 de noviembre de 2026',
    'Canceled: Saturday, November 21, 2026',
    'Y 487 fechas más, después de estas.',
    'And 487 more dates after these.',
  ])
    expect(previews.split(text)).toHaveLength(2);
  expect(previews.match(/class="line"/g)?.length).toBeLessThan(200);
  expect(html.length).toBeLessThan(100_000);
});

test('an event of an imported calendar is edited in its row; an invalid value returns there', async () => {
  const town = openFixture();
  const context = { inbox, snapshot: town.snapshot };
  const calendar = icsCalendar(icsEvent('Función de noche', 3), icsEvent('Función de tarde', 9));
  const path = `/revision/envios/${await sendCalendar(context, await importCalendar(context, calendar))}`;
  town.close();
  const [first = '', second = ''] =
    (await read(path)).match(/(?<=name="pick" value=")[A-Z]+-\w+/g) ?? [];
  const pick = `${first},${second}`;
  expect((await send(path, { open: first, pick })).html).toContain(`name="description_${first}"`);
  const partial = await send(path, {
    ...{ does: 'approve', pick },
    [`venue_name_${first}`]: 'Malecón Inventado',
    [`start_time_${first}`]: '19:30',
    [`price_kind_${first}`]: 'fixed',
    [`price_min_${first}`]: '150',
    [`category_${first}`]: 'live-music',
    [`category_${second}`]: 'live-music',
    [`price_kind_${second}`]: 'free',
    [`start_time_${second}`]: '',
  });
  // The first event is approved; the second stays pending with the typed values.
  expect(partial.status).toBe(422);
  expect(partial.html).not.toContain(`name="pick" value="${first}"`);
  expect(partial.html).toContain(`name="price_kind_${second}" value="free" checked`);
  expect(partial.html).toContain(`id="f-start-time-${second}-fault"`);
  const record = (await loadAppliedChanges(inbox)).publications.find(
    (publication) => publication.id === first,
  )?.record;
  const event = { when: [{ start: '19:30' }], price: { min: 150, max: 150 } };
  expect(record).toMatchObject({ event, venue: { id: expect.stringMatching(/^ve_/) } });
});

test('an edit is served until the editor reverts to the source', { timeout: 240_000 }, async () => {
  const untilServed = (path: string, text: string) =>
    expect.poll(() => read(path), { timeout: 90_000 }).toContain(text);
  const fair = await fetchEventDetail(server, 'feria-diaria', 'es');
  const edit_path = editPath(fair.id);
  const title = { title: 'Feria eterna', other_title: 'Endless fair' };
  const edit = { ...title, reason: 'Nos lo dijo el mercado', tags: 'familia\npuestos' };
  expect((await send(edit_path, { does: 'save', ...edit })).status).toBe(303);
  await untilServed(`/api/v1/events/${fair.id}`, title.title);
  const edited = { id: fair.id, title: 'Endless fair', tags: ['familia', 'puestos'] };
  expect(await fetchEventDetail(server, fair.id, 'en')).toMatchObject(edited);
  const moved = await server.get('/eventos/feria-diaria');
  expect(moved.status).toBe(301);
  expect(moved.headers.get('location')).toContain('/eventos/feria-eterna');
  const play = await getEventId('fiesta-de-viernes');
  const { image } = v.parse(PicturedSchema, await fetchEventDetail(server, play, 'en'));
  expect(image.alt).toBe('A stage at night');
  expect((await server.get(new URL(image.url).pathname)).status).toBe(200);

  const revertToSource = async () => (await send(edit_path, { does: 'source' })).status;
  expect(await revertToSource()).toBe(303);
  // The reversion can be undone like any decision.
  await undoLast();
  expect(await revertToSource()).toBe(303);
  await untilServed(`/api/v1/events/${fair.id}`, fair.title);
  const { id, title: source_title, tags } = await fetchEventDetail(server, 'feria-diaria', 'es');
  expect([id, source_title, tags]).toEqual([fair.id, fair.title, fair.tags]);
});
