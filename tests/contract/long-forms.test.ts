// A form with more text than is taken in: nothing that was typed is lost, over real HTTP (contract 14.5).
import { expect, test } from 'vitest';
import { serveDesk, toField } from '../fixtures/desk-server.ts';
import { readValue } from '../fixtures/inbox.ts';
import { makePhoto } from '../fixtures/picture-server.ts';
import { GOOD, postForm, toForm } from '../fixtures/upload-form.ts';

const opened = await serveDesk();
const { server, inbox } = opened;
const LONG = 'Una frase de la orquesta. '.repeat(4000);
const PHOTO = await makePhoto('jpeg');

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
