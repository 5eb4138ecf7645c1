// What the desk edits, as it is served and told (contract 14.28, 14.32, 14.35).
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
const Pictured = v.object({ image: v.object({ url: v.string(), alt: v.string() }) });

const opened = await serveDesk();
const { server, inbox } = opened;
const { cookie, read, post } = await signInAs(opened);

const fill = async (path: string, changed: Fields) => fillForm(await read(path), changed);
async function send(path: string, changed: Fields) {
  const answer = await post(path, await fill(path, changed));
  return { status: answer.status, html: await answer.text() };
}
const toEdit = (id: string): string => `/revision/editar/${id}`;
const idOf = async (slug: string): Promise<string> =>
  (await fetchEventDetail(server, slug, 'es')).id;
const editOf = async (id: string) => (await loadAppliedChanges(inbox, id)).edits[0]?.record;
const undoLast = () => undoNewestDecision(inbox, { editor: 'ana', now_ms: FRIDAY_NOON_MS });

test('an uploaded picture is validated, stored with the form values and described in both languages', async () => {
  const id = await idOf('fiesta-de-viernes');
  const path = toEdit(id);
  const alt = { image_alt: 'Un escenario de noche', other_image_alt: 'A stage at night' };
  const sendPicture = async (changed: Fields, bytes?: Buffer) => {
    const fields = { ...alt, reason: 'La mandó el lugar', ...changed };
    return postPicture(server.origin, path, cookie, { html: await read(path), fields, bytes });
  };
  const broken = await sendPicture({}, Buffer.from('<svg/>'));
  expect([broken.status, broken.html]).toEqual([422, expect.stringContaining('No es una imagen')]);
  const silent = await sendPicture({ reason: '' }, await createPhoto('jpeg'));
  const picture_id = readFieldValue(silent.html, 'picture_id');
  expect([silent.status, picture_id.length]).toEqual([422, 32]);
  expect((await sendPicture({ picture_id })).status).toBe(303);
  const both = { es: alt.image_alt, en: alt.other_image_alt };
  expect((await editOf(id))?.image).toEqual({ url: `upload:${picture_id}`, alt: both });
  expect(await read(path)).not.toContain('upload:');
  expect((await sendPicture({ picture_id, picture_drop: '1' })).status).toBe(303);
  expect(await editOf(id)).toBeUndefined();
  await undoLast();
});

test('an event of an imported calendar is edited in its row; an invalid value returns there', async () => {
  const town = openFixture();
  const given = { inbox, snapshot: town.snapshot };
  const calendar = icsCalendar(icsEvent('Función de noche', 3), icsEvent('Función de tarde', 9));
  const path = `/revision/envios/${await sendCalendar(given, await importCalendar(given, calendar))}`;
  town.close();
  const [one = '', two = ''] =
    (await read(path)).match(/(?<=name="pick" value=")[A-Z]+-\w+/g) ?? [];
  const pick = `${one},${two}`;
  expect((await send(path, { open: one, pick })).html).toContain(`name="description_${one}"`);
  const wrong = await send(path, {
    ...{ does: 'approve', pick },
    [`venue_name_${one}`]: 'Malecón Inventado',
    [`start_time_${one}`]: '19:30',
    [`price_kind_${one}`]: 'fixed',
    [`price_min_${one}`]: '150',
    [`category_${one}`]: 'live-music',
    [`category_${two}`]: 'live-music',
    [`price_kind_${two}`]: 'free',
    [`start_time_${two}`]: '',
  });
  // The first is approved; the second waits with what was typed.
  expect(wrong.status).toBe(422);
  expect(wrong.html).not.toContain(`name="pick" value="${one}"`);
  expect(wrong.html).toContain(`name="price_kind_${two}" value="free" checked`);
  expect(wrong.html).toContain(`id="f-start-time-${two}-fault"`);
  const record = (await loadAppliedChanges(inbox)).publications.find(
    (found) => found.id === one,
  )?.record;
  const event = { when: [{ start: '19:30' }], price: { min: 150, max: 150 } };
  expect(record).toMatchObject({ event, venue: { id: expect.stringMatching(/^ve_/) } });
});

test('an edit is served beside its source, until that speaks', { timeout: 240_000 }, async () => {
  const untilServed = (path: string, text: string) =>
    expect.poll(() => read(path), { timeout: 90_000 }).toContain(text);
  const fair = await fetchEventDetail(server, 'feria-diaria', 'es');
  const at = toEdit(fair.id);
  const title = { title: 'Feria eterna', other_title: 'Endless fair' };
  const edit = { ...title, reason: 'Nos lo dijo el mercado', tags: 'familia\npuestos' };
  expect((await send(at, { does: 'save', ...edit })).status).toBe(303);
  await untilServed(`/api/v1/events/${fair.id}`, title.title);
  const edited = { id: fair.id, title: 'Endless fair', tags: ['familia', 'puestos'] };
  expect(await fetchEventDetail(server, fair.id, 'en')).toMatchObject(edited);
  const moved = await server.get('/eventos/feria-diaria');
  expect(moved.status).toBe(301);
  expect(moved.headers.get('location')).toContain('/eventos/feria-eterna');
  const play = await idOf('fiesta-de-viernes');
  const { image } = v.parse(Pictured, await fetchEventDetail(server, play, 'en'));
  expect(image.alt).toBe('A stage at night');
  expect((await server.get(new URL(image.url).pathname)).status).toBe(200);

  const giveBack = async () => (await send(at, { does: 'source' })).status;
  expect(await giveBack()).toBe(303);
  // Undone like any decision.
  await undoLast();
  expect(await giveBack()).toBe(303);
  await untilServed(`/api/v1/events/${fair.id}`, fair.title);
  const { id, title: said, tags } = await fetchEventDetail(server, 'feria-diaria', 'es');
  expect([id, said, tags]).toEqual([fair.id, fair.title, fair.tags]);
});
