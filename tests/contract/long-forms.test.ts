// Forms with more text than is taken in, and days that a repetition leaves out: nothing that was typed is
// lost, over real HTTP (contract 14.1, 14.15).
import { describe, expect, test } from 'vitest';
import { makePhoto } from '../fixtures/picture-server.ts';
import { serveDesk, toField } from '../fixtures/desk-server.ts';
import { GOOD, toForm } from '../fixtures/upload-form.ts';

const opened = await serveDesk();

const LONG = 'Una frase de la orquesta. '.repeat(4000);
const TOO_LONG = 'Es muy largo: 4000 caracteres como máximo.';
const PHOTO = await makePhoto('jpeg');

const sendForm = async (form: FormData) => {
  const answer = await fetch(`${opened.server.origin}/publicar`, {
    method: 'POST',
    body: form,
    headers: { origin: opened.server.origin },
  });
  return { status: answer.status, html: await answer.text() };
};
const countStored = (): unknown =>
  opened.inbox.prepare('select count(*) from changes').pluck().get();

describe('a form with more text than is taken in', () => {
  const long = { ...GOOD, description: LONG, step: 'send' };
  test.each(['with a picture', 'as an ordinary form'])(
    'comes back whole and says which field is too long: %s',
    async (how) => {
      const { status, html } =
        how === 'with a picture'
          ? await sendForm(toForm(long, PHOTO))
          : await opened.server
              .post('/publicar', long)
              .then(async (answer) => ({ status: answer.status, html: await answer.text() }));
      expect([status, countStored()]).toEqual([413, 0]);
      expect(html).toContain(`id="f-description-fault">${TOO_LONG}`);
      expect(html).toContain('href="#f-description"');
      expect(html).toContain('Lo que escribiste sigue aquí');
      expect(html).toContain(LONG.trim());
      expect(html).toContain(`value="${GOOD.title}"`);
      expect(toField(html, 'picture_id').length).toBe(how === 'with a picture' ? 32 : 0);
    },
  );
  test('beyond what is read, the other fields come back', async () => {
    const { status, html } = await sendForm(toForm({ ...long, description: LONG.repeat(4) }));
    expect([status, html.includes(`value="${GOOD.title}"`), html.includes(LONG)]).toEqual([
      413,
      true,
      false,
    ]);
  });
  test('of a correction too', async () => {
    const page = await (await opened.server.get('/eventos/feria-diaria')).text();
    const [, path = ''] = /href="(\/corregir\/[^"]*)"/.exec(page) ?? [];
    const answer = await opened.server.post(path, { change: LONG });
    const html = await answer.text();
    expect([answer.status, html.includes(LONG.trim())]).toEqual([413, true]);
    expect(html).toContain('1000 caracteres como máximo');
  });
});

describe('the days that a repetition leaves out', () => {
  const WEEKLY = {
    ...GOOD,
    repeat: 'weekly',
    repeat_until: '2026-12-26',
    exceptions: '19/12/2026',
  };
  const FIELD =
    /<div class="([^"]*)">(?:\s*<p class="fault"[^>]*>[^<]*<\/p>)?\s*<fieldset class="choices" id="f-exceptions"/;
  test('are not in the preview, and stay in the form', async () => {
    const { status, html } = await sendForm(toForm(WEEKLY));
    expect([status, html.includes('name="exceptions[]" value="2026-12-19"')]).toEqual([200, true]);
    const [, preview = ''] = /<section class="preview"(.*?)<\/section>/s.exec(html) ?? [];
    expect(preview.match(/sábado \d+ de diciembre/g)).toEqual(
      [5, 12, 26].map((day) => `sábado ${day} de diciembre`),
    );
  });
  test('stay in the form with a mistake, which is said beside them', async () => {
    const { status, html } = await sendForm(
      toForm({ ...WEEKLY, exceptions: 'Navidad', title: '' }),
    );
    expect([
      status,
      html.includes('<input type="text" name="exceptions[]" value="Navidad"'),
    ]).toEqual([422, true]);
    expect(html).toContain('id="f-exceptions-fault"');
    expect(FIELD.exec(html)?.[1]).toBe('field wrong');
  });
  test('are asked for only with a repetition, unless something stands there', async () => {
    const empty = await (await opened.server.get('/publicar')).text();
    expect(FIELD.exec(empty)?.[1]).toBe('field of-repeat');
    const { html } = await sendForm(toForm({ ...WEEKLY, repeat: '' }));
    expect(FIELD.exec(html)?.[1]).toBe('field');
  });
});
