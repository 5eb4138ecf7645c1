// The desk as it is served: what is refused, what is decided and what it tells.
import { expect, test } from 'vitest';
import { correct } from '../../src/desk/propose.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { comeIn, serveDesk, toField } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';

const opened = await serveDesk();
const { server, inbox } = opened;
const { cookie, read, post } = await comeIn(opened);
type Fields = Readonly<Record<string, string>>;
/** What became of a form that was sent. */
const statusOf = async (path: string, fields: Fields, headers?: Fields): Promise<number> =>
  (await post(path, fields, headers)).status;

test('it decides only with a form of its own session', async () => {
  const { reference } = await sendIn(inbox, { title: 'Para decidir' });
  const path = `/revision/envios/${reference}`;
  const fields = { does: 'reject', reason: 'No es un evento', revision: '1' };
  expect([
    (await server.post(path, fields, { cookie })).status,
    await statusOf(path, { ...fields, csrf: 'x'.repeat(43) }),
    await statusOf(path, fields, { origin: 'https://evil.example' }),
  ]).toEqual([403, 403, 403]);
  expect((await getSubmission(inbox, reference))?.state).toBe('waiting');
  expect(await statusOf(path, fields)).toBe(303);
  expect(await getSubmission(inbox, reference)).toMatchObject({
    ...{ state: 'refused', reason: 'No es un evento' },
  });
  expect(await statusOf(path, fields)).toBe(409);
});

test('it erases what is private, and says so', async () => {
  const { reference } = await sendIn(inbox, { title: 'Para olvidar' });
  const erased = await post(`/revision/envios/${reference}`, { does: 'erase' });
  expect(erased.status).toBe(303);
  expect(await read(erased.headers.get('location') ?? '')).toContain(
    'No se guarda ningún dato privado de esto',
  );
  expect(await getSubmission(inbox, reference)).toMatchObject({
    ...{ state: 'waiting', text: { contact_email: null } },
  });
});

test('it never lets a stale page decide, and shows what was typed again over what is there now', async () => {
  const { reference, token } = await sendIn(inbox, { title: 'Con hora mala' });
  const path = `/revision/envios/${reference}`;
  const fields = {
    ...{ revision: '1', title: 'Con hora mala', other_title: 'Typed by Ana' },
    description: SUBMISSION.description,
  };
  const foreign = await post(path, { ...fields, csrf: 'x'.repeat(43), does: 'approve' });
  expect([foreign.status, await foreign.text()]).toEqual([
    403,
    expect.stringContaining('Typed by Ana'),
  ]);
  const submission = { ...SUBMISSION, title: 'Con hora buena' };
  await correct(inbox, { reference, now_ms: FRIDAY_NOON_MS, submission });
  for (const does of ['approve', 'save', 'reject']) {
    const stale = await post(path, { ...fields, does });
    const shown = await stale.text();
    expect([stale.status, toField(shown, 'revision')], does).toEqual([
      does === 'reject' ? 422 : 409,
      '2',
    ]);
    for (const words of ['value="Con hora buena"', 'Typed by Ana']) expect(shown).toContain(words);
  }
  expect(await getSubmission(inbox, reference)).toMatchObject({
    ...{ state: 'waiting', revision: 2, draft: null },
  });
  expect((await server.post(`/publicar/estado/${token}`, { does: 'withdraw' })).status).toBe(303);
  const late = await post(path, { ...fields, revision: '2', does: 'approve' });
  expect([late.status, (await late.text()).includes('value="approve"')]).toEqual([409, false]);
});

test('it refuses a reason that is too long, and shows it again whole', async () => {
  const event = await opened.findEventId();
  const { reference } = await sendIn(inbox, { title: 'Con motivo largo' });
  const [before, reason] = [await listDecisions(inbox, 1), `${'Por ley. '.repeat(80)}Fin`];
  for (const [path, fields] of [
    [`/revision/editar/${event}`, { does: 'withdraw' }],
    [`/revision/envios/${reference}`, { does: 'reject', revision: '1' }],
  ] as const) {
    const answer = await post(path, { ...fields, reason });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    for (const words of [reason, 'máximo 600 caracteres']) expect(html).toContain(words);
  }
  expect(await listDecisions(inbox, 1)).toEqual(before);
});

