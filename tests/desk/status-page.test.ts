// Submission status page: every state, and cancelling single days (contract 14.3, 14.24).
import { describe, expect, test } from 'vitest';
import { requestStatusChange, withdrawSubmission } from '../../src/desk/submissions.ts';
import { listSenderActions } from '../../src/domain/change.ts';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { formatSubmissionStatus } from '../../src/i18n/format-forms.ts';
import { submissionToForm } from '../../src/domain/submission/form-values.ts';
import { createFormToken } from '../../src/inbox/secrets.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { getSubmission, getStatusToken } from '../../src/inbox/changes.ts';
import { unsubscribe, unsubscribeKey } from '../../src/inbox/outbox.ts';
import { handleSubmissionStatus } from '../../src/site/forms/submission-status.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { approve, publish, loadDatasetWithInbox } from '../fixtures/approved.ts';
import { changeStatus, acceptRequest, returnSubmission } from '../fixtures/changes.ts';
import { localMs, FRIDAY_NOON_MS as NOW_MS, openTestSnapshot } from '../fixtures/fixture.ts';
import {
  ANA,
  reviewByAna,
  inbox,
  submitTestEvent,
  undoNewestDecision,
  useInbox,
} from '../fixtures/inbox.ts';
import { SITE } from '../fixtures/site.ts';
import { createVisit } from '../fixtures/visit.ts';

useInbox();

