// A picture uploaded with the form, over real HTTP: stored while the form is worked on, refused with a
// sentence, kept with everything typed; private until approved (contract 14.13).
import { readRows, readValue } from '../fixtures/inbox.ts';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { serveDesk, toCookie, toField } from '../fixtures/desk-server.ts';
import { GOOD, postForm, toForm } from '../fixtures/upload-form.ts';
import { makeBomb, makePhoto } from '../fixtures/picture-server.ts';

const opened = await serveDesk();
const { server, inbox } = opened;

const MB = 1024 * 1024;
const PHOTO = await makePhoto('jpeg');

const sendForm = (form: FormData, path?: string) => postForm(server.origin, form, path);
const readId = (html: string): string => toField(html, 'picture_id');
const FAULT = /id="f-picture-id-fault">([^<]*)</;

describe('a form with a picture', () => {
  test('is previewed with it, and stored only when it is sent', async () => {
    const { status, html } = await sendForm(toForm(GOOD, PHOTO));
    const id = readId(html);
    expect([status, id.length]).toEqual([200, 32]);
    expect(html.match(new RegExp(`<img[^>]*src="/subidas/${id}"`, 'g'))).toHaveLength(2);
    const again = await sendForm(toForm({ ...GOOD, title: 'Otra', picture_id: id }));
    expect(readId(again.html)).toBe(id);
    const dropped = await sendForm(toForm({ ...GOOD, picture_id: id, picture_drop: '1' }));
    expect([dropped.status, readId(dropped.html), dropped.html.includes('/subidas/')]).toEqual([
      200,
      '',
      false,
    ]);
    expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
  });

  test('is shown at an address that nobody keeps, and that no page may load from elsewhere', async () => {
    const id = readId((await sendForm(toForm(GOOD, PHOTO))).html);
    const response = await server.get(`/subidas/${id}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([(await sharp(bytes).metadata()).format, bytes.includes('SECRET-NAME')]).toEqual([
      'webp',
      false,
    ]);
    for (const other of ['', 'x', 'x'.repeat(32), `${id}x`, `${id}/..`, '%00'])
      expect([400, 404, 301], other).toContain((await server.get(`/subidas/${other}`)).status);
    expect((await server.post(`/subidas/${id}`, {})).status).toBe(405);
    expect(server.output()).not.toContain(id);
  });

  test('keeps it through a form that fails for another reason', async () => {
    const { status, html } = await sendForm(toForm({ ...GOOD, title: '' }, PHOTO));
    expect([status, readId(html).length, FAULT.test(html)]).toEqual([422, 32, false]);
  });

  test('is told that a picture is gone, and loses nothing else', async () => {
    for (const picture_id of ['x'.repeat(32), '../../etc/passwd', '<b>']) {
      const { status, html } = await sendForm(toForm({ ...GOOD, picture_id }));
      expect([status, html.includes('value="Noche con imagen"'), readId(html)]).toEqual([
        422,
        true,
        '',
      ]);
      expect(html).toContain('Ya no tenemos la imagen');
    }
  });
});

describe('a picture that is none', () => {
  test.each<readonly [string, Buffer, number, string]>([
    ['0 bytes', Buffer.alloc(0), 422, 'El archivo está vacío'],
    ['too much', Buffer.concat([PHOTO, Buffer.alloc(5 * MB)]), 413, 'Pesa más de 5 MB'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422, 'No es una imagen'],
    ['a bomb', makeBomb(), 422, 'demasiados píxeles'],
  ])('%s has its sentence, and everything typed is there', async (_, bytes, status, sentence) => {
    const found = await sendForm(toForm({ ...GOOD, step: 'send' }, bytes, 'bonita.jpg'));
    expect([found.status, FAULT.exec(found.html)?.[1]]).toEqual([
      status,
      expect.stringContaining(sentence),
    ]);
    for (const typed of ['value="Noche con imagen"', 'value="2026-12-05"', 'value="Patio"'])
      expect(found.html).toContain(typed);
    expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
  });

  test('from another site, or to a form without a file, it is not read', async () => {
    const foreign = await fetch(`${server.origin}/publicar`, {
      method: 'POST',
      body: toForm(GOOD, PHOTO),
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    const id = await opened.findEventId();
    expect((await sendForm(toForm(GOOD, PHOTO), `/corregir/evento/${id}`)).status).toBe(415);
    expect((await sendForm(toForm(GOOD, PHOTO), '/revision')).status).toBe(415);
  });
});

test('what is sent with a picture has it on its status page and at the desk, and nowhere else', async () => {
  const form = await (await server.get('/publicar')).text();
  const id = readId((await sendForm(toForm(GOOD, PHOTO))).html);
  await new Promise((resolve) => setTimeout(resolve, 4_200));
  const stamp = toField(form, 'stamp');
  const { response, status } = await sendForm(
    toForm({ ...GOOD, step: 'send', stamp, picture_id: id, image_alt: 'Un trío toca' }),
  );
  const path = response.headers.get('location') ?? '';
  expect([status, path]).toEqual([303, expect.stringMatching(/^\/publicar\/estado\//)]);
  expect(await (await server.get(path)).text()).toContain(
    `src="/subidas/${id}" alt="Un trío toca"`,
  );
  const cookie = toCookie(await opened.logIn());
  const reference = String(await readValue(inbox, 'select reference from changes'));
  const item = await (await server.get(`/revision/envios/${reference}`, { cookie })).text();
  expect(item.match(new RegExp(`src="/subidas/${id}"`, 'g'))).toHaveLength(3);
  expect(item).toContain('Publicar sin imagen');
  for (const page of ['/hoy', '/fecha/2026-12-05', '/api/v1/events?limit=200'])
    expect(await (await server.get(page)).text()).not.toContain(id);
  // The correction has it to begin with, and may do without it.
  const correction = await (await server.get(`${path}?does=correct`)).text();
  expect(readId(correction)).toBe(id);
  const { html } = await sendForm(
    toForm({ ...GOOD, picture_id: id, picture_drop: '1' }),
    `${path}?does=correct`,
  );
  expect(html).not.toContain('/subidas/');
});

test('where it cannot be stored, what was typed comes back', async () => {
  // As on a full disk: the table takes nothing.
  await readRows(
    inbox,
    "create trigger uploads.full before insert on uploads begin select raise(abort, 'disk is full'); end",
  );
  try {
    const { status, html } = await sendForm(toForm(GOOD, await makePhoto('png', 300, 301)));
    expect([status, html.includes('value="Noche con imagen"'), readId(html)]).toEqual([
      503,
      true,
      '',
    ]);
    expect(FAULT.exec(html)?.[1]).toContain('no podemos guardar imágenes');
    expect(server.output()).toContain('disk is full');
  } finally {
    await readRows(inbox, 'drop trigger uploads.full');
  }
});
