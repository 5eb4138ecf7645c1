// Full disk: forms report the failure and return with the entered values (contract 14.4).
import { beforeEach, describe, expect, test } from 'vitest';
import { getSubmission } from '../../src/inbox/changes.ts';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { handleCorrection } from '../../src/site/forms/correction-form.ts';
import { handleSubmissionStatus } from '../../src/site/forms/submission-status.ts';
import { handleSubmit } from '../../src/site/forms/submit-form.ts';
import type { VisitorRequest } from '../../src/site/visitor-request.ts';
import { approve } from '../fixtures/approved.ts';
import { openDesk } from '../fixtures/desk-visit.ts';
import { FRIDAY_NOON_MS, loadFixture } from '../fixtures/fixture.ts';
import { inbox, queryRows, queryValue, submitTestEvent, useInbox } from '../fixtures/inbox.ts';
import { useQuickPasswords } from '../fixtures/quick-passwords.ts';
import { openPageContext } from '../fixtures/site.ts';
import { createVisit as toAnyVisit } from '../fixtures/visit.ts';

const [{ id: EVENT = '' } = {}] = loadFixture().events;
const state = openPageContext();
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
/** Fills the database: no new pages, no free pages, and no space on the pages of `changes`. */
const fill = async (): Promise<void> => {
  await queryRows(inbox, 'vacuum');
  await queryRows(inbox, `pragma max_page_count = ${await queryValue(inbox, 'pragma page_count')}`);
  const insert = `insert into changes (at, maker, door, kind, asks, title, state)
    values ('', 'editor', 'desk', 'event', 'edit', ?, 'undone')`;
  for (const length of [300, 100, 1])
    await expect(async () => {
      for (;;) await queryRows(inbox, insert, 'x'.repeat(length));
    }).rejects.toMatchObject({ reason: 'not_stored' });
};
const rejectedPage = (typed: object) => ({
  status: 503,
  page: { banner: expect.stringContaining('no se envió'), ...typed },
});

test('rejects a submission without storing it, and accepts it once there is space', async () => {
  await fill();
  const send = () => submitTestEvent(inbox, { description: 'Muy larga. '.repeat(3_000) });
  await expect(send()).rejects.toMatchObject({ code: 'unavailable', reason: 'not_stored' });
  await queryRows(inbox, 'pragma max_page_count = 1000000');
  expect((await send()).is_repeat).toBe(false);
});

test('the submission form, a correction and a request return with all values, and store nothing', async () => {
  const { reference, token } = await submitTestEvent(inbox);
  await approve(inbox, reference);
  const stamp = createFormToken(inbox, FRIDAY_NOON_MS - 60_000);
  const count = () => queryValue(inbox, "select count(*) from changes where maker <> 'editor'");
  const before = await count();
  await fill();
  const form = await handleSubmit(state, toVisit({ ...FIELDS, stamp, step: 'send' }), 'es');
  expect(form).toMatchObject(rejectedPage({ form: { values: FIELDS } }));

  const change = 'Empieza a las nueve. '.repeat(40);
  const request = { kind: 'event', id: 'feria-diaria', lang: 'es' } as const;
  const report = await handleCorrection(state, toVisit({ stamp, change }), request);
  expect(report).toMatchObject(rejectedPage({ values: { change } }));

  const message = 'Llueve mucho. '.repeat(40);
  const visit = toVisit({ does: 'cancel', message });
  const status_page = await handleSubmissionStatus(state, visit, token ?? '', 'es');
  expect(status_page).toMatchObject(rejectedPage({ message }));
  expect((await getSubmission(inbox, reference))?.state).toBe('applied');
  expect(await count()).toBe(before);
});

describe('the desk', () => {
  const later = { ...state, now_ms: FRIDAY_NOON_MS + 5 * 60_000 };
  const WORDS = 'Lo dijo el organizador. '.repeat(12);
  let item = '';
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeEach(async () => {
    desk = await openDesk(inbox, later);
    // Long enough ago that the next request would record its use.
    const make_older = "update session set updatedAt = strftime('%FT%TZ', updatedAt, '-5 minutes')";
    await queryRows(inbox, make_older);
    item = `/revision/envios/${(await submitTestEvent(inbox)).reference}`;
  });
  /** Rejects all writes, even to existing pages. */
  const makeReadOnly = () => queryRows(inbox, 'pragma query_only = on');

  test('shows its screens as before, also for an old session', async () => {
    await makeReadOnly();
    const page = { frame: { editor: 'ana' } };
    const screens = `eventos editar/${EVENT} avisos registro pendientes cuenta editores`;
    for (const path of [
      '/revision',
      item,
      ...screens.split(' ').map((screen) => `/revision/${screen}`),
    ])
      expect(await desk.ask(path), path).toMatchObject({ status: 200, page });
  });

  test('rejects decisions and keeps the entered values', async () => {
    const edit = `/revision/editar/${EVENT}`;
    const edited = await desk.fill(edit, { does: 'save', reason: WORDS, tags: 'a' });
    const notice = {
      ...{ type: 'closure', severity: 'warning', source_url: 'https://transito.example/1' },
      ...{ title_es: 'Cierre', title_en: 'Closure', body_es: WORDS, body_en: WORDS },
    };
    const frame = { message: expect.stringContaining('el disco está lleno') };
    await makeReadOnly();
    const forms = [
      [item, { does: 'reject', reason: WORDS, revision: '1' }, { item: { reason: WORDS } }],
      [edit, edited, { form: { reason: WORDS, values: { tags: 'a' } } }],
      ['/revision/avisos', notice, { values: { title_es: 'Cierre', body_es: WORDS } }],
      ['/revision/editores', { does: 'add', name: 'eva' }, { typed_name: 'eva' }],
    ] as const;
    for (const [path, fields, view] of forms) {
      const page = { frame, view };
      expect(await desk.ask(path, fields), path).toMatchObject({ status: 503, page });
    }
  });
});
