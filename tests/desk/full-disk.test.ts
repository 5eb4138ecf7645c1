// A full disk: whoever sends something is told that it was not stored, and gets back what was typed, on the
// form, the status page, a report and the desk (contract 14.16).
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createFormStamp } from '../../src/desk/secret.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { handleItem } from '../../src/site/desk/item.ts';
import { handleCorrect } from '../../src/site/forms/correct.ts';
import { handleStatus } from '../../src/site/forms/status.ts';
import { handleSubmit } from '../../src/site/forms/submit.ts';
import type { Visit } from '../../src/site/visit.ts';
import { approve } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { openFixtureInbox, sendIn } from '../fixtures/inbox.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
const state = { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE };
let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
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
const toVisit = (fields: Readonly<Record<string, string>>): Visit => ({
  method: 'POST',
  query: {},
  fields,
  refusal: null,
  picture_problem: null,
  calendar: null,
  session_token: null,
  cookie_name: 'desk',
  sender: '192.0.2.1',
  device: '',
  note: () => {},
  lang: 'es',
  is_secure: false,
  inbox: opened.inbox,
  requestRelease: () => {},
  readReleaseNews: () => ({
    is_wanted: false,
    is_building: false,
    last: null,
    failure: null,
    kept: [],
    faults: [],
  }),
});
/** Not a page more. */
const fill = (): void => {
  opened.inbox.pragma(`max_page_count = ${opened.inbox.pragma('page_count', { simple: true })}`);
};
const toStamp = (): string => createFormStamp(opened.inbox, FRIDAY_NOON_MS - 60_000);

test('the form comes back with every word, and nothing is stored', () => {
  const stamp = toStamp();
  fill();
  const sent = handleSubmit(state, toVisit({ ...FIELDS, stamp, step: 'send' }), 'es');
  expect(sent).toMatchObject({
    status: 503,
    page: { form: { values: FIELDS }, notice: expect.stringContaining('no se envió') },
  });
  expect(opened.inbox.prepare('select count(*) from submissions').pluck().get()).toBe(0);
});

test('a request to cancel comes back with its words', () => {
  const { reference, token } = sendIn(opened.inbox);
  approve(opened.inbox, reference);
  const message = 'Llueve mucho. '.repeat(40);
  fill();
  const visit = toVisit({ does: 'cancel', message });
  expect(handleStatus(state, visit, token ?? '', 'es')).toMatchObject({
    status: 503,
    page: { status: { message, notice: expect.stringContaining('no se envió') } },
  });
  expect(getSubmission(opened.inbox, reference)?.state).toBe('approved');
});

test('a report comes back with its words', () => {
  const stamp = toStamp();
  const change = 'Empieza a las nueve. '.repeat(40);
  fill();
  const request = { kind: 'correct', about: 'event', id: 'feria-diaria', lang: 'es' } as const;
  expect(handleCorrect(state, toVisit({ stamp, change }), request)).toMatchObject({
    status: 503,
    page: { values: { change }, notice: expect.stringContaining('no se envió') },
  });
});

test('a decision is not made, and what was typed for it stays', () => {
  const { reference } = sendIn(opened.inbox);
  const reason = 'No es un evento. '.repeat(30);
  fill();
  const actor = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
  const visit = toVisit({ does: 'reject', reason, revision: '1' });
  const session = { editor: 'ana', role: 'editor', csrf: '', id: '' } as const;
  expect(handleItem({ state, visit, actor, session }, reference)).toMatchObject({
    status: 503,
    screen: { reason },
    notice: expect.stringContaining('el disco está lleno'),
  });
  expect(getSubmission(opened.inbox, reference)?.state).toBe('pending');
});
