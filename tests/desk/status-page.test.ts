// The page of a sender in every state, and days called off there (contract 14.3, 14.24).
import { describe, expect, test } from 'vitest';
import { requestStatusChange, withdrawSubmission } from '../../src/desk/submissions.ts';
import { listSenderActions } from '../../src/domain/change.ts';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { formatSubmissionStatus } from '../../src/i18n/format-forms.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { getSubmission, getStatusToken } from '../../src/inbox/changes.ts';
import { unsubscribe, unsubscribeKey } from '../../src/inbox/outbox.ts';
import { handleSubmissionStatus } from '../../src/site/forms/submission-status.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { approve, publish, readDatasetWith } from '../fixtures/approved.ts';
import { changeStatus, grant, refuse } from '../fixtures/changes.ts';
import { at, FRIDAY_NOON_MS as NOW_MS, openInTest } from '../fixtures/fixture.ts';
import { ANA, by, inbox, sendIn, undoNewest, useInbox } from '../fixtures/inbox.ts';
import { SITE } from '../fixtures/site.ts';
import { toVisit } from '../fixtures/visit.ts';

useInbox();

type Fields = Readonly<Record<string, string>>;
/** The page after a release, looked at or with a form sent to it; null where that leads on. */
async function visit(reference: string, fields?: Fields, now_ms = NOW_MS) {
  const state = { snapshot: openInTest(await readDatasetWith(inbox)), now_ms, site: SITE };
  const token = (await getStatusToken(inbox, reference)) ?? '';
  const sent = fields && ({ method: 'POST', fields } as const);
  const result = await handleSubmissionStatus(state, toVisit(inbox, sent), token, 'es');
  if (result?.kind === 'redirect') return null;
  if (result?.kind !== 'page' || !('stored' in result.page)) throw new Error('no status page');
  const { stored, publication_status, event_path, calendar_path } = result.page;
  return {
    ...result.page,
    status: result.status,
    said: formatSubmissionStatus(stored, publication_status, 'es').stage,
    acts: listSenderActions(stored, publication_status).join(' '),
    is_in_agenda: event_path !== null,
    has_copy: calendar_path !== null,
  };
}

type Step = (reference: string) => Promise<void>;
const asked =
  (asks: 'cancel' | 'postpone'): Step =>
  async (reference) => {
    await approve(inbox, reference);
    const asking = { now_ms: NOW_MS, asks, message: 'Llueve.', dates: null };
    await requestStatusChange(inbox, { reference, ...asking });
  };
const marked =
  (asks: 'cancel' | 'postpone' | 'withdraw'): Step =>
  async (reference) => {
    await approve(inbox, reference);
    await changeStatus(inbox, ANA, submittedEventId(reference), asks, 'Llueve.');
  };
const sentBack =
  (verdict: 'ask' | 'reject'): Step =>
  (reference) =>
    refuse(inbox, by(reference), verdict, 'Falta la hora.');
const approved: Step = (reference) => approve(inbox, reference);

const LATER_MS = at('2026-12-20T12:00:00');
const WAITS = 'correct withdraw';
const OFF = 'correct withdraw cancel postpone';
test.each<[string, Step, string, string, boolean, number?, Partial<Submission>?]>([
  ['waits', async () => {}, 'en espera de revisión', WAITS, false],
  ['is listed', approved, 'Está en la agenda.', 'correct cancel postpone', true],
  ['is asked about', sentBack('ask'), 'Necesitamos un cambio', WAITS, false],
  ['is rejected', sentBack('reject'), 'No se va a publicar', 'correct', false],
  ['is taken back', (one) => withdrawSubmission(inbox, one), 'Lo retiraste', 'correct', false],
  ['is to be cancelled', asked('cancel'), 'aviso de cancelación', OFF, true],
  ['is to be postponed', asked('postpone'), 'aviso de que se pospone', OFF, true],
  ['is cancelled', marked('cancel'), 'marcado como cancelado', 'correct', true],
  ['is postponed', marked('postpone'), 'marcado como pospuesto', 'correct cancel', true],
  ['is over', approved, 'Ya pasó.', 'correct', true, LATER_MS],
  ['goes on', approved, 'Pasaron las fechas', 'correct', true, LATER_MS, { open_end: true }],
  ['is removed', marked('withdraw'), 'Ya no está en la agenda.', 'correct', false],
])('one that %s says so and offers what makes sense', async (name, step, said, acts, ...others) => {
  const [is_in_agenda, now_ms = NOW_MS, more = {}] = others;
  const { reference } = await sendIn(inbox, more);
  await step(reference);
  const page = await visit(reference, undefined, now_ms);
  expect(page?.said).toContain(said);
  expect(page).toMatchObject({ acts, is_in_agenda, has_copy: name !== 'is removed' });
});