test('it says how many more wait than it shows, and who decided what, when and why', async () => {
  const later_ms = FRIDAY_NOON_MS + 7_200_000;
  const references: string[] = [];
  for (let at = 0; at < 60; at += 1)
    references.push(
      (await sendIn(inbox, { title: `En la fila ${at}` }, 'form', later_ms)).reference,
    );
  const queue = await read('/revision');
  expect([
    queue.match(/<li>\s*<a href="\/revision\/envios\//g)?.length,
    /Página 1 de \d/.test(queue),
  ]).toEqual([25, true]);
  const found = await read('/revision?q=FÍLA+59');
  expect([found.includes('En la fila 59'), found.includes('En la fila 58')]).toEqual([true, false]);
  const path = `/revision/envios/${references[0]}`;
  const asked = await post(path, { revision: '1', does: 'ask', reason: 'Falta la dirección' });
  const next = asked.headers.get('location') ?? '';
  expect(next).toMatch(/^\/revision\/envios\/HC-\w{6}\?done=ask&of=HC-\w{6}$/);
  const opened_next = await read(next);
  for (const words of ['se devolvió a quien lo envió', 'Deshacer', 'Volver a la lista'])
    expect(opened_next).toContain(words);
  expect(await read(path)).toMatch(
    /Cambios pedidos[\s\S]*ana[\s\S]*2026-\d\d-\d\d \d\d:\d\d[\s\S]*Falta la dirección/,
  );
});

test('it undoes any decision from the log, and says why it cannot where it cannot', async () => {
  const references: string[] = [];
  for (const title of ['Primera', 'Segunda'])
    references.push((await sendIn(inbox, { title })).reference);
  const [first = '', second = ''] = references;
  for (const reference of references)
    await post(`/revision/envios/${reference}`, {
      ...{ revision: '1', does: 'reject', reason: 'No es un evento' },
    });
  const log = await read(`/revision/registro?q=${first}`);
  expect(log).toMatch(/1 decisión[\s\S]*Rechazado[\s\S]*Primera[\s\S]*ana/);
  const fields = { from: 'log', id: toField(log, 'id') };
  const undone = await post('/revision/registro', fields);
  expect(undone.headers.get('location')).toBe('/revision/registro?done=undone');
  expect([
    (await getSubmission(inbox, first))?.state,
    (await getSubmission(inbox, second))?.state,
  ]).toEqual(['waiting', 'refused']);
  const again = await post('/revision/registro', fields);
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining('Ya se había deshecho'),
  ]);
  const item = `/revision/envios/${second}`;
  const reopened = await post(item, { does: 'reopen', reason: 'Sí lo es' });
  expect(reopened.headers.get('location')).toBe(`${item}?done=reopened`);
  expect(await read('/revision/registro?action=reject')).toMatch(
    /Segunda[\s\S]*hay una decisión más nueva sobre lo mismo/,
  );
});

test('it tells how publishing goes: what the last release brought, and that one is on its way', async () => {
  expect(await read('/revision')).toMatch(
    /Última publicación: [\d: -]+\. \d+ eventos; nuevos: \d+/,
  );
  const path = `/revision/editar/${await opened.findEventId()}`;
  expect(await statusOf(path, { does: 'cancel', reason: 'Llueve' })).toBe(303);
  expect(await read('/revision')).toContain('Se está publicando');
  await expect
    .poll(() => read('/revision'), { timeout: 60_000 })
    .not.toContain('Se está publicando');
  expect(await read('/revision')).toMatch(/cancelados: 1\b/);
});
