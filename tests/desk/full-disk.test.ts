// A full disk: whoever sends something is told that it was not stored, and gets back what was typed, on the
// form, the status page, a report and the desk (contract 14.4).
import { toKnown } from '../../src/desk/known.ts';
import { toThingTexts } from '../../src/desk/thing-form.ts';
import { toDigest } from '../../src/domain/ledger.ts';
import { createFormStamp } from '../../src/inbox/secret.ts';
import { readColumn, readRows, readValue, openFixtureInbox, sendIn } from '../fixtures/inbox.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addEditor } from '../../src/desk/editors.ts';
import { readSession, signIn } from '../../src/desk/sign-in.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { handleDesk } from '../../src/site/desk/router.ts';
import { handleCorrect } from '../../src/site/forms/correct.ts';
import { handleStatus } from '../../src/site/forms/status.ts';
import { handleSubmit } from '../../src/site/forms/submit.ts';
import type { Visit } from '../../src/site/visit.ts';
import { approve } from '../fixtures/approved.ts';
import { readSources } from '../fixtures/edits.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';
import { toVisit as toAnyVisit } from '../fixtures/visit.ts';

const town = readFixture();
const { snapshot, close } = openFixture(town);
const [{ id: EVENT = '' } = {}] = town.events;
const state = { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE };
let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
beforeEach(async () => {
  opened = await openFixtureInbox();
  return () => opened.close();
});
afterAll(close);

const FIELDS = {
  title: 'Función de títeres',
  description: 'Una función de títeres para todas las edades, con música. '.repeat(60),
  category: 'live-music',
  venue_name: 'Patio Inventado',
  zone: 'downtown',
  start_date: '2026-12-05',
  start_time: '18:00',
  price_kind: 'free',
  languages: 'es',
  lang: 'es',
};
const toVisit = (fields: Readonly<Record<string, string>>): Visit =>
  toAnyVisit(opened.inbox, { method: 'POST', fields });
/** As a disk that takes nothing at all, not even over what is there. */
const close_file = async (): Promise<void> => {
  await readRows(opened.inbox, 'pragma query_only = on');
};
/** Not a page more, nor one that a migration has left free, nor room on those of changes. */
const fill = async (): Promise<void> => {
  const { inbox } = opened;
  await readRows(inbox, 'vacuum');
  await readRows(inbox, `pragma max_page_count = ${await readValue(inbox, 'pragma page_count')}`);
  const insert = `insert into changes (at, maker, door, kind, asks, title, state)
    values ('', 'editor', 'desk', 'event', 'edit', ?, 'undone')`;
  for (const length of [300, 100, 1])
    await expect(async () => {
      for (;;) await readRows(inbox, insert, 'x'.repeat(length));
    }).rejects.toMatchObject({ reason: 'not_stored' });
};
const toStamp = (): string => createFormStamp(opened.inbox, FRIDAY_NOON_MS - 60_000);

test('what is sent in is refused and not stored, and taken once there is room', async () => {
  const { reference } = await sendIn(opened.inbox);
  await fill();
  const send = () => sendIn(opened.inbox, { description: 'Muy larga. '.repeat(3_000) });
  await expect(send()).rejects.toMatchObject({ code: 'unavailable', reason: 'not_stored' });
  const sent = "select reference from changes where maker = 'sender'";
  expect(await readColumn(opened.inbox, sent)).toEqual([reference]);
  await readRows(opened.inbox, 'pragma max_page_count = 1000000');
  expect((await send()).is_repeat).toBe(false);
});

test('the form comes back with every word, and nothing is stored', async () => {
  const stamp = toStamp();
  await fill();
  const sent = await handleSubmit(state, toVisit({ ...FIELDS, stamp, step: 'send' }), 'es');
  expect(sent).toMatchObject({
    status: 503,
    page: { form: { values: FIELDS }, notice: expect.stringContaining('no se envió') },
  });
  expect(await readValue(opened.inbox, "select count(*) from changes where maker = 'sender'")).toBe(
    0,
  );
});

test('a request to cancel comes back with its words', async () => {
  const { reference, token } = await sendIn(opened.inbox);
  await approve(opened.inbox, reference);
  const message = 'Llueve mucho. '.repeat(40);
  await fill();
  const visit = toVisit({ does: 'cancel', message });
  expect(await handleStatus(state, visit, token ?? '', 'es')).toMatchObject({
    status: 503,
    page: { message, notice: expect.stringContaining('no se envió') },
  });
  expect((await getSubmission(opened.inbox, reference))?.state).toBe('applied');
});

