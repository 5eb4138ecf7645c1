// Forms with more text than is taken in, and repetitions: nothing that was typed is lost, over real HTTP
// (contract 14.1, 14.5).
import { readValue } from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import { makePhoto } from '../fixtures/picture-server.ts';
import { comeIn, serveDesk, toField } from '../fixtures/desk-server.ts';
import { ADDED, sendIn, SUBMISSION } from '../fixtures/inbox.ts';
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
const countStored = (): Promise<unknown> => readValue(opened.inbox, 'select count(*) from changes');

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
      expect([status, await countStored()]).toEqual([413, 0]);
      expect(html).toContain(`id="f-description-fault">${TOO_LONG}`);
      expect(html).toContain('href="#f-description"');
      expect(html).toContain('Lo que escribiste sigue aquí');
      expect(html).toContain(LONG.trim());
      expect(html).toContain(`value="${GOOD.title}"`);
      expect(toField(html, 'picture_id').length).toBe(how === 'with a picture' ? 32 : 0);
    },
  );
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
});

describe('a repetition of some weekdays without a known end', () => {
  const FORM = { repeat: 'weekly', open_end: '1' };
  const toSent = (fields: Readonly<Record<string, string>>): FormData => {
    const form = toForm(fields);
    for (const day of ['th', 'sa']) form.append('weekdays', day);
    return form;
  };
  const isTicked = (html: string, name: string, value: string): boolean =>
    [...html.matchAll(/<input[^>]*>/g)].some(([tag]) =>
      [` name="${name}"`, ` value="${value}"`, ' checked'].every((part) => tag.includes(part)),
    );
  const listTicked = (html: string): readonly boolean[] =>
    [
      ['weekdays', 'th'],
      ['weekdays', 'sa'],
      ['weekdays', 'su'],
      ['open_end', '1'],
    ].map(([name = '', value = '']) => isTicked(html, name, value));

  test.each([
    ['/publicar', 'tomamos fechas hasta el sábado 27 de febrero de 2027'],
    ['/en/submit', 'we took dates up to Saturday, February 27, 2027'],
  ])('%s tells up to which day its dates were taken', async (path, words) => {
    const answer = await fetch(`${opened.server.origin}${path}`, {
      method: 'POST',
      body: toSent({ ...GOOD, ...FORM, lang: path === '/publicar' ? 'es' : 'en' }),
      headers: { origin: opened.server.origin },
    });
    const html = await answer.text();
    const [, preview = ''] = /<section class="preview"(.*?)<\/section>/s.exec(html) ?? [];
    expect([preview.includes(words), listTicked(html)]).toEqual([true, [true, true, false, true]]);
  });
  test('is seen at the desk to have no end, and keeps there what an editor ticks', async () => {
    const { reference } = await sendIn(opened.inbox, { open_end: true });
    const ana = await comeIn(opened);
    const path = `/revision/envios/${reference}`;
    const html = await ana.read(path);
    expect(html).toContain('sin fecha de término');
    expect(listTicked(html)).toEqual([false, false, false, true]);
    const saved = await ana.post(path, {
      ...GOOD,
      ...FORM,
      title: SUBMISSION.title,
      weekdays: 'th,sa',
      revision: '1',
      does: 'save',
    });
    expect(saved.status).toBe(303);
    expect(listTicked(await ana.read(path))).toEqual([true, true, false, true]);
  });
});

test('what is only online asks for a link, and is approved without a place', async () => {
  const { zone: _, ...form } = { ...GOOD, venue_name: 'en línea' };
  const without = await sendForm(toForm(form));
  expect(without.html).toContain(
    'id="f-registration-url-fault">Si es en línea, pon aquí el enlace',
  );
  const linked = { ...form, registration_url: 'https://registro.example/a' };
  const { html } = await sendForm(toForm(linked));
  const [, preview = ''] = /<section class="preview"(.*?)<\/section>/s.exec(html) ?? [];
  expect(preview).toContain('En línea');
  expect(preview).not.toContain('class="banner unsure ask"');
  const { reference } = await sendIn(opened.inbox, { title: 'Clase por internet' });
  const ana = await comeIn(opened);
  const path = `/revision/envios/${reference}`;
  const approved = await ana.post(path, { ...linked, ...ADDED, revision: '1', does: 'approve' });
  expect(approved.status).toBe(303);
});
