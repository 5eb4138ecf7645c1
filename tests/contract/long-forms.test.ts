// Forms with more text than is taken in, and repetitions: nothing that was typed is lost, over real HTTP (contract
// 14.1, 14.5).
import { expect, test } from 'vitest';
import { comeIn, serveDesk, toField } from '../fixtures/desk-server.ts';
import { fillForm } from '../fixtures/filled-form.ts';
import { readValue, sendIn } from '../fixtures/inbox.ts';
import { makePhoto } from '../fixtures/picture-server.ts';
import { GOOD, postForm, toForm } from '../fixtures/upload-form.ts';

const opened = await serveDesk();
const { server, inbox } = opened;
const LONG = 'Una frase de la orquesta. '.repeat(4000);
const PHOTO = await makePhoto('jpeg');

async function send(fields: Readonly<Record<string, string>>) {
  const { status, html } = await postForm(server.origin, toForm(fields));
  const [, preview = ''] = /<section class="preview"(.*?)<\/section>/s.exec(html) ?? [];
  return { status, html, preview };
}

test('a form that is too long comes back whole and says which field is, with a picture and without', async () => {
  const form = { ...GOOD, description: LONG, step: 'send' };
  const pictured = await postForm(server.origin, toForm(form, PHOTO));
  const plain = await server.post('/publicar', form);
  const faults = 'id="f-description-fault">Es muy largo: 4000 caracteres como máximo.';
  for (const html of [pictured.html, await plain.text()])
    for (const part of [faults, LONG.trim(), `value="${GOOD.title}"`]) expect(html).toContain(part);
  expect([pictured.status, plain.status]).toEqual([413, 413]);
  expect(toField(pictured.html, 'picture_id').length).toBe(32);
  const report = `/corregir/evento/${await opened.findEventId()}`;
  const told = await server.post(report, { change: LONG });
  expect([told.status, await told.text()]).toEqual([413, expect.stringContaining(LONG.trim())]);
  expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
});

test('the days that a repetition leaves out are not in the preview, and stay in the form', async () => {
  const weekly = { ...GOOD, repeat: 'weekly', repeat_until: '2026-12-26' };
  const { html, preview } = await send({ ...weekly, exceptions: '19/12/2026' });
  expect(fillForm(html)['exceptions[]']).toContain('2026-12-19');
  expect(preview.match(/sábado \d+ de diciembre/g)).toEqual([
    ...['sábado 5 de diciembre', 'sábado 12 de diciembre', 'sábado 26 de diciembre'],
  ]);
  const wrong = fillForm((await send({ ...weekly, exceptions: 'Navidad', title: '' })).html);
  expect(wrong['exceptions[]']).toContain('Navidad');
});

test('a repetition without a known end tells up to which day it was taken, and the desk keeps it', async () => {
  const form = { ...GOOD, repeat: 'weekly', open_end: '1', weekdays: 'th,sa' };
  expect((await send(form)).preview).toContain('hasta el sábado 27 de febrero de 2027');
  const { reference } = await sendIn(inbox, { open_end: true });
  const ana = await comeIn(opened);
  const path = `/revision/envios/${reference}`;
  expect(await ana.read(path)).toContain('sin fecha de término');
  expect((await ana.post(path, { ...form, revision: '1', does: 'save' })).status).toBe(303);
  expect(fillForm(await ana.read(path))).toMatchObject({ weekdays: 'th,sa', open_end: '1' });
});
