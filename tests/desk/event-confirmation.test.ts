// Event confirmation: recipients and links of the reminder email, and the confirmation on every surface
// (contract 14.41).
import { describe, expect, test } from 'vitest';
import { recordConfirmation } from '../../src/desk/event-confirmation.ts';
import { changeStatus } from '../../src/desk/event-status.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { dayPath, recordPath } from '../../src/i18n/paths.ts';
import { getSubmission, updateChange } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { saveSourceState } from '../../src/inbox/followed-sources.ts';
import { serializeCalendar } from '../../src/serializers/icalendar.ts';
import { eventFeedItem } from '../../src/serializers/news-feeds.ts';
import { serializeEventDetail } from '../../src/serializers/wire/event.ts';
import { serializeVenue } from '../../src/serializers/wire/venues.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { getEvent } from '../../src/snapshot/get-record.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { publish, loadDatasetWithInbox } from '../fixtures/approved.ts';
import { localMs, openTestSnapshot } from '../fixtures/fixture.ts';
import { ANA, inbox, undoNewestDecision, useInbox } from '../fixtures/inbox.ts';
import {
  receivedText,
  mailer,
  recipientAddresses,
  smtp,
  receivedSubjects,
  useMailer,
} from '../fixtures/mailer.ts';
import { SITE } from '../fixtures/site.ts';
import { createSource, UNREAD_STATE } from '../fixtures/source-server.ts';
import { createVisit } from '../fixtures/visit.ts';

useInbox();
useMailer('2026-12-01');
const CONTACT = 'lugar@ejemplo.example';
const TEN_MS = localMs('2026-12-03T10:00:00');

/** Builds a release of all decided changes, at an instant, with a contact address for every venue. */
async function release(now_ms = TEN_MS, confirm_email: string | null = null) {
  const town = await loadDatasetWithInbox(inbox, EMPTY_LEDGER, now_ms);
  const venues = town.venues.map((venue) => ({ ...venue, confirm_email }));
  return { snapshot: openTestSnapshot({ ...town, venues }, now_ms), now_ms, site: SITE };
}
/** Runs the mailer at the release's instant and later that day. */
async function send(state: Awaited<ReturnType<typeof release>>): Promise<void> {
  mailer.serve(state.snapshot);
  smtp.received.length = 0;
  mailer.now_ms = state.now_ms;
  await mailer.round();
  await mailer.after(90);
}
/** Returns the link of the email whose URL contains this text. */
const link = (words: string): string => {
  const [text = ''] = receivedText().split('-- \n');
  return new RegExp(`https://hoy.example(/\\S*${words}\\S*)`).exec(text)?.[1] ?? '';
};
/** Opens a page, or submits a form to it. */
async function open(address: string, fields?: Readonly<Record<string, string>>, now_ms = TEN_MS) {
  const { pathname, searchParams } = new URL(address, SITE.url);
  const form = fields && ({ method: 'POST', fields } as const);
  const visit = createVisit(inbox, { query: Object.fromEntries(searchParams), ...form });
  const answer = await matchPage(pathname)?.handle(await release(now_ms, CONTACT), '', visit);
  if (answer?.kind !== 'page') return answer?.kind;
  return `${answer.status} ${JSON.stringify(answer.page)}`;
}
/** Sends all reminder emails, as if for the first time. Returns their number. */
async function ask() {
  await inbox.db.deleteFrom('letters').execute();
  await send(await release());
  return smtp.received.length;
}
const publishOne = (changed: Partial<Submission> = {}) =>
  publish(inbox, { dates: [], start: '2026-12-05T20:00', end: null, ...changed });
const statuses = async (reference: string) =>
  (await loadDatasetWithInbox(inbox)).occurrences
    .filter(({ event }) => event === submittedEventId(reference))
    .map(({ status, confirmed_on }) => [status, confirmed_on].join(' ').trim());
const SAME = '\\.2026-12-0\\d\\.';
const OFF = 'ask=';

