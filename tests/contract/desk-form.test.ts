// Submission form and status page over HTTP: accepted and rejected forms, and privacy of their data.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getSubmission } from '../../src/inbox/changes.ts';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { serveDesk, readFieldValue } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { submitTestEvent } from '../fixtures/inbox.ts';
import { REQUIRED_FIELDS } from '../fixtures/upload-form.ts';

const desk = await serveDesk();
const { server, inbox } = desk;

type Fields = Readonly<Record<string, string>>;
async function post(path: string, fields: Fields, headers?: Fields) {
  const answer = await server.post(path, fields, headers);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}
async function get(path: string) {
  const answer = await server.get(path);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}
const readHeaders = (headers: Headers, ...names: readonly string[]) =>
  names.map((name) => headers.get(name));
const description = 'Una noche enviada por el formulario de prueba.';
const VALID_FORM = { title: 'Noche enviada', description, ...REQUIRED_FIELDS };

describe('the form', () => {
  test('is cached only by the browser of its visitor, for the back button', async () => {
    const { headers, html } = await get('/publicar');
    const fields = readHeaders(headers, 'cache-control', 'access-control-allow-origin');
    expect(fields).toEqual(['private, no-cache', null]);
    expect(html).toContain('toolname="enviar_evento"');
    expect(html).not.toContain('toolautosubmit');
  });
  test('previews without storing, rejects a form that is too fast, and redirects a submission to its status page', async () => {
    const { start_time: _, ...day } = VALID_FORM;
    const preview = await post('/publicar', { ...day, hour_unknown: '1', step: 'preview' });
    expect(preview.html).toContain('sábado 5 de diciembre de 2026, hora por confirmar');
    const send = (stamp: string) => post('/publicar', { ...VALID_FORM, step: 'send', stamp });
    expect((await send(readFieldValue((await get('/publicar')).html, 'stamp'))).status).toBe(422);
    const stored = await send(createFormToken(inbox, FRIDAY_NOON_MS - 60_000));
    const path = stored.headers.get('location') ?? '';
    expect([stored.status, path]).toEqual([303, expect.stringMatching(/^\/publicar\/estado\//)]);
    const { headers, html } = await get(path);
    const fields = readHeaders(headers, 'x-robots-tag', 'referrer-policy', 'cache-control');
    expect(fields).toEqual(['noindex, nofollow, noarchive', 'same-origin', 'no-store']);
    expect(html).toMatch(/H[A-Z]+-[2-9A-Z]{6}[\s\S]*espera de revisión/);
  });
  test('asks about doubts before sending, each answered with one button', async () => {
    const hours = { start_time: '19:00', end_time: '09:00', venue_name: 'Malecon Inventdo' };
    const ask = async (more: Fields) => {
      const { html } = await post('/publicar', { ...VALID_FORM, ...hours, ...more });
      return { html, answers: html.match(/(?<=name="answer" value=")[^"]*/g) ?? [] };
    };
    const first = await ask({ step: 'send' });
    const kinds = first.answers.map((answer) => answer.replace(/[:.].*/, ''));
    expect(kinds).toEqual(['night', 'swap', 'place', 'yes']);
    // A question shown once need not be answered, except about the hours.
    const asked = readFieldValue(first.html, 'asked');
    expect((await ask({ step: 'send', asked })).html).toContain('Todavía no se envía');
    const swapped = await ask({ answer: first.answers[1] ?? '', asked });
    expect(swapped.html).toContain('5 de diciembre de 2026, de 9:00 a 19:00');
    const taken = await ask({ answer: 'place:Malecón Inventado', asked });
    expect(taken.answers.length).toBe(2);
    expect(taken.html).toMatch(/id="f-venue-name"[^>]*value="Malecón Inventado"/);
  });
  test('shows the event that the agenda already has, with a link to correct it', async () => {
    const same = { title: 'Concierto único', start_date: '2026-11-20', start_time: '21:00' };
    const { html } = await post('/publicar', { ...VALID_FORM, ...same, step: 'send' });
    expect(html).toMatch(/¿es el tuyo\?[\s\S]*viernes 20 de noviembre de 2026[\s\S]*Malecón Inv/);
    expect(html).toMatch(/href="\/corregir\/[^"]*">Sí: quiero corregirlo/);
    expect(readFieldValue(html, 'asked')).toContain('known.');
  });
  test('rejects a filled honeypot, other content types and other sites', async () => {
    const sent = { ...VALID_FORM, step: 'send' };
    for (const [fields, status, headers] of [
      [{ ...sent, homepage: 'https://spam.example' }, 422, {}],
      [{ ...sent, stamp: 'forged.AAAA' }, 422, {}],
      [VALID_FORM, 403, { origin: 'https://evil.example' }],
    ] as const)
      expect((await post('/publicar', fields, headers)).status).toBe(status);
    const { origin } = server;
    const headers = { 'content-type': 'application/json', origin };
    const json = await fetch(`${origin}/publicar`, { method: 'POST', body: '{}', headers });
    expect(json.status).toBe(415);
  });
});

describe('the status page', () => {
  test('shows when private data is erased, and erases it on request', async () => {
    const { reference, token } = await submitTestEvent(inbox, { title: 'Para olvidar' });
    const path = `/en/submit/status/${token}`;
    expect((await get(path)).html).toContain('after Wednesday, February 10, 2027');
    const emailOf = async () => (await getSubmission(inbox, reference))?.text.contact_email;
    expect(await emailOf()).not.toBeNull();
    const erased = await post(path, { does: 'erase' });
    expect([erased.status, erased.headers.get('location')]).toEqual([303, `${path}?erased=1`]);
    expect(await emailOf()).toBeNull();
  });
  test('has a calendar copy that only its sender can fetch', async () => {
    const { reference, token } = await submitTestEvent(inbox, { title: 'Para la libreta' });
    const path = `/publicar/estado/${token}`;
    expect((await get(path)).html).toContain(`href="${path}.ics"`);
    const { headers, html: text } = await get(`${path}.ics`);
    const fields = readHeaders(headers, 'cache-control', 'content-disposition');
    expect(fields).toEqual(['no-store', `attachment; filename="${reference}.ics"`]);
    expect(text).toMatch(/BEGIN:VEVENT[\s\S]*SUMMARY:Para la libreta[\s\S]*END:VCALENDAR/);
    expect(text).not.toMatch(/preview|privado@|upload:/);
    expect(text.replaceAll('\r\n ', '')).not.toContain(token);
  });
});

test('no other path serves the inbox or its secrets, and no log names senders', async () => {
  const { reference, token } = await submitTestEvent(inbox, { title: 'Con secreto' });
  await get(`/publicar/estado/${token}`);
  const followed = await server.callTool('seguir_envio', { token });
  expect(await followed.text()).toContain('Con secreto');
  expect((await get('/publicar.md')).html).not.toMatch(/Con secreto|H[A-Z]+-[2-9A-Z]{6}/);
  for (const path of [
    ...[`/publicar/estado/${reference}`, '/publicar/estado/x', '/publicar/estado/x.ics'],
    ...['/en/submit/status/x', `/publicar/estado/${token}.md`, '/api/v1/submissions'],
    ...['/inbox.db', '/data/inbox.db', '/..%2finbox.db', '/%2e%2e/inbox.db'],
    ...['/revision.md', '/revision/envios.json'],
  ])
    expect((await get(path)).status, path).toBeGreaterThanOrEqual(400);
  expect(readdirSync(desk.settings.data_dir)).toContain('inbox.db');
  for (const words of [token ?? '', 'privado@ejemplo.example'])
    expect(server.output()).not.toContain(words);
});