/** Without a release of what is in the inbox. */
async function lookNow(token: string | null, sends_mail = false) {
  const site = sends_mail ? { ...SITE, sends_mail } : SITE;
  const state = { snapshot: openInTest(), now_ms: NOW_MS, site };
  return handleSubmissionStatus(state, toVisit(inbox), token ?? '', 'es');
}

test('one that is approved is not in the agenda before a release has it', async () => {
  const { reference, token } = await sendIn(inbox);
  await approve(inbox, reference);
  expect(await lookNow(token)).toMatchObject({
    page: { publication_status: 'none', event_path: null },
  });
});

test('a letter is promised only where one will go', async () => {
  const { reference } = await sendIn(inbox, { contact_email: 'sin.correo@gmail.com' });
  await unsubscribe(inbox, [reference], unsubscribeKey(inbox, 'sin.correo@gmail.com'));
  for (const [contact_email, sends_mail, is_notified] of [
    ['va@ejemplo.example', true, true],
    ['otra@ejemplo.example', false, false],
    [null, true, false],
    ['sincorreo@gmail.com', true, false],
    ['uno,dos@ejemplo.example', true, false],
  ] as const) {
    const { token } = await sendIn(inbox, { title: `Para ${contact_email}`, contact_email });
    const page = { is_notified };
    expect(await lookNow(token, sends_mail), `${contact_email}`).toMatchObject({ page });
  }
});

const [FIRST, SECOND, THIRD] = ['2026-12-05', '2026-12-12', '2026-12-19'] as const;
const publishThree = () => publish(inbox, { dates: [SECOND, THIRD] });
const statusesOf = async (reference: string) =>
  (await readDatasetWith(inbox)).occurrences
    .filter(({ event }) => event === submittedEventId(reference))
    .map(({ status }) => status);
const callOff = (reference: string, dates: string, does = 'cancel') =>
  visit(reference, { does, message: 'Llueve ese día.', ...(dates && { dates }) });
const [ON, CANCELLED, POSTPONED] = ['scheduled', 'cancelled', 'postponed'] as const;

describe('days called off', () => {
  test('are exactly those that are ticked, once granted; they are on again once it is undone', async () => {
    const reference = await publishThree();
    expect(await callOff(reference, `${THIRD},${FIRST}`)).toBeNull();
    const waiting = { state: 'waiting', asks: 'cancel', dates: [FIRST, THIRD], revision: 2 };
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    expect(await statusesOf(reference)).toEqual([ON, ON, ON]);
    await grant(inbox, by(reference, 2), { es: 'Por lluvia.' });
    expect(await statusesOf(reference)).toEqual([CANCELLED, ON, CANCELLED]);
    await undoNewest(inbox, ANA);
    expect((await loadAppliedChanges(inbox)).overrides).toEqual([]);
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    expect(await statusesOf(reference)).toEqual([ON, ON, ON]);
  });
  test('are not offered again, those put off are', async () => {
    const reference = await publishThree();
    await callOff(reference, FIRST);
    await grant(inbox, by(reference, 2));
    await callOff(reference, SECOND, 'postpone');
    await grant(inbox, by(reference, 3));
    expect(await statusesOf(reference)).toEqual([CANCELLED, POSTPONED, ON]);
    expect((await visit(reference))?.days).toEqual([SECOND, THIRD]);
  });
  test('are asked for where there are several; one on which it does not take place is none', async () => {
    const reference = await publishThree();
    const message = 'Llueve ese día.';
    for (const [dates, notice] of [
      ['', 'Marca qué fechas'],
      [`${FIRST},2026-12-06`, 'ya no está en la agenda'],
    ] as const)
      expect(await callOff(reference, dates)).toMatchObject({
        ...{ status: 422, message, banner: expect.stringContaining(notice) },
        ...{ selected_dates: dates.split(',').filter(Boolean), days: [FIRST, SECOND, THIRD] },
      });
    expect((await getSubmission(inbox, reference))?.state).toBe('applied');
  });
  test.each([
    ['all are meant, beside some', [SECOND, THIRD], `all,${SECOND}`],
    ['there is one alone', [], ''],
  ])('are the whole event where %s', async (_, dates, ticked) => {
    const reference = await publish(inbox, { dates });
    expect(await callOff(reference, ticked)).toBeNull();
    expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel', dates: null });
    await grant(inbox, by(reference, 2));
    expect(await statusesOf(reference)).toEqual([FIRST, ...dates].map(() => CANCELLED));
  });
});
