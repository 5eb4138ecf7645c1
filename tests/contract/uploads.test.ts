// A picture uploaded with the form, over real HTTP, private until approved; and more text than is taken in, which is not lost (contract 14.5, 14.13).
import { expect, test } from 'vitest';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { signInAs, serveDesk, readFieldValue } from '../fixtures/desk-server.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { queryRows, queryValue } from '../fixtures/inbox.ts';
import { createBomb, createPhoto } from '../fixtures/picture-server.ts';
import { VALID_FORM, postForm, buildFormData } from '../fixtures/upload-form.ts';

const opened = await serveDesk();
const { server, inbox } = opened;
const MB = 1024 * 1024;
const PHOTO = await createPhoto('jpeg');

async function send(more: object, bytes?: Buffer, path?: string, headers?: Record<string, string>) {
  const form = buildFormData({ ...VALID_FORM, ...more }, bytes, 'bonita.jpg');
  const { response, status, html } = await postForm(server.origin, form, path, headers);
  const [, fault = ''] = /id="f-picture-id-fault">([^<]*)</.exec(html) ?? [];
  const shown = html.match(/<img[^>]*src="\/subidas\/[\w-]/g)?.length ?? 0;
  return { response, status, html, fault, shown, id: readFieldValue(html, 'picture_id') };
}
const countStored = () => queryValue(inbox, 'select count(*) from changes');

test('a form is previewed with its picture, which stays or goes with the form', async () => {
  const { id, shown } = await send({}, PHOTO);
  expect([id.length, shown]).toEqual([32, 2]);
  expect((await send({ title: 'Otra', picture_id: id })).id).toBe(id);
  expect(await send({ picture_id: id, picture_drop: '1' })).toMatchObject({ id: '', shown: 0 });
  expect(await countStored()).toBe(0);
});

test('it is shown at an address that nobody keeps, and that no page may load from elsewhere', async () => {
  const { id } = await send({}, PHOTO);
  const response = await server.get(`/subidas/${id}`);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  for (const other of ['x', 'x'.repeat(32), `${id}x`])
    expect((await server.get(`/subidas/${other}`)).status, other).toBe(404);
  expect(server.output()).not.toContain(id);
});

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const gone = 'Ya no tenemos la imagen';
test.each<readonly [string, object, Buffer | undefined, number, string]>([
  ['too much', {}, Buffer.concat([PHOTO, Buffer.alloc(5 * MB)]), 413, 'Pesa más de 5 MB'],
  ['SVG', {}, svg, 422, 'No es una imagen'],
  ['a bomb', {}, createBomb(), 422, 'demasiados píxeles'],
  ['nobody’s', { picture_id: 'x'.repeat(32) }, undefined, 422, gone],
])('what is no picture is told, nothing typed lost: %s', async (_, more, bytes, status, said) => {
  const found = await send({ step: 'send', ...more }, bytes);
  expect([found.status, found.id]).toEqual([status, '']);
  expect(found.fault).toContain(said);
  expect(fillForm(found.html).title).toBe(VALID_FORM.title);
  expect(await countStored()).toBe(0);
});

const LONG = 'Una frase de la orquesta. '.repeat(4000);
test('a form that is too long comes back whole and says which field is, with a picture and without', async () => {
  const form = { ...VALID_FORM, description: LONG, step: 'send' };
  const pictured = await postForm(server.origin, buildFormData(form, PHOTO));
  const plain = await server.post('/publicar', form);
  const faults = 'id="f-description-fault">Es muy largo: 4000 caracteres como máximo.';
  for (const html of [pictured.html, await plain.text()])
    for (const part of [faults, LONG.trim(), `value="${VALID_FORM.title}"`])
      expect(html).toContain(part);
  expect([pictured.status, plain.status]).toEqual([413, 413]);
  expect(readFieldValue(pictured.html, 'picture_id').length).toBe(32);
  const report = `/corregir/evento/${await opened.findEventId()}`;
  const told = await server.post(report, { change: LONG });
  expect([told.status, await told.text()]).toEqual([413, expect.stringContaining(LONG.trim())]);
  expect(await countStored()).toBe(0);
});

test('from another site, or to a form without a file, it is not read', async () => {
  const evil = { origin: 'https://evil.example' };
  expect((await send({}, PHOTO, undefined, evil)).status).toBe(403);
  const id = await opened.findEventId();
  for (const path of [`/corregir/evento/${id}`, '/revision'])
    expect((await send({}, PHOTO, path)).status).toBe(415);
});

test('a submission shows its picture on its status page and at the desk, and nowhere else', async () => {
  const stamp = createFormToken(inbox, FRIDAY_NOON_MS - 60_000);
  const { id, response } = await send({ step: 'send', stamp, image_alt: 'Un trío toca' }, PHOTO);
  const path = response.headers.get('location') ?? '';
  const status = await (await server.get(path)).text();
  const [, src = ''] = /src="(\/subidas\/[\w-]{32})" alt="Un trío toca"/.exec(status) ?? [];
  expect([id, src]).toEqual(['', expect.stringMatching(/\w/)]);
  for (const page of ['/hoy', '/fecha/2026-12-05', '/api/v1/events?limit=200'])
    expect(await (await server.get(page)).text()).not.toContain(src);
  // The correction has it to begin with, and may do without it; so may the desk.
  const correct = `${path}?does=correct`;
  const picture_id = readFieldValue(await (await server.get(correct)).text(), 'picture_id');
  expect(src).toContain(picture_id);
  expect((await send({ picture_id, picture_drop: '1' }, undefined, correct)).shown).toBe(0);
  const ana = await signInAs(opened);
  const item = `/revision/envios/${await queryValue(inbox, 'select reference from changes')}`;
  const html = await ana.read(item);
  expect(html.split(`src="${src}"`)).toHaveLength(4);
  const looked = await ana.post(item, fillForm(html, { picture_drop: '1', does: 'look' }));
  expect(await looked.text()).not.toContain(src);
});
test('if the picture cannot be stored, the form returns with its values', async () => {
  // As on a full disk: the table takes nothing.
  const body = "begin select raise(abort, 'disk is full'); end";
  await queryRows(inbox, `create trigger uploads.full before insert on uploads ${body}`);
  const { status, html } = await send({}, await createPhoto('png', 300, 301));
  await queryRows(inbox, 'drop trigger uploads.full');
  expect([status, fillForm(html).title]).toEqual([503, VALID_FORM.title]);
});
