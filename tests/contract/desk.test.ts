// The desk as it is served: what is refused, what is decided and what it tells.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { correct } from '../../src/desk/submit.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listDeskNotices } from '../../src/inbox/desk-notices.ts';
import type { Inbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import type { BuiltServer } from '../fixtures/built-server.ts';
import { type DeskServer, startDesk, toCookie, toField } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';

let opened: DeskServer;
let server: BuiltServer;
let inbox: Inbox;
beforeAll(async () => {
  opened = await startDesk();
  ({ server, inbox } = opened);
});
afterAll(() => opened.stop());

describe('the desk', () => {
  test('decides only with a form of its own session', async () => {
    const { reference } = sendIn(inbox, { title: 'Para decidir' });
    const cookie = toCookie(await opened.logIn());
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
  test('erases what is private, and says so', async () => {
    const { reference } = sendIn(inbox, { title: 'Para olvidar' });
    const [path, cookie] = [`/revision/envios/${reference}`, toCookie(await opened.logIn())];
    const csrf = toField(await (await server.get(path, { cookie })).text(), 'csrf');
    const erased = await server.post(path, { csrf, does: 'erase' }, { cookie });
    expect(erased.status).toBe(303);
    const shown = await server.get(erased.headers.get('location') ?? '', { cookie });
    expect(await shown.text()).toContain('No se guarda ningún dato privado de esto');
    expect(getSubmission(inbox, reference)).toMatchObject({
      state: 'pending',
      submission: { contact_email: null },
    });
  });
  test('closes a notice once: pressed again, it does not last longer', async () => {
    const cookie = toCookie(await opened.logIn());
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
    const cookie = toCookie(await opened.logIn());
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
    const event = await opened.findEventId();
    const cookie = toCookie(await opened.logIn());
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
    const refused = await opened.review('withdraw', event, '--reason', words);
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
    const cookie = toCookie(await opened.logIn());
    const queue = await (await server.get('/revision', { cookie })).text();
    expect([queue.match(/<li data-item/g)?.length, /Página 1 de \d/.test(queue)]).toEqual([
      25,
      true,
    ]);
    const found = await (await server.get('/revision?q=FÍLA+59', { cookie })).text();
    expect([found.includes('En la fila 59'), found.includes('En la fila 58')]).toEqual([
      true,
      false,
    ]);
    const path = `/revision/envios/${references[0]}`;
    const fields = {
      csrf: toField(queue, 'csrf'),
      revision: '1',
      does: 'ask',
      reason: 'Falta la dirección',
    };
    const asked = await server.post(path, fields, { cookie });
    const next = asked.headers.get('location') ?? '';
    expect(next).toMatch(/^\/revision\/envios\/HC-\w{6}\?done=ask&of=HC-\w{6}$/);
    const opened_next = await (await server.get(next, { cookie })).text();
    expect([
      opened_next.includes('se devolvió a quien lo envió'),
      opened_next.includes('Deshacer'),
      opened_next.includes('Lo estás viendo tú'),
    ]).toEqual([true, true, true]);
    expect(await (await server.get(path, { cookie })).text()).toMatch(
      /Cambios pedidos[\s\S]*ana[\s\S]*2026-\d\d-\d\d \d\d:\d\d[\s\S]*Falta la dirección/,
    );
  });
  test('undoes any decision from the log, and says why it cannot where it cannot', async () => {
    const cookie = toCookie(await opened.logIn());
    const references = ['Primera', 'Segunda'].map((title) => sendIn(inbox, { title }).reference);
    const csrf = toField(await (await server.get('/revision', { cookie })).text(), 'csrf');
    for (const reference of references)
      await server.post(
        `/revision/envios/${reference}`,
        { csrf, revision: '1', does: 'reject', reason: 'No es un evento' },
        { cookie },
      );
    const [first = ''] = references;
    const log = await (await server.get(`/revision/registro?q=${first}`, { cookie })).text();
    expect(log).toMatch(/1 decisión[\s\S]*Rechazado[\s\S]*Primera[\s\S]*ana/);
    const fields = { csrf, from: 'log', id: toField(log, 'id') };
    const undone = await server.post('/revision/deshacer', fields, { cookie });
    expect(undone.headers.get('location')).toBe('/revision/registro?done=undone');
    expect(references.map((one) => getSubmission(inbox, one)?.state)).toEqual([
      'pending',
      'rejected',
    ]);
    const again = await server.post('/revision/deshacer', fields, { cookie });
    expect([again.status, (await again.text()).includes('Ya se había deshecho')]).toEqual([
      409,
      true,
    ]);
    const item = `/revision/envios/${references[1]}`;
    const words = { csrf, does: 'reopen', reason: 'Sí lo es' };
    expect((await server.post(item, words, { cookie })).headers.get('location')).toBe(
      `${item}?done=reopened`,
    );
    const told = await (await server.get('/revision/registro?action=reject', { cookie })).text();
    expect(told).toMatch(/Segunda[\s\S]*hay una decisión más nueva sobre lo mismo/);
  });
  test('tells how publishing goes: what the last release brought, and that one is on its way', async () => {
    const cookie = toCookie(await opened.logIn());
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
    const cookie = toCookie(await opened.logIn());
    expect(
      await (
        await server.get('/revision', { cookie, 'accept-language': 'en-US,en;q=0.9,es;q=0.5' })
      ).text(),
    ).toContain('Sign out (ana)');
  });
});
