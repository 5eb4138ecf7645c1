// The form, the status page and the desk as they are served: who is let in, what is refused, and
// that nothing of it leaks.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toFormValues } from '../../src/domain/submission/form.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listDeskNotices } from '../../src/inbox/desk-notices.ts';
import { addEditor } from '../../src/desk/editors.ts';
import { correct } from '../../src/desk/submit.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { listOverrides } from '../../src/inbox/overrides.ts';
import { listPublications } from '../../src/inbox/publications.ts';
import { saveDraft, toDraft } from '../../src/desk/review.ts';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS, FIXTURE_DIR } from '../fixtures/fixture.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-desk-'));
const SETTINGS = { data_dir, content_dir: FIXTURE_DIR, env: { SITE_URL: 'http://127.0.0.1:4399' } };
let server: BuiltServer;
let inbox: Inbox;
let password = '';
beforeAll(async () => {
  inbox = openInbox(join(data_dir, 'inbox.db'));
  password = await addEditor(inbox, 'ana', 0);
  server = await startServer(SETTINGS);
});
afterAll(async () => {
  await server.stop();
  inbox.close();
  rmSync(data_dir, { recursive: true });
});

const toField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
const logIn = async (name = 'ana', word = password): Promise<Response> =>
  server.post('/revision/entrar', { name, password: word });
