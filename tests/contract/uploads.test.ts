// Uploads over HTTP: pictures are private until approval, and rejected forms return with their values (contract 14.5, 14.13).
import { expect, test } from 'vitest';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { signInAs, serveDesk, readFieldValue } from '../fixtures/desk-server.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { queryRows, queryValue } from '../fixtures/inbox.ts';
import { createBomb, createPhoto } from '../fixtures/picture-server.ts';
import { VALID_FORM, postForm, buildFormData } from '../fixtures/upload-form.ts';

const desk = await serveDesk();
const { server, inbox } = desk;
const MB = 1024 * 1024;
const PHOTO = await createPhoto('jpeg');

async function send(
  changed: object,
  bytes?: Buffer,
  path?: string,
  headers?: Record<string, string>,
) {
  const form = buildFormData({ ...VALID_FORM, ...changed }, bytes, 'bonita.jpg');
  const { response, status, html } = await postForm(server.origin, form, path, headers);
  const [, fault = ''] = /id="f-picture-id-fault">([^<]*)</.exec(html) ?? [];
  const picture_count = html.match(/<img[^>]*src="\/subidas\/[\w-]/g)?.length ?? 0;
  return { response, status, html, fault, picture_count, id: readFieldValue(html, 'picture_id') };
}
const countStored = () => queryValue(inbox, 'select count(*) from changes');

test('a preview shows the picture, and the form keeps or drops it', async () => {
  const { id, picture_count } = await send({}, PHOTO);
  expect([id.length, picture_count]).toEqual([32, 2]);
  expect((await send({ title: 'Otra', picture_id: id })).id).toBe(id);
  expect(await send({ picture_id: id, picture_drop: '1' })).toMatchObject({
    id: '',
    picture_count: 0,
  });
  expect(await countStored()).toBe(0);
});

test('a pending picture is not cached, indexed or loadable by other sites', async () => {
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

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const MISSING_PICTURE = 'Ya no tenemos la imagen';
test.each<readonly [string, object, Buffer | undefined, number, string]>([
  ['too much', {}, Buffer.concat([PHOTO, Buffer.alloc(5 * MB)]), 413, 'Pesa más de 5 MB'],
  ['SVG', {}, SVG, 422, 'No es una imagen'],
  ['a bomb', {}, createBomb(), 422, 'demasiados píxeles'],
  ['an unknown picture', { picture_id: 'x'.repeat(32) }, undefined, 422, MISSING_PICTURE],
])(
  'an invalid picture is rejected with the form values: %s',
  async (_, changed, bytes, status, expected_fault) => {
    const result = await send({ step: 'send', ...changed }, bytes);
    expect([result.status, result.id]).toEqual([status, '']);
    expect(result.fault).toContain(expected_fault);
    expect(fillForm(result.html).title).toBe(VALID_FORM.title);
    expect(await countStored()).toBe(0);
  },
);

const LONG = 'Una frase de la orquesta. '.repeat(4000);
test('a form that is too long returns complete with the field marked, with and without a picture', async () => {
  const form = { ...VALID_FORM, description: LONG, step: 'send' };
  const pictured = await postForm(server.origin, buildFormData(form, PHOTO));
  const plain = await server.post('/publicar', form);
  const faults = 'id="f-description-fault">Es muy largo: 4000 caracteres como máximo.';
  for (const html of [pictured.html, await plain.text()])
    for (const part of [faults, LONG.trim(), `value="${VALID_FORM.title}"`])
      expect(html).toContain(part);
  expect([pictured.status, plain.status]).toEqual([413, 413]);
  expect(readFieldValue(pictured.html, 'picture_id').length).toBe(32);
  const report_path = `/corregir/evento/${await desk.findEventId()}`;
  const long_report = await server.post(report_path, { change: LONG });
  expect([long_report.status, await long_report.text()]).toEqual([
    413,
    expect.stringContaining(LONG.trim()),
  ]);
  expect(await countStored()).toBe(0);
});

test('rejects pictures from other sites and to forms without a file field', async () => {
  const evil = { origin: 'https://evil.example' };
  expect((await send({}, PHOTO, undefined, evil)).status).toBe(403);
  const id = await desk.findEventId();
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
  // The amendment form starts with the picture and can drop it. The desk can, too.
  const correct = `${path}?does=correct`;
  const picture_id = readFieldValue(await (await server.get(correct)).text(), 'picture_id');
  expect(src).toContain(picture_id);
  expect((await send({ picture_id, picture_drop: '1' }, undefined, correct)).picture_count).toBe(0);
  const ana = await signInAs(desk);
  const item = `/revision/envios/${await queryValue(inbox, 'select reference from changes')}`;
  const html = await ana.read(item);
  expect(html.split(`src="${src}"`)).toHaveLength(4);
  const rendered = await ana.post(item, fillForm(html, { picture_drop: '1', does: 'look' }));
  expect(await rendered.text()).not.toContain(src);
});
test('if the picture cannot be stored, the form returns with its values', async () => {
  // Simulates a full disk: inserts fail.
  const body = "begin select raise(abort, 'disk is full'); end";
  await queryRows(inbox, `create trigger uploads.full before insert on uploads ${body}`);
  const { status, html } = await send({}, await createPhoto('png', 300, 301));
  await queryRows(inbox, 'drop trigger uploads.full');
  expect([status, fillForm(html).title]).toEqual([503, VALID_FORM.title]);
});