type Fields = Readonly<Record<string, string>>;
/** Opens the page after a release, or submits a form to it; null for a redirect. */
async function visit(reference: string, fields?: Fields, now_ms = NOW_MS) {
  const state = {
    snapshot: openTestSnapshot(await loadDatasetWithInbox(inbox)),
    now_ms,
    site: SITE,
  };
  const token = (await getStatusToken(inbox, reference)) ?? '';
  const form = fields && ({ method: 'POST', fields } as const);
  const result = await handleSubmissionStatus(state, createVisit(inbox, form), token, 'es');
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
const requested =
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
    returnSubmission(inbox, reviewByAna(reference), verdict, 'Falta la hora.');
const approved: Step = (reference) => approve(inbox, reference);

const LATER_MS = localMs('2026-12-20T12:00:00');
const WAITS = 'correct withdraw';
const OFF = 'correct withdraw cancel postpone';
test.each<[string, Step, string, string, boolean, number?, Partial<Submission>?]>([
  ['is pending', async () => {}, 'en espera de revisión', WAITS, false],
  ['is listed', approved, 'Está en la agenda.', 'correct cancel postpone', true],
  ['needs changes', sentBack('ask'), 'Necesitamos un cambio', WAITS, false],
  ['is rejected', sentBack('reject'), 'No se va a publicar', 'correct', false],
  ['is withdrawn', (one) => withdrawSubmission(inbox, one), 'Lo retiraste', 'correct', false],
  ['has a cancellation request', requested('cancel'), 'aviso de cancelación', OFF, true],
  ['has a postponement request', requested('postpone'), 'aviso de que se pospone', OFF, true],
  ['is cancelled', marked('cancel'), 'marcado como cancelado', 'correct', true],
  ['is postponed', marked('postpone'), 'marcado como pospuesto', 'correct cancel', true],
  ['is over', approved, 'Ya pasó.', 'correct', true, LATER_MS],
  [
    'has an open end',
    approved,
    'Pasaron las fechas',
    'correct',
    true,
    LATER_MS,
    { open_end: true },
  ],
  ['is removed', marked('withdraw'), 'Ya no está en la agenda.', 'correct', false],
])(
  'a submission that %s shows its state and the possible actions',
  async (name, step, said, acts, ...others) => {
    const [is_in_agenda, now_ms = NOW_MS, more = {}] = others;
    const { reference } = await submitTestEvent(inbox, more);
    await step(reference);
    const page = await visit(reference, undefined, now_ms);
    expect(page?.said).toContain(said);
    expect(page).toMatchObject({ acts, is_in_agenda, has_copy: name !== 'is removed' });
  },
);

/** Opens the page without a release that contains the inbox. */
async function lookNow(token: string | null, sends_mail = false) {
  const site = sends_mail ? { ...SITE, sends_mail } : SITE;
  const state = { snapshot: openTestSnapshot(), now_ms: NOW_MS, site };
  return handleSubmissionStatus(state, createVisit(inbox), token ?? '', 'es');
}

test('an approved submission is not shown as listed before a release contains it', async () => {
  const { reference, token } = await submitTestEvent(inbox);
  await approve(inbox, reference);
  expect(await lookNow(token)).toMatchObject({
    page: { publication_status: 'none', event_path: null },
  });
});

test('promises an email only if one will be sent', async () => {
  const { reference } = await submitTestEvent(inbox, { contact_email: 'sin.correo@gmail.com' });
  await unsubscribe(inbox, [reference], unsubscribeKey(inbox, 'sin.correo@gmail.com'));
  for (const [contact_email, sends_mail, is_notified] of [
    ['va@ejemplo.example', true, true],
    ['otra@ejemplo.example', false, false],
    [null, true, false],
    ['sincorreo@gmail.com', true, false],
    ['uno,dos@ejemplo.example', true, false],
  ] as const) {
    const { token } = await submitTestEvent(inbox, {
      title: `Para ${contact_email}`,
      contact_email,
    });
    const page = { is_notified };
    expect(await lookNow(token, sends_mail), `${contact_email}`).toMatchObject({ page });
  }
});

const [FIRST, SECOND, THIRD] = ['2026-12-05', '2026-12-12', '2026-12-19'] as const;
const publishThree = () => publish(inbox, { dates: [SECOND, THIRD] });
const statusesOf = async (reference: string) =>
  (await loadDatasetWithInbox(inbox)).occurrences
    .filter(({ event }) => event === submittedEventId(reference))
    .map(({ status }) => status);
const callOff = (reference: string, dates: string, does = 'cancel') =>
  visit(reference, { does, message: 'Llueve ese día.', ...(dates && { dates }) });
const [ON, CANCELLED, POSTPONED] = ['scheduled', 'cancelled', 'postponed'] as const;

describe('cancelling days', () => {
  test('cancels exactly the selected days once granted, and restores them if undone', async () => {
    const reference = await publishThree();
    expect(await callOff(reference, `${THIRD},${FIRST}`)).toBeNull();
    const waiting = { state: 'waiting', asks: 'cancel', dates: [FIRST, THIRD], revision: 2 };
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    expect(await statusesOf(reference)).toEqual([ON, ON, ON]);
    await acceptRequest(inbox, reviewByAna(reference, 2), { es: 'Por lluvia.' });
    expect(await statusesOf(reference)).toEqual([CANCELLED, ON, CANCELLED]);
    await undoNewestDecision(inbox, ANA);
    expect((await loadAppliedChanges(inbox)).overrides).toEqual([]);
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    expect(await statusesOf(reference)).toEqual([ON, ON, ON]);
  });
  test('offers postponed days again, but not cancelled ones', async () => {
    const reference = await publishThree();
    await callOff(reference, FIRST);
    await acceptRequest(inbox, reviewByAna(reference, 2));
    await callOff(reference, SECOND, 'postpone');
    await acceptRequest(inbox, reviewByAna(reference, 3));
    expect(await statusesOf(reference)).toEqual([CANCELLED, POSTPONED, ON]);
    expect((await visit(reference))?.days).toEqual([SECOND, THIRD]);
  });
  test('requires a day if there are several, and rejects days without an occurrence', async () => {
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
    ['all is selected in addition to some', [SECOND, THIRD], `all,${SECOND}`],
    ['there is only one', [], ''],
  ])('cancels the whole event if %s', async (_, dates, ticked) => {
    const reference = await publish(inbox, { dates });
    expect(await callOff(reference, ticked)).toBeNull();
    expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel', dates: null });
    await acceptRequest(inbox, reviewByAna(reference, 2));
    expect(await statusesOf(reference)).toEqual([FIRST, ...dates].map(() => CANCELLED));
  });
});

test('names the holidays of a repetition that its sender has not named, until they pass or are dates', async () => {
  const resting = ['2026-12-25', '2027-01-01'];
  const { reference } = await submitTestEvent(inbox, { dates: ['2027-01-08'], resting });
  expect((await visit(reference))?.resting_days).toEqual(resting);
  const after_christmas_ms = localMs('2026-12-26T12:00:00');
  expect((await visit(reference, undefined, after_christmas_ms))?.resting_days).toEqual([
    '2027-01-01',
  ]);
  const stored = await getSubmission(inbox, reference);
  const form = submissionToForm(stored?.text ?? expect.unreachable());
  const amend = (dates: string, exceptions = '') =>
    visit(reference, {
      ...form,
      ...{ dates, exceptions, asked: 'holidays.2026-12-25.2027-01-01,holidays.2027-01-01' },
      step: 'send',
      stamp: createFormToken(inbox, NOW_MS - 60_000),
    });
  await amend('2027-01-08');
  expect((await visit(reference))?.resting_days).toEqual(resting);
  await amend('2026-12-25, 2027-01-08');
  expect((await visit(reference))?.resting_days).toEqual(['2027-01-01']);
  expect((await visit(reference))?.rests_text).toBeNull();
  await amend('2026-12-25, 2027-01-08', '2027-01-01');
  expect(await visit(reference)).toMatchObject({
    resting_days: [],
    rests_text: 'No hay función el viernes 1 de enero.',
  });
});
