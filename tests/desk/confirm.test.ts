// One tap keeps a fact alive: who gets which letter, what its links do, and what readers see of it (contract 14.41).
import { afterEach, describe, expect, test } from 'vitest';
import { listFacts } from '../../src/domain/event/facts.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { toFactLines } from '../../src/i18n/fact-words.ts';
import { toDayPath, toThingPath } from '../../src/i18n/paths.ts';
import { getSubmission, listChanges, updateChange } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { putSource } from '../../src/inbox/followed.ts';
import { toCalendar } from '../../src/serializers/calendar.ts';
import { toEventDetail } from '../../src/serializers/wire/event.ts';
import { toPublicVenue } from '../../src/serializers/wire/places.ts';
import { findPage } from '../../src/site/registry.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { at, openFixture } from '../fixtures/fixture.ts';
import { ANA, inbox, undoNewest, useInbox } from '../fixtures/inbox.ts';
import { bodies, mailer, readers, smtp, subjects, useMailer } from '../fixtures/mailer.ts';
import { SITE } from '../fixtures/site.ts';
import { startSourceServer } from '../fixtures/source-server.ts';
import { toVisit } from '../fixtures/visit.ts';

useInbox();
useMailer('2026-12-01');
const CONTACT = 'lugar@ejemplo.example';
const TEN_MS = at('2026-12-03T10:00:00');
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A release of all that is decided, at a moment, with what is changed of its venue. */
async function release(now_ms = TEN_MS, confirm_email: string | null = null) {
  const town = await readDatasetWith(inbox, EMPTY_LEDGER, now_ms);
  const venues = town.venues.map((venue) => ({ ...venue, confirm_email }));
  const { snapshot, close } = openFixture({ ...town, venues }, now_ms);
  closing.push(close);
  return { snapshot, now_ms, site: SITE };
}
/** At its moment and later that day. */
async function send(state: Awaited<ReturnType<typeof release>>): Promise<void> {
  mailer.serve(state.snapshot);
  smtp.received.length = 0;
  mailer.now_ms = state.now_ms;
  await mailer.round();
  await mailer.after(90);
}
const link = (does: string): string =>
  new RegExp(`https://hoy.example(/\\S+)\\?does=${does}\\b`).exec(bodies())?.[1] ?? '';

/** The page at a link, looked at or with a form sent to it. */
async function open(path: string, fields?: Readonly<Record<string, string>>, now_ms = TEN_MS) {
  const state = await release(now_ms, CONTACT);
  const [base = '', query = ''] = path.split('?');
  const asked = { query: Object.fromEntries(new URLSearchParams(query)) };
  const sent = fields && ({ method: 'POST', fields } as const);
  const answer = await findPage(base)?.handle(state, '', toVisit(inbox, { ...asked, ...sent }));
  if (answer?.kind === 'redirect') return answer.location.slice(base.length);
  if (answer?.kind !== 'page') throw new Error('no page');
  return `${answer.status} ${JSON.stringify(answer.page)}`;
}
const press = (does: string, more = {}) => open(link(does), { does, ...more });
const publishOne = (changed: Partial<Submission> = {}) =>
  publish(inbox, { dates: [], start: '2026-12-05T20:00', end: null, ...changed });
const statuses = async (reference: string) =>
  (await readDatasetWith(inbox)).occurrences
    .filter(({ event }) => event === toSubmittedEventId(reference))
    .map(({ status, certainty, confirmed_on }) => [status, certainty, confirmed_on].join(' '));
const countDecisions = async () => (await listDecisions(inbox, 50)).length;

test('one letter asks an address about all of its events, in their language, once a day', async () => {
  await publishOne();
  await publishOne({ title: 'Otra noche', dates: ['2026-12-12'] });
  await publishOne({ title: 'Third night', lang: 'en' });
  await publishOne({ title: 'Sin correo', contact_email: null });
  await publishOne({ title: 'Después', start: '2026-12-06T20:00' });
  await send(await release());
  expect(subjects()).toEqual(['¿Siguen igual tus 3 eventos?']);
  for (const words of ['> Noche de prueba', 'sáb 5 dic y sáb 12 dic', 'Something changed:'])
    expect(bodies()).toContain(words);
});

test('nobody is asked who has just written or wants no letters, nor of what is confirmed', async () => {
  const reference = await publishOne();
  const { id = 0 } = (await getSubmission(inbox, reference)) ?? {};
  const ask = async () => {
    await inbox.db.deleteFrom('letters').execute();
    await send(await release());
    return smtp.received.length;
  };
  await updateChange(inbox, id, { at: '2026-12-01T09:00:00-05:00' });
  expect(await ask()).toBe(0);
  await updateChange(inbox, id, { at: '2026-11-30T09:00:00-05:00' });
  expect(await ask()).toBe(1);
  const [same, stop] = [link('same'), link('stop')];
  await open(same, { does: 'same' });
  expect(await ask()).toBe(0);
  await undoNewest(inbox, ANA);
  expect(await ask()).toBe(1);
  const reader = /reader=(\w+)/.exec(bodies())?.[1] ?? '';
  expect(await open(stop, { does: 'stop', reader })).toBe('?done=stop');
  expect(await ask()).toBe(0);
});

