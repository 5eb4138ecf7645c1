// A full disk: whoever sends is told, and gets back what was typed (contract 14.4).
import { beforeEach, describe, expect, test } from 'vitest';
import { getSubmission } from '../../src/inbox/changes.ts';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { handleCorrection } from '../../src/site/forms/correction-form.ts';
import { handleSubmissionStatus } from '../../src/site/forms/submission-status.ts';
import { handleSubmit } from '../../src/site/forms/submit-form.ts';
import type { VisitorRequest } from '../../src/site/visitor-request.ts';
import { approve } from '../fixtures/approved.ts';
import { enterDesk } from '../fixtures/desk-visit.ts';
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';
import { inbox, readRows, readValue, sendIn, useInbox } from '../fixtures/inbox.ts';
import { useQuickPasswords } from '../fixtures/quick-passwords.ts';
import { openState } from '../fixtures/site.ts';
import { toVisit as toAnyVisit } from '../fixtures/visit.ts';

const [{ id: EVENT = '' } = {}] = readFixture().events;
const state = openState();
useInbox();
useQuickPasswords();

type Fields = Readonly<Record<string, string>>;
const toVisit = (fields: Fields): VisitorRequest => toAnyVisit(inbox, { method: 'POST', fields });
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
/** Not a page more, nor one that a migration has left free, nor room on those of changes. */
const fill = async (): Promise<void> => {
  await readRows(inbox, 'vacuum');
  await readRows(inbox, `pragma max_page_count = ${await readValue(inbox, 'pragma page_count')}`);
  const insert = `insert into changes (at, maker, door, kind, asks, title, state)
    values ('', 'editor', 'desk', 'event', 'edit', ?, 'undone')`;
  for (const length of [300, 100, 1])
    await expect(async () => {
      for (;;) await readRows(inbox, insert, 'x'.repeat(length));
    }).rejects.toMatchObject({ reason: 'not_stored' });
};
const toRefused = (typed: object) => ({
  status: 503,
  page: { banner: expect.stringContaining('no se envió'), ...typed },
});

test('what is sent in is refused and not stored, and taken once there is room', async () => {
  await fill();
  const send = () => sendIn(inbox, { description: 'Muy larga. '.repeat(3_000) });
  await expect(send()).rejects.toMatchObject({ code: 'unavailable', reason: 'not_stored' });
  await readRows(inbox, 'pragma max_page_count = 1000000');
  expect((await send()).is_repeat).toBe(false);
});

test('the form, a report and a request to cancel come back with every word, and nothing is stored', async () => {
  const { reference, token } = await sendIn(inbox);
  await approve(inbox, reference);
  const stamp = createFormToken(inbox, FRIDAY_NOON_MS - 60_000);
  const count = () => readValue(inbox, "select count(*) from changes where maker <> 'editor'");
  const before = await count();
  await fill();
  const form = await handleSubmit(state, toVisit({ ...FIELDS, stamp, step: 'send' }), 'es');
  expect(form).toMatchObject(toRefused({ form: { values: FIELDS } }));

  const change = 'Empieza a las nueve. '.repeat(40);
  const request = { kind: 'event', id: 'feria-diaria', lang: 'es' } as const;
  const report = await handleCorrection(state, toVisit({ stamp, change }), request);
  expect(report).toMatchObject(toRefused({ values: { change } }));

  const message = 'Llueve mucho. '.repeat(40);
  const visit = toVisit({ does: 'cancel', message });
  const asked = await handleSubmissionStatus(state, visit, token ?? '', 'es');
  expect(asked).toMatchObject(toRefused({ message }));
  expect((await getSubmission(inbox, reference))?.state).toBe('applied');
  expect(await count()).toBe(before);
});

describe('the desk', () => {
  const later = { ...state, now_ms: FRIDAY_NOON_MS + 5 * 60_000 };
  const WORDS = 'Lo dijo el organizador. '.repeat(12);
  let item = '';
  let desk: Awaited<ReturnType<typeof enterDesk>>;
  beforeEach(async () => {
    desk = await enterDesk(inbox, later);
    // So long ago that it would be noted that it is seen.
    const seen = "update session set updatedAt = strftime('%FT%TZ', updatedAt, '-5 minutes')";
    await readRows(inbox, seen);
    item = `/revision/envios/${(await sendIn(inbox)).reference}`;
  });
  /** As a disk that takes nothing at all, not even over what is there. */
  const closeFile = () => readRows(inbox, 'pragma query_only = on');

  test('is read as before, however long the session', async () => {
    await closeFile();
    const page = { frame: { editor: 'ana' } };
    const rooms = `eventos editar/${EVENT} avisos registro pendientes cuenta editores`;
    for (const path of ['/revision', item, ...rooms.split(' ').map((room) => `/revision/${room}`)])
      expect(await desk.ask(path), path).toMatchObject({ status: 200, page });
  });

  test('refuses what is decided, and what was typed for it stays', async () => {
    const edit = `/revision/editar/${EVENT}`;
    const edited = await desk.fill(edit, { does: 'save', reason: WORDS, tags: 'a' });
    const notice = {
      ...{ type: 'closure', severity: 'warning', source_url: 'https://transito.example/1' },
      ...{ title_es: 'Cierre', title_en: 'Closure', body_es: WORDS, body_en: WORDS },
    };
    const frame = { message: expect.stringContaining('el disco está lleno') };
    await closeFile();
    const sent = [
      [item, { does: 'reject', reason: WORDS, revision: '1' }, { item: { reason: WORDS } }],
      [edit, edited, { form: { reason: WORDS, values: { tags: 'a' } } }],
      ['/revision/avisos', notice, { values: { title_es: 'Cierre', body_es: WORDS } }],
      ['/revision/editores', { does: 'add', name: 'eva' }, { typed_name: 'eva' }],
    ] as const;
    for (const [path, fields, view] of sent) {
      const page = { frame, view };
      expect(await desk.ask(path, fields), path).toMatchObject({ status: 503, page });
    }
  });
});
