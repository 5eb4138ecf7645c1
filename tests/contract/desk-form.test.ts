// The form and the status page as they are served: what is taken, what is refused, and that nothing
// of it leaks.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { getSubmission } from '../../src/inbox/changes.ts';
import { serveDesk, toField } from '../fixtures/desk-server.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { REQUIRED } from '../fixtures/upload-form.ts';

const opened = await serveDesk();
const { server, inbox } = opened;

type Fields = Readonly<Record<string, string>>;
const statusOf = async (path: string, fields: Fields, headers?: Fields): Promise<number> =>
  (await server.post(path, fields, headers)).status;

describe('the form', () => {
  test.each(['/publicar', '/en/submit'])(
    '%s is a page that nobody keeps but its reader, for the way back',
    async (path) => {
      const answer = await server.get(path);
      expect([
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('cache-control'),
        answer.headers.get('access-control-allow-origin'),
      ]).toEqual([200, 'text/html; charset=utf-8', 'private, no-cache', null]);
      const html = await answer.text();
      expect(html).toContain('toolname="enviar_evento"');
      expect(html).not.toContain('toolautosubmit');
      expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
    },
  );
  test('shows what is wrong beside it, and keeps what was typed', async () => {
    const answer = await server.post('/publicar', {
      title: 'Mi "><script>fiesta</script>',
      step: 'send',
    });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toMatch(/value="Mi (&#34;|&quot;)>/);
    for (const id of [
      'f-description',
      'f-category',
      'f-start-date',
      'f-venue-name',
      'f-price-kind',
    ]) {
      expect(html).toContain(`href="#${id}"`);
      expect(html).toContain(`id="${id}"`);
      expect(html).toContain(`id="${id}-fault"`);
    }
  });
  const GOOD = {
    title: 'Noche enviada',
    description: 'Una noche enviada por el formulario de prueba.',
    ...REQUIRED,
  };
  test('previews without keeping, refuses what came too soon, and leads a whole submission to its own page', async () => {
    const preview = await server.post('/publicar', { ...GOOD, step: 'preview' });
    expect([preview.status, (await preview.text()).includes('Así se verá')]).toEqual([200, true]);
    const { start_time: _, ...day } = GOOD;
    const unknown = await server.post('/publicar', { ...day, hour_unknown: '1', step: 'preview' });
    expect(await unknown.text()).toContain('sábado 5 de diciembre de 2026, hora por confirmar');
    const send = (html: string) =>
      server.post('/publicar', { ...GOOD, step: 'send', stamp: toField(html, 'stamp') });
    const soon = await send(await (await server.get('/publicar')).text());
    expect(soon.status).toBe(422);
    await sleep(4_100);
    const stored = await send(await soon.text());
    expect([stored.status, stored.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/publicar\/estado\//),
    ]);
    const status = await server.get(stored.headers.get('location') ?? '');
    expect([
      status.status,
      status.headers.get('x-robots-tag'),
      status.headers.get('referrer-policy'),
      status.headers.get('cache-control'),
    ]).toEqual([200, 'noindex, nofollow, noarchive', 'same-origin', 'no-store']);
    expect(await status.text()).toMatch(/HC-[2-9A-Z]{6}[\s\S]*espera de revisión/);
  });
  test('asks what is not sure before it sends, and an answer is a tap', async () => {
    const NIGHT = {
      ...GOOD,
      start_time: '19:00',
      end_time: '09:00',
      venue_name: 'Malecon Inventdo',
    };
    const ask = async (more: Readonly<Record<string, string>>, path = '/publicar') => {
      const answer = await server.post(path, { ...NIGHT, ...more });
      const html = await answer.text();
      return {
        html,
        answers: [...html.matchAll(/name="answer" value="([^"]*)"/g)].map(([, a]) => a),
      };
    };
    const first = await ask({ step: 'send' });
    expect(first.html).toContain('Son 14 horas.');
    expect(first.answers).toEqual([
      'night:2026-12-06',
      expect.stringContaining('swap:'),
      'place:Malecón Inventado',
      expect.stringContaining('yes:place.'),
    ]);
    // What was asked once need not be answered, but for the hours.
    const asked = toField(first.html, 'asked');
    const again = await ask({ step: 'send', asked });
    expect(again.html).toContain('Todavía no se envía');
    const swapped = await ask({ answer: first.answers[1] ?? '', asked });
    expect(swapped.html).toContain('5 de diciembre de 2026, de 9:00 a 19:00');
    const taken = await ask({ answer: 'place:Malecón Inventado', asked }, '/en/submit');
    expect(taken.answers.length).toBe(2);
    expect(taken.html).toMatch(/id="f-venue-name"[^>]*value="Malecón Inventado"/);
    expect(taken.html).toContain('It starts at 7 p.m. and ends at 9 a.m.');
  });
  test('shows what is in the agenda already, and the way to correct that instead', async () => {
    const same = {
      ...GOOD,
      title: 'Concierto único',
      start_date: '2026-11-20',
      start_time: '21:00',
    };
    const html = await (await server.post('/publicar', { ...same, step: 'send' })).text();
    expect(html).toMatch(
      /¿es el tuyo\?[\s\S]*viernes 20 de noviembre de 2026[\s\S]*Malecón Inventado/,
    );
    expect(html).toMatch(/href="\/corregir\/[^"]*">Sí: quiero corregirlo/);
    expect(toField(html, 'asked')).toContain('known.');
  });
  test('gives more rows without a word of what is still missing', async () => {
    const sent = {
      'dates_day[]': '2026-12-12',
      'dates_from[]': '18:00',
      'dates_until[]': '',
      step: 'rows',
    };
    const answer = await server.post('/publicar', sent);
    const html = await answer.text();
    expect([answer.status, html.includes('-fault"')]).toEqual([200, false]);
    expect(
      [...html.matchAll(/name="dates_day\[\]" value(?:="([^"]*)")?/g)].map(([, day = '']) => day),
    ).toEqual(['2026-12-12', '', '', '']);
  });
  test('keeps out what fills in everything, what is too large, what is no form, and other sites', async () => {
    const json = await fetch(`${server.origin}/publicar`, {
      ...{ method: 'POST', body: '{}' },
      headers: { 'content-type': 'application/json', origin: server.origin },
    });
    const sent = { ...GOOD, step: 'send' };
    expect([
      await statusOf('/publicar', { ...sent, homepage: 'https://spam.example' }),
      await statusOf('/publicar', { ...GOOD, description: 'x'.repeat(70_000) }),
      json.status,
      await statusOf('/publicar', GOOD, { origin: 'https://evil.example' }),
      await statusOf('/publicar', { ...sent, stamp: 'forged.AAAA' }),
    ]).toEqual([422, 413, 415, 403, 422]);
    const put = await fetch(`${server.origin}/publicar`, { method: 'PUT', body: 'x' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('the status page', () => {
  test('is nowhere without its token', async () => {
    const { reference } = await sendIn(inbox, { title: 'Secreta' });
    for (const path of [
      `/publicar/estado/${reference}`,
      '/publicar/estado/x',
      '/en/submit/status/x',
    ])
      expect((await server.get(path)).status).toBe(404);
  });
  test('withdraws what waits, at once', async () => {
    const { reference, token } = await sendIn(inbox, { title: 'Para retirar' });
    const path = `/publicar/estado/${token}`;
    expect(await statusOf(path, { does: 'withdraw' })).toBe(303);
    expect((await getSubmission(inbox, reference))?.state).toBe('taken_back');
    expect(await statusOf(path, { does: 'withdraw' })).toBe(422);
    expect(await statusOf(path, { does: 'cancel', message: 'x' })).toBe(422);
  });
  test('erases what is private once asked, says what stays, and nothing of it is left', async () => {
    const { reference, token } = await sendIn(inbox, { title: 'Para olvidar' });
    const path = `/en/submit/status/${token}`;
    expect(await (await server.get(path)).text()).toContain('after Wednesday, February 10, 2027');
    const asked = await (await server.get(`${path}?does=erase`)).text();
    expect(asked).toContain('Earlier backups keep them');
    expect((await getSubmission(inbox, reference))?.text.contact_email).not.toBeNull();
    const erased = await server.post(path, { does: 'erase' });
    expect([erased.status, erased.headers.get('location')]).toEqual([303, `${path}?erased=1`]);
    expect(await getSubmission(inbox, reference)).toMatchObject({
      state: 'waiting',
      text: { contact_email: null },
    });
    expect(await (await server.get(`${path}?does=erase`)).text()).toContain('We hold nothing');
  });
  test('has a copy for a calendar, which nobody else is given', async () => {
    const { reference, token } = await sendIn(inbox, { title: 'Para la libreta' });
    const html = await (await server.get(`/publicar/estado/${token}`)).text();
    expect(html).toContain(`href="/publicar/estado/${token}.ics"`);
    expect(html).toMatch(/href="https:\/\/wa\.me\/\?text=Para%20la%20libreta%0A[^"]*estado/);
    const copy = await server.get(`/publicar/estado/${token}.ics`);
    const text = await copy.text();
    expect([copy.status, copy.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(copy.headers.get('content-disposition')).toBe(`attachment; filename="${reference}.ics"`);
    expect(text).toMatch(/BEGIN:VEVENT[\s\S]*SUMMARY:Para la libreta[\s\S]*END:VCALENDAR/);
    expect(text).not.toMatch(/preview|privado@|upload:/);
    expect(text.replaceAll('\r\n ', '')).not.toContain(token);
    expect((await server.get('/publicar/estado/x.ics')).status).toBe(404);
  });
});

test('neither the inbox nor its secrets can be had by another road, and no log says who sent what', async () => {
  const { token } = await sendIn(inbox, { title: 'Con secreto' });
  await server.get(`/publicar/estado/${token}`);
  const followed = await server.callTool('seguir_envio', { token });
  expect(await followed.text()).toContain('Con secreto');
  expect(await (await server.get('/publicar.md')).text()).not.toMatch(/Con secreto|HC-/);
  for (const path of [
    '/inbox.db',
    '/data/inbox.db',
    '/..%2finbox.db',
    '/%2e%2e/inbox.db',
    '/revision.md',
    `/publicar/estado/${token}.md`,
    '/revision/envios.json',
    '/api/v1/submissions',
  ]) {
    expect((await server.get(path)).status, path).toBeGreaterThanOrEqual(400);
  }
  expect(readdirSync(opened.settings.data_dir)).toContain('inbox.db');
  expect(server.output()).not.toContain(token);
  expect(server.output()).not.toContain('privado@ejemplo.example');
});