test('one email a day asks an address about all of its events, in their language', async () => {
  await publishOne();
  await publishOne({ title: 'Otra noche', dates: ['2026-12-12'] });
  await publishOne({ title: 'Third night', lang: 'en' });
  await publishOne({ title: 'Sin correo', contact_email: null });
  await publishOne({ title: 'Después', start: '2026-12-06T20:00' });
  await ask();
  expect(receivedSubjects()).toEqual([
    expect.stringMatching(/(Siguen igual tus|details of your) 3 event/),
  ]);
  for (const words of ['> Noche de prueba', 'sáb 5 dic y sáb 12 dic', 'Something changed:'])
    expect(receivedText()).toContain(words);
});

test('skips senders who wrote recently or unsubscribed, and confirmed events', async () => {
  const reference = await publishOne();
  const { id = 0 } = (await getSubmission(inbox, reference)) ?? {};
  await updateChange(inbox, id, { at: '2026-12-01T09:00:00-05:00' });
  expect(await ask()).toBe(0);
  await updateChange(inbox, id, { at: '2026-11-30T09:00:00-05:00' });
  expect(await ask()).toBe(1);
  const unsubscribe_link = /https:\S+stop=[\w.-]+/.exec(receivedText())?.[0] ?? '';
  await open(link(SAME), {});
  expect(await ask()).toBe(0);
  await undoNewestDecision(inbox, ANA);
  expect(await ask()).toBe(1);
  expect(await open(unsubscribe_link)).toContain('Ya no me escriban');
  expect(await ask()).toBe(1);
  await open(unsubscribe_link, {});
  expect(await ask()).toBe(0);
});