const toCookie = (answer: Response): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

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
    for (const id of ['f-description', 'f-category', 'f-start-date', 'f-venue', 'f-price-kind']) {
      expect(html).toContain(`href="#${id}"`);
      expect(html).toContain(`id="${id}"`);
      expect(html).toContain(`id="${id}-fault"`);
    }
  });
  const GOOD = {
    title: 'Noche enviada',
    description: 'Una noche enviada por el formulario de prueba.',
    category: 'live-music',
    start_date: '2026-12-05',
    start_time: '20:00',
    venue_name: 'Patio',
    zone: 'downtown',
    price_kind: 'free',
    lang: 'es',
    languages: 'es',
  };
  test('previews without keeping, refuses what came too soon, and leads a whole submission to its own page', async () => {
    const preview = await server.post('/publicar', { ...GOOD, step: 'preview' });
    expect([preview.status, (await preview.text()).includes('Así se verá')]).toEqual([200, true]);
    const { start_time: _, ...day } = GOOD;
    const unknown = await server.post('/publicar', { ...day, hour_unknown: '1', step: 'preview' });
    expect(await unknown.text()).toContain('sábado 5 de diciembre de 2026, hora por confirmar');
    const soon = await server.post('/publicar', {
      ...GOOD,
      step: 'send',
      stamp: toField(await (await server.get('/publicar')).text(), 'stamp'),
    });
    expect(soon.status).toBe(422);
    await new Promise((resolve) => {
      setTimeout(resolve, 4_100);
    });
    const stored = await server.post('/publicar', {
      ...GOOD,
      step: 'send',
      stamp: toField(await soon.text(), 'stamp'),
    });
    expect([
      stored.status,
      stored.headers.get('location')?.startsWith('/publicar/estado/'),
    ]).toEqual([303, true]);
    const status = await server.get(stored.headers.get('location') ?? '');
    expect([
      status.status,
      status.headers.get('x-robots-tag'),
      status.headers.get('referrer-policy'),
      status.headers.get('cache-control'),
    ]).toEqual([200, 'noindex, nofollow, noarchive', 'same-origin', 'no-store']);
    expect(await status.text()).toMatch(/HC-[2-9A-Z]{6}[\s\S]*espera de revisión/);
  });
  test('says beside the box what to do where the hour is not known and given all the same', async () => {
    for (const [path, more, sentence] of [
      ['/publicar', {}, 'Bórrala o quita esta marca.'],
      ['/en/submit', {}, 'Clear it or uncheck this box.'],
      ['/publicar', { all_day: '1' }, 'Deja solo una de las dos.'],
      ['/en/submit', { all_day: '1' }, 'Keep only one of them.'],
    ] as const) {
      const answer = await server.post(path, { ...GOOD, ...more, hour_unknown: '1', step: 'send' });
      const html = await answer.text();
      const [, fault = ''] = /id="f-hour-unknown-fault">([^<]*)</.exec(html) ?? [];
      expect([answer.status, fault.endsWith(sentence), html.match(/-fault">/g)?.length]).toEqual([
        422,
        true,
        1,
      ]);
      expect(html).toMatch(/<input id="f-hour-unknown"[^>]*checked/);
    }
  });
  test('keeps out what fills in everything, what is too large, what is no form, and other sites', async () => {
    expect(
      (await server.post('/publicar', { ...GOOD, homepage: 'https://spam.example', step: 'send' }))
        .status,
    ).toBe(422);
    expect(
      (await server.post('/publicar', { ...GOOD, description: 'x'.repeat(70_000) })).status,
    ).toBe(413);
    expect(
      (
        await fetch(`${server.origin}/publicar`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json', origin: server.origin },
        })
      ).status,
    ).toBe(415);
    expect((await server.post('/publicar', GOOD, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect(
      (await server.post('/publicar', { ...GOOD, step: 'send', stamp: 'forged.AAAA' })).status,
    ).toBe(422);
    const put = await fetch(`${server.origin}/publicar`, { method: 'PUT', body: 'x' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('the status page', () => {
  test('is nowhere without its token', async () => {
    const { reference } = sendIn(inbox, { title: 'Secreta' });
    for (const path of [
      `/publicar/estado/${reference}`,
      '/publicar/estado/x',
      '/en/submit/status/x',
    ])
      expect((await server.get(path)).status).toBe(404);
  });
  test('withdraws what waits, at once', async () => {
    const { reference, token } = sendIn(inbox, { title: 'Para retirar' });
    expect((await server.post(`/publicar/estado/${token}`, { does: 'withdraw' })).status).toBe(303);
    expect(getSubmission(inbox, reference)?.state).toBe('withdrawn');
    expect((await server.post(`/publicar/estado/${token}`, { does: 'withdraw' })).status).toBe(422);
    expect(
      (await server.post(`/publicar/estado/${token}`, { does: 'cancel', message: 'x' })).status,
    ).toBe(422);
  });
  test('a form of another site changes nothing', async () => {
    const { reference, token } = sendIn(inbox, { title: 'Ajena' });
    expect(
      (
        await server.post(
          `/publicar/estado/${token}`,
          { does: 'withdraw' },
          { origin: 'https://evil.example' },
        )
      ).status,
    ).toBe(403);
    expect(getSubmission(inbox, reference)?.state).toBe('pending');
  });
});

describe('the desk', () => {
  test('shows a stranger the way in and nothing else, and takes nothing from one', async () => {
    const { reference } = sendIn(inbox, { title: 'Título reservado' });
    for (const path of [
      '/revision',
      `/revision/envios/${reference}`,
      '/revision/eventos',
      '/revision/avisos',
    ]) {
      const answer = await server.get(path);
      const html = await answer.text();
      expect([
        answer.status,
        html.includes('Título reservado'),
        answer.headers.get('x-robots-tag'),
      ]).toEqual([path === '/revision' ? 200 : 401, false, 'noindex, nofollow, noarchive']);
    }
    for (const path of [
      `/revision/envios/${reference}`,
      '/revision/publicar',
      '/revision/deshacer',
      '/revision/avisos',
    ])
      expect((await server.post(path, { does: 'reject', reason: 'x' })).status).toBe(401);
    expect(getSubmission(inbox, reference)?.state).toBe('pending');
  });
  test('gives a cookie that scripts and other sites do not get, and takes it back', async () => {
    const answer = await logIn();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/revision']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const cookie = toCookie(answer);
    const html = await (await server.get('/revision', { cookie })).text();
    expect(html).toContain('Salir (ana)');
    expect(
      (
        await server.post('/revision/salir', { csrf: toField(html, 'csrf') }, { cookie })
      ).headers.get('set-cookie'),
    ).toContain('Max-Age=0');
    expect(await (await server.get('/revision', { cookie })).text()).not.toContain('Salir (ana)');
  });
  test('decides only with a form of its own session', async () => {
    const { reference } = sendIn(inbox, { title: 'Para decidir' });
    const cookie = toCookie(await logIn());
    const path = `/revision/envios/${reference}`;
    const html = await (await server.get(path, { cookie })).text();
    const fields = {
      does: 'reject',
      reason: 'No es un evento',
      revision: toField(html, 'revision'),
    };
    expect((await server.post(path, fields, { cookie })).status).toBe(403);
    expect((await server.post(path, { ...fields, csrf: 'x'.repeat(43) }, { cookie })).status).toBe(
      403,
    );
    expect(
      (
        await server.post(
          path,
          { ...fields, csrf: toField(html, 'csrf') },
          { cookie, origin: 'https://evil.example' },
        )
      ).status,
    ).toBe(403);
    expect(getSubmission(inbox, reference)?.state).toBe('pending');
    expect(
      (await server.post(path, { ...fields, csrf: toField(html, 'csrf') }, { cookie })).status,
    ).toBe(303);
    expect(getSubmission(inbox, reference)).toMatchObject({
      state: 'rejected',
      reason: 'No es un evento',
    });
    expect(
      (await server.post(path, { ...fields, csrf: toField(html, 'csrf') }, { cookie })).status,
    ).toBe(409);
  });
  test('closes a notice once: pressed again, it does not last longer', async () => {
    const cookie = toCookie(await logIn());
    const csrf = toField(await (await server.get('/revision/avisos', { cookie })).text(), 'csrf');
    const words = {
      title_es: 'Playa cerrada',
      title_en: 'Beach closed',
      body_es: 'Por oleaje.',
      body_en: 'Because of waves.',
    };
    expect(
      (
        await server.post(
          '/revision/avisos',
          {
            ...words,
            csrf,
            type: 'closure',
            severity: 'warning',
            start_date: '2026-11-19',
            start_time: '08:00',
          },
          { cookie },
        )
      ).status,
    ).toBe(303);
    const [notice] = listDeskNotices(inbox);
    expect(
      (
        await server.post(
          '/revision/avisos',
          { csrf, does: 'close', id: notice?.id ?? '' },
          { cookie },
        )
      ).status,
    ).toBe(303);
    const closed = listDeskNotices(inbox);
    expect(closed).toMatchObject([{ id: notice?.id, record: { open: false } }]);
    expect(
      (
        await server.post(
          '/revision/avisos',
          { csrf, does: 'close', id: notice?.id ?? '' },
          { cookie },
        )
      ).status,
    ).toBe(409);
    expect(
      (
        await server.post(
          '/revision/avisos',
          { csrf, does: 'close', id: 'notice-none' },
          { cookie },
        )
      ).status,
    ).toBe(409);
    expect([listDeskNotices(inbox), listDecisions(inbox, 1)[0]?.action]).toEqual([
      closed,
      'close_notice',
    ]);
  });
  test('never lets a stale page decide, and shows what was typed again over what is there now', async () => {
    const { reference, token } = sendIn(inbox, { title: 'Con hora mala' });
    const cookie = toCookie(await logIn());
    const path = `/revision/envios/${reference}`;
    const html = await (await server.get(path, { cookie })).text();
    const fields = {
      csrf: toField(html, 'csrf'),
      revision: toField(html, 'revision'),
      title: 'Con hora mala',
      other_title: 'Typed by Ana',
      description: SUBMISSION.description,
    };
    const foreign = await server.post(
      path,
      { ...fields, csrf: 'x'.repeat(43), does: 'approve' },
      { cookie },
    );
    expect([foreign.status, (await foreign.text()).includes('Typed by Ana')]).toEqual([403, true]);
    correct(inbox, {
      reference,
      sender: 'x',
      now_ms: FRIDAY_NOON_MS,
      submission: { ...SUBMISSION, title: 'Con hora buena' },
    });
    for (const does of ['approve', 'save', 'reject']) {
      const stale = await server.post(path, { ...fields, does }, { cookie });
      const shown = await stale.text();
      expect(
        [
          stale.status,
          toField(shown, 'revision'),
          shown.includes('value="Con hora buena"'),
          shown.includes('Typed by Ana'),
        ],
        does,
      ).toEqual([does === 'reject' ? 422 : 409, '2', true, true]);
    }
    expect(getSubmission(inbox, reference)).toMatchObject({
      state: 'pending',
      revision: 2,
      draft: null,
    });
    expect((await server.post(`/publicar/estado/${token}`, { does: 'withdraw' })).status).toBe(303);
    const late = await server.post(path, { ...fields, revision: '2', does: 'approve' }, { cookie });
    expect([late.status, (await late.text()).includes('value="approve"')]).toEqual([409, false]);
  });
  test('refuses a reason that is too long, and shows it again whole', async () => {
    const event =
      /"id":"(ev_\w+)"/.exec(await (await server.get('/api/v1/events?limit=1')).text())?.[1] ?? '';
    const cookie = toCookie(await logIn());
    const { reference } = sendIn(inbox, { title: 'Con motivo largo' });
    const csrf = toField(await (await server.get('/revision', { cookie })).text(), 'csrf');
    const [before, words] = [listDecisions(inbox, 1), `${'Por ley. '.repeat(80)}Fin`];
    for (const [path, fields, limit] of [
      [`/revision/eventos/${event}`, { does: 'withdraw' }, 400],
      [`/revision/envios/${reference}`, { does: 'reject', revision: '1' }, 600],
    ] as const) {
      const answer = await server.post(path, { ...fields, csrf, reason: words }, { cookie });
      const html = await answer.text();
      expect([
        answer.status,
        html.includes(words),
        html.includes(`máximo ${limit} caracteres`),
      ]).toEqual([422, true, true]);
    }
    expect(listDecisions(inbox, 1)).toEqual(before);
    const refused = await runCommand('review', ['withdraw', event, '--reason', words], SETTINGS);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('--reason: at most 400 characters'),
    ]);
  });
  test('says how many more wait than it shows, and who decided what, when and why', async () => {
    const references = Array.from(
      { length: 60 },
      (_, at) =>
        sendIn(inbox, { title: `En la fila ${at}` }, 'form', FRIDAY_NOON_MS + 7_200_000).reference,
    );
    const cookie = toCookie(await logIn());
    const queue = await (await server.get('/revision', { cookie })).text();
    expect(queue).toMatch(/Se muestran los 50 más antiguos de \d+/);
    const path = `/revision/envios/${references[0]}`;
    const fields = {
      csrf: toField(queue, 'csrf'),
      revision: '1',
      does: 'ask',
      reason: 'Falta la dirección',
    };
    const asked = await server.post(path, fields, { cookie });
    expect(asked.headers.get('location')).toBe('/revision?done=ask');
    expect(await (await server.get('/revision?done=ask', { cookie })).text()).toContain(
      'se devolvió a quien lo envió',
    );
    expect(await (await server.get(path, { cookie })).text()).toMatch(
      /Cambios pedidos[\s\S]*ana[\s\S]*2026-\d\d-\d\d \d\d:\d\d[\s\S]*Falta la dirección/,
    );
  });
  test('tells how publishing goes: what the last release brought, and that one is on its way', async () => {
    const cookie = toCookie(await logIn());
    const html = await (await server.get('/revision', { cookie })).text();
    expect(html).toMatch(/Última publicación: [\d: -]+\. \d+ eventos; nuevos: \d+/);
    expect(html).not.toContain('http-equiv="refresh"');
    expect(
      (
        await server.post('/revision/publicar', { csrf: toField(html, 'csrf') }, { cookie })
      ).headers.get('location'),
    ).toBe('/revision?done=release');
    const waiting = await (await server.get('/revision?done=release', { cookie })).text();
    expect([
      /Publicación solicitada|Se está publicando/.test(waiting),
      waiting.includes('http-equiv="refresh"'),
    ]).toEqual([true, true]);
  });
  test('has an English face for who prefers it', async () => {
    const cookie = toCookie(await logIn());
    expect(
      await (
        await server.get('/revision', { cookie, 'accept-language': 'en-US,en;q=0.9,es;q=0.5' })
      ).text(),
    ).toContain('Sign out (ana)');
  });
  test('stops guessing after eight wrong passwords', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 10; times += 1) statuses.push((await logIn('ana', 'wrong')).status);
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 401), 429, 429]);
    expect((await logIn()).status).toBe(429);
  });
});