describe('the links', () => {
  test('change nothing before a button is pressed, and confirm once; undone, it is as before', async () => {
    const reference = await publishOne();
    await send(await release());
    const before = [await statuses(reference), await countDecisions()];
    for (const does of ['same', 'changed', 'cancelled', 'stop'])
      expect(await open(`${link('same')}?does=${does}`)).toMatch(/^200 .*Noche de prueba/);
    expect([await statuses(reference), await countDecisions()]).toEqual(before);
    for (const _ of [1, 2]) expect(await press('same')).toBe('?done=same');
    expect(await statuses(reference)).toEqual(['scheduled confirmed 2026-12-03']);
    expect(await countDecisions()).toBe(2);
    expect((await listDecisions(inbox, 1))[0]).toMatchObject({ editor: 'letter:organizer' });
    await undoNewest(inbox, ANA);
    expect(await statuses(reference)).toEqual(before[0]);
  });

  test('are refused where they are not ours, or what they ask about is over', async () => {
    const reference = await publishOne();
    await send(await release());
    const path = link('same');
    const foreign = path.replace('2026-12-03', '2026-12-02');
    for (const fields of [undefined, { does: 'same' }]) {
      expect(await open(foreign, fields)).toMatch(/^404 .*no es nuestro/);
      expect(await open(path, fields, at('2026-12-06T12:00:00'))).toMatch(/^410 .*ya venció/);
    }
    expect(await statuses(reference)).toEqual(['scheduled confirmed ']);
  });

  test('take a date off at once where its sender says so, and the desk brings it back', async () => {
    const reference = await publishOne({ dates: ['2026-12-12'] });
    await send(await release());
    expect(await press('cancelled')).toMatch(/^422 .*Escribe qué pasó/);
    expect(await press('cancelled', { message: 'Llueve.', dates: '2026-12-05' })).toBe(
      '?done=cancelled',
    );
    const on = 'scheduled confirmed ';
    expect(await statuses(reference)).toEqual(['cancelled confirmed ', on]);
    await undoNewest(inbox, ANA);
    expect(await statuses(reference)).toEqual([on, on]);
  });

  test.each([
    ['publish', 'applied', 'cancelled'],
    ['ask', 'waiting', 'waits'],
  ] as const)('of a source trusted to %s leave a cancellation %s', async (trust, state, done) => {
    const reference = await publishOne({ contact_email: null });
    const { id = 0 } = (await getSubmission(inbox, reference)) ?? {};
    await updateChange(inbox, id, { door: 'source', batch: 7 });
    const server = await startSourceServer();
    const source = server.source({ trust, contact: 'foro@ejemplo.example' });
    await server.stop();
    mailer.followed.splice(0, 1, source);
    const none = {
      etag: null,
      last_modified: null,
      read_ms: null,
      failing_ms: null,
      problem: null,
    };
    const nothing = { failures: 0, told_ms: null, bytes: null, bytes_before: null, next_ms: 0 };
    const { key, url } = source;
    await putSource(inbox, {
      ...none,
      ...nothing,
      key,
      url,
      batch: 7,
      brought: {},
      missing: {},
      tried_ms: 0,
    });
    await send(await release());
    expect(readers()).toEqual(['foro@ejemplo.example']);
    expect(await press('cancelled', { message: 'Llueve.' })).toBe(`?done=${done}`);
    expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel', state });
  });

  test('of content go to the address of its place, which nobody else reads, and ask the desk', async () => {
    const now_ms = at('2026-12-02T10:00:00');
    await send(await release(now_ms, CONTACT));
    expect([readers(), subjects()]).toEqual([[CONTACT], ['¿Sigue igual tu evento? (vie 4 dic)']]);
    const off = { message: 'Cerrado.', dates: '2026-12-04' };
    expect(await press('cancelled', off)).toBe('?done=waits');
    const [report] = await listChanges(inbox, (query) => query.where('maker', '=', 'reader'));
    const change = 'Se canceló (vie 4 dic): Cerrado.';
    expect(report).toMatchObject({ state: 'waiting', text: { change, contact_email: CONTACT } });
    expect(await press('same')).toBe('?done=same');
    const { snapshot } = await release(now_ms, CONTACT);
    const dates = snapshot.index.occurrences.filter(({ confirmed_on }) => confirmed_on !== null);
    expect(dates.map(({ start }) => start.slice(5, 10)).join()).toBe('12-04,12-11,12-18');
    const venues = [...snapshot.venues.values()];
    expect(JSON.stringify(venues)).toContain(CONTACT);
    const told = venues.map((venue) => toPublicVenue(venue, null, snapshot.taxonomy, 'es', SITE));
    expect(JSON.stringify(told)).not.toContain(CONTACT);
  });
});

test.each([
  ['es', 'onfirmado', ' por quien organiza el 3 de diciembre'],
  ['en', 'onfirmed', ' by the organizer on December 3'],
] as const)('every surface says by whom and when, in %s', async (lang, word, by) => {
  const reference = await publishOne();
  await send(await release());
  await press('same');
  const state = await release();
  const detail = getEvent(state.snapshot, toSubmittedEventId(reference), state.now_ms);
  if (detail === null || detail === 'gone' || detail.next === null) throw new Error('no event');
  const [own, day] = [
    toThingPath('event', detail.event.slug, lang),
    toDayPath('2026-12-05', lang),
  ].map((path) => findPage(path));
  const item = { card: detail, occurrence: detail.next };
  const about = { name: '', description: '', page_url: SITE.url, feed_url: SITE.url };
  const file = toCalendar([item], { ...about, lang, site: SITE }).replaceAll('\r\n ', '');
  const shown = await Promise.all([own, day].map((page) => page?.handle(state, '', null)));
  for (const said of [...shown, own?.write(state, ''), day?.write(state, ''), file])
    expect(JSON.stringify(said).replaceAll(/[*:]/g, '')).toContain(word + by);
  const facts = listFacts(detail, 'answer').flatMap(({ value }) => toFactLines(value, lang));
  expect(facts).toContain(by.trim());
  expect(toEventDetail(detail, lang, SITE).next).toMatchObject({ confirmed_on: '2026-12-03' });
});