test('a report comes back with its words', async () => {
  const stamp = toStamp();
  const change = 'Empieza a las nueve. '.repeat(40);
  await fill();
  const request = { kind: 'correct', about: 'event', id: 'feria-diaria', lang: 'es' } as const;
  expect(await handleCorrect(state, toVisit({ stamp, change }), request)).toMatchObject({
    status: 503,
    page: { values: { change }, notice: expect.stringContaining('no se envió') },
  });
});

describe('the desk', () => {
  type Form = readonly [path: string, fields: Readonly<Record<string, string>>];
  const WORDS = 'Lo dijo el organizador. '.repeat(12);
  const LATER_MS = FRIDAY_NOON_MS + 5 * 60_000;
  const later = { ...state, now_ms: LATER_MS };
  let token = '';
  let csrf = '';
  let references: readonly string[] = [];
  beforeEach(async () => {
    const { inbox } = opened;
    const password = await addEditor(inbox, 'ana', 0);
    const result = await signIn(toVisit({}), { name: 'ana', password }, 'x', FRIDAY_NOON_MS);
    token = (result.kind === 'in' && /=([^;]+)/.exec(result.cookie)?.[1]) || '';
    csrf = (await readSession({ ...toVisit({}), session_token: token }))?.csrf ?? '';
    // So long ago that it would be noted that it is seen.
    await readRows(
      inbox,
      "update session set updatedAt = strftime('%FT%TZ', updatedAt, '-5 minutes')",
    );
    references = [
      (await sendIn(inbox)).reference,
      (await sendIn(inbox, { title: 'Otra' })).reference,
    ];
  });
  /** The form of the event as it is shown. */
  const fillEdit = async (): Promise<Readonly<Record<string, string>>> => {
    const record = (await (await readSources(opened.inbox)).get(EVENT))?.record ?? {};
    const texts = Object.entries(toThingTexts('event', record, toKnown(snapshot)));
    return { ...Object.fromEntries(texts), seen: toDigest(record) };
  };
  const ask = (path: string, fields: Readonly<Record<string, string>> | null = null) =>
    handleDesk(
      later,
      {
        ...toVisit({ csrf, ...fields }),
        method: fields === null ? 'GET' : 'POST',
        session_token: token,
      },
      path,
    );

  test('is read as before, however long the session', async () => {
    await close_file();
    for (const path of [
      '/revision',
      `/revision/envios/${references[0]}`,
      '/revision/eventos',
      `/revision/editar/${EVENT}`,
      `/revision/editar/${EVENT}`,
      '/revision/ediciones',
      '/revision/avisos',
      '/revision/registro',
      '/revision/por-revisar',
      '/revision/cuenta',
      '/revision/editores',
    ])
      expect(await ask(path), path).toMatchObject({
        status: 200,
        page: { frame: { editor: 'ana' } },
      });
  });

  test.each<readonly [string, () => Promise<Form> | Form, object]>([
    [
      'a rejection',
      () => [`/revision/envios/${references[0]}`, { does: 'reject', reason: WORDS, revision: '1' }],
      { item: { reason: WORDS } },
    ],
    [
      'a cancellation',
      () => [
        `/revision/editar/${EVENT}`,
        { does: 'cancel', reason: WORDS, note_es: 'No hay', note_en: 'None' },
      ],
      { acts: { values: { reason: WORDS, note_es: 'No hay' } } },
    ],
    [
      'an edit',
      async () => [
        `/revision/editar/${EVENT}`,
        { ...(await fillEdit()), does: 'save', reason: WORDS, tags: 'a' },
      ],
      { form: { reason: WORDS, values: { tags: 'a' } } },
    ],
    [
      'a notice',
      () => [
        '/revision/avisos',
        {
          type: 'closure',
          severity: 'warning',
          title_es: 'Cierre',
          title_en: 'Closure',
          body_es: WORDS,
          body_en: WORDS,
          source_url: 'https://transito.example/1',
        },
      ],
      { values: { title_es: 'Cierre', body_es: WORDS } },
    ],
    ['a new editor', () => ['/revision/editores', { does: 'add', name: 'eva' }], { typed: 'eva' }],
    ['an end of sessions', () => ['/revision/cuenta', { does: 'end_others' }], {}],
    ['the way out', () => ['/revision/salir', {}], { question: { q: '' } }],
  ])('%s is refused, and what was typed for it stays', async (_, toForm, view) => {
    const [path, fields] = await toForm();
    await close_file();
    expect(await ask(path, fields)).toMatchObject({
      status: 503,
      page: { view, frame: { notice: expect.stringContaining('el disco está lleno') } },
    });
  });

  test('nobody comes in, and is told why', async () => {
    await close_file();
    const visit = toVisit({ name: 'ana', password: 'x' });
    expect(await handleDesk(later, visit, '/revision/entrar')).toMatchObject({
      status: 503,
      page: { view: { name: 'ana' }, frame: { notice: expect.stringContaining('disco') } },
    });
  });
});