test('neither the inbox nor its secrets can be had by another road, and no log says who sent what', async () => {
  const { token } = sendIn(inbox, { title: 'Con secreto' });
  await server.get(`/publicar/estado/${token}`);
  for (const path of [
    '/inbox.db',
    '/data/inbox.db',
    '/..%2finbox.db',
    '/%2e%2e/inbox.db',
    '/revision.md',
    '/publicar.md',
    '/revision/envios.json',
    '/api/v1/submissions',
  ]) {
    expect((await server.get(path)).status, path).toBeGreaterThanOrEqual(400);
  }
  expect(readdirSync(data_dir)).toContain('inbox.db');
  expect(server.output()).not.toContain(token);
  expect(server.output()).not.toContain('privado@ejemplo.example');
});

test('the terminal decides like the desk', async () => {
  const { reference } = sendIn(inbox, {
    title: 'Desde la terminal',
    ticket_url: 'https://boletos.example',
    ...{ hour: 'unknown', start: '2026-12-05', end: null },
  });
  const { ticket_url: _, ...draft } = toDraft(
    toFormValues(getSubmission(inbox, reference)?.submission ?? SUBMISSION),
  );
  saveDraft(inbox, { reference, revision: 1, editor: 'ana', now_ms: FRIDAY_NOON_MS }, draft);
  expect((await runCommand('review', ['list'], SETTINGS)).output).toContain(reference);
  const shown = (await runCommand('review', ['show', reference], SETTINGS)).output;
  expect([shown.includes('"hour": "unknown"'), shown.includes('"hour_unknown"')]).toEqual([
    true,
    true,
  ]);
  const refused = await runCommand('review', ['approve', reference], SETTINGS);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/other_title: missing/),
  ]);
  const approved = await runCommand(
    'review',
    [
      'approve',
      reference,
      '--other-title',
      'From the terminal',
      '--summary',
      'Una noche.',
      '--other-summary',
      'A night.',
    ],
    SETTINGS,
  );
  expect([approved.code, getSubmission(inbox, reference)?.is_published]).toEqual([0, true]);
  expect(
    JSON.stringify(listPublications(inbox)),
    'what the reviewer emptied stays so',
  ).not.toContain('boletos.example');
  expect((await runCommand('review', ['reject', reference, '--reason', 'x'], SETTINGS)).code).toBe(
    1,
  );
  expect(
    (await runCommand('review', ['withdraw', 'nada', '--reason', 'x'], SETTINGS)).output,
  ).toContain("no published event 'nada'");
});