describe('a link of the email', () => {
  test('changes nothing until its form is sent, confirms once, and can be undone', async () => {
    const reference = await publishOne();
    await ask();
    for (const words of [SAME, 'does=correct', OFF])
      expect(await open(link(words))).toMatch(/^200 .*Noche de prueba/);
    expect(await statuses(reference)).toEqual(['scheduled']);
    for (const _ of [1, 2]) expect(await open(link(SAME), {})).toBe('redirect');
    expect(await statuses(reference)).toEqual(['scheduled 2026-12-03']);
    const log = (await listDecisions(inbox, 9)).map(({ editor, action }) => `${editor} ${action}`);
    expect(log).toEqual(['letter:organizer confirm', 'ana approve']);
    await undoNewestDecision(inbox, ANA);
    expect(await statuses(reference)).toEqual(['scheduled']);
  });

  test('keeps the status of a day, and confirms only the given start time', async () => {
    const reference = await publishOne({ dates: ['2026-12-12'] });
    const request = { subject: reference, day: '2026-12-03', is_trusted: true };
    const event = { id: submittedEventId(reference) };
    const thing = { event, occurrences: [{ start: '2026-12-05' }] };
    await changeStatus(inbox, ANA, thing, {
      asks: 'cancel',
      date: '2026-12-05',
      reason: 'Llueve.',
    });
    await recordConfirmation(inbox, request, ['2026-12-05T20:00', '2026-12-12T19:00'], TEN_MS);
    expect(await statuses(reference)).toEqual(['cancelled', 'scheduled']);
    await undoNewestDecision(inbox, ANA);
    await recordConfirmation(inbox, request, ['2026-12-05T20:00', '2026-12-12T20:00'], TEN_MS);
    expect(await statuses(reference)).toEqual(['cancelled', 'scheduled 2026-12-03']);
  });

  test('is rejected if it is forged or its event is over', async () => {
    const reference = await publishOne();
    await ask();
    const path = link(SAME);
    for (const fields of [undefined, {}]) {
      const foreign = path.replace('2026-12-03', '2026-12-02');
      expect(await open(foreign, fields)).toMatch(/^404 .*no es válido/);
      expect(await open(`${path}?stop=${'a'.repeat(32)}.b`, fields)).toMatch(/^404 /);
      expect(await open(path, fields, localMs('2026-12-06T12:00:00'))).toMatch(/^410 .*ya venció/);
    }
    expect(await statuses(reference)).toEqual(['scheduled']);
  });

  test('cancels a date at once for its sender, which the desk can undo', async () => {
    const reference = await publishOne({ dates: ['2026-12-12'] });
    await ask();
    const off = { does: 'cancel', message: 'Llueve.', dates: '2026-12-05' };
    await open(link(OFF), off);
    expect(await statuses(reference)).toEqual(['cancelled', 'scheduled']);
    await undoNewestDecision(inbox, ANA);
    expect(await statuses(reference)).toEqual(['scheduled', 'scheduled']);
    await open(link('does=correct').split('?')[0] ?? '', { ...off, dates: '2026-12-12' });
    expect(await statuses(reference)).toEqual(['scheduled', 'scheduled']);
  });

  test.each([
    ['publish', 'applied'],
    ['ask', 'waiting'],
  ] as const)('of a source trusted to %s leaves a cancellation %s', async (trust, state) => {
    const reference = await publishOne({ contact_email: null });
    const { id = 0 } = (await getSubmission(inbox, reference)) ?? {};
    await updateChange(inbox, id, { door: 'source', batch: 7 });
    const source = createSource({ trust, contact: 'foro@ejemplo.example' });
    const { key, url } = source;
    mailer.followed.splice(0, 1, source);
    await saveSourceState(inbox, { ...UNREAD_STATE, key, url, batch: 7 });
    await ask();
    expect(recipientAddresses()).toEqual(['foro@ejemplo.example']);
    await open(link(OFF), { does: 'cancel', message: 'Llueve.' });
    expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel', state });
  });

  test('for content events goes to the address of the venue, which is never published', async () => {
    const now_ms = localMs('2026-12-02T10:00:00');
    await send(await release(now_ms, CONTACT));
    expect([recipientAddresses(), receivedSubjects()]).toEqual([
      [CONTACT],
      ['¿Sigue igual tu evento? (vie 4 dic)'],
    ]);
    expect(await open(link('corregir'))).toMatch(/^200 .*Fiesta de viernes/);
    await open(link(SAME), {});
    const { snapshot } = await release(now_ms, CONTACT);
    const dates = snapshot.index.occurrences.filter(({ confirmed_on }) => confirmed_on !== null);
    expect(dates.map(({ start }) => start.slice(5, 10)).join()).toBe('12-04,12-11,12-18');
    const venues = [...snapshot.venues.values()];
    expect(JSON.stringify(venues)).toContain(CONTACT);
    const serialized = venues.map((venue) =>
      serializeVenue(venue, null, snapshot.taxonomy, 'es', SITE),
    );
    expect(JSON.stringify(serialized)).not.toContain(CONTACT);
  });
});

test.each([
  ['es', '✓ confirmado por quien organiza el 3 de diciembre'],
  ['en', '✓ confirmed by the organizer on December 3'],
] as const)('every surface shows who confirmed and when, in %s', async (lang, words) => {
  const reference = await publishOne();
  await ask();
  await open(link(SAME), {});
  const state = await release();
  const detail = getEvent(state.snapshot, submittedEventId(reference), state.now_ms);
  if (detail === null || detail === 'gone' || detail.next === null) throw new Error('no event');
  const paths = [recordPath('event', detail.event.slug, lang), dayPath('2026-12-05', lang)];
  const pages = paths.map((path) => matchPage(path));
  const about = { name: '', description: '', page_url: SITE.url, feed_url: SITE.url };
  const items = [{ card: detail, occurrence: detail.next }];
  const file = serializeCalendar(items, { ...about, lang, site: SITE }).replaceAll('\r\n ', '');
  const views = await Promise.all(pages.map((page) => page?.handle(state, '', null)));
  const written = pages.map((page) => page?.renderMarkdown(state, ''));
  const feed = eventFeedItem(detail, lang, SITE);
  for (const output of [...views, ...written, file, feed])
    expect(JSON.stringify(output)).toContain(words);
  const { next } = serializeEventDetail(detail, lang, SITE);
  expect(next).toMatchObject({ certainty: 'confirmed', confirmed_on: '2026-12-03' });
});