test('the terminal cancels, postpones and restores what is published, and undoes the newest decision', async () => {
  const event =
    /"id":"(ev_\w+)"/.exec(await (await server.get('/api/v1/events?limit=1')).text())?.[1] ?? '';
  const review = async (...args: string[]) => runCommand('review', args, SETTINGS);
  expect(await review('cancel', event, '--reason', ' ')).toMatchObject({
    code: 1,
    output: expect.stringContaining('--reason: say why'),
  });
  expect(await review('cancel', event, '--reason', 'Llueve')).toMatchObject({
    code: 0,
    output: expect.stringContaining('npm run release'),
  });
  expect(await review('restore', event)).toMatchObject({ code: 0 });
  const record = () => listOverrides(inbox).find((row) => row.event === event)?.record;
  expect(record()).toEqual({ status: 'published' });
  expect(await review('undo')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`restore of ${event}`),
  });
  expect([record(), listDecisions(inbox, 2).map(({ action }) => action)]).toEqual([
    { status: 'cancelled' },
    ['undo', 'restore'],
  ]);
  expect((await review('undo')).code).toBe(1);
  expect((await review('undo', 'x')).code).toBe(1);
});

test('the terminal writes a notice, says what is wrong with one, and closes it once', async () => {
  const review = async (...args: string[]) => runCommand('review', args, SETTINGS);
  const fields = [
    'type=traffic',
    'severity=warning',
    'title_es=Cierre en la Tulum',
    'title_en=Closure on Tulum Avenue',
    'body_es=Cerrada por obras.',
    'source_url=https://transito.example/1',
  ];
  expect(await review('notice', ...fields)).toMatchObject({
    code: 1,
    output: expect.stringContaining('body_en: '),
  });
  expect(await review('notice', 'tipo=traffic')).toMatchObject({
    code: 1,
    output: expect.stringContaining("'tipo' is no field"),
  });
  expect(await review('notice', ...fields, 'body_en=Closed for works.')).toMatchObject({
    code: 0,
    output: expect.stringContaining('npm run release'),
  });
  const listed = await review('notices');
  const id = /(notice-\w+) {2}open {2}warning {3}Cierre en la Tulum/.exec(listed.output)?.[1] ?? '';
  expect(await review('close', id)).toMatchObject({ code: 0 });
  expect(await review('close', id)).toMatchObject({
    code: 1,
    output: expect.stringContaining('closed already'),
  });
  expect(
    listDecisions(inbox, 2).map(({ action, editor }) => [action, editor.endsWith('(terminal)')]),
  ).toEqual([
    ['close_notice', true],
    ['write_notice', true],
  ]);
});
