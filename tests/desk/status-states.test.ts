// The status page in every state that a submission comes to: what it says, what it offers, whether the way
// into the agenda and a copy are there (contract 14.3).
import { ANA, inbox, sendIn, useInbox } from '../fixtures/inbox.ts';
import { expect, test } from 'vitest';
import { stopMail, toStopKey } from '../../src/inbox/letters.ts';
import { requestChange, takeBack } from '../../src/desk/propose.ts';
import type { Inbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { listSenderActs } from '../../src/domain/change.ts';
import { toStatusWords } from '../../src/i18n/form-words.ts';
import { handleStatus } from '../../src/site/forms/status.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { approve, readDatasetWith } from '../fixtures/approved.ts';
import { at, FRIDAY_NOON_MS as NOW_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';
import { toVisit } from '../fixtures/visit.ts';
import { changeStatus, withdrawEvent, refuse } from '../fixtures/changes.ts';

useInbox();

const WHILE_WAITING = 'correct withdraw';
type Step = (inbox: Inbox, reference: string) => Promise<void>;
const asked =
  (asks: 'cancel' | 'postpone'): Step =>
  async (inbox, reference) => {
    await approve(inbox, reference);
    await requestChange(inbox, {
      reference,
      now_ms: NOW_MS,
      asks,
      message: 'Llueve.',
      dates: null,
    });
  };
const marked =
  (action: 'cancel' | 'postpone'): Step =>
  async (inbox, reference) => {
    await approve(inbox, reference);
    await changeStatus(inbox, ANA, toSubmittedEventId(reference), action, 'Llueve.', {
      es: '',
      en: '',
    });
  };
const refused =
  (action: 'ask' | 'reject'): Step =>
  (inbox, reference) =>
    refuse(inbox, { ...ANA, reference, revision: 1 }, action, 'Falta la hora.');
const removed: Step = async (inbox, reference) => {
  await approve(inbox, reference);
  await withdrawEvent(inbox, ANA, toSubmittedEventId(reference), 'Orden judicial');
};

/** The status page of a submission after a step and a release, at a moment. */
async function look(step: Step, now_ms = NOW_MS, changed: Partial<Submission> = {}) {
  const { reference, token } = await sendIn(inbox, changed);
  await step(inbox, reference);
  const { snapshot, close } = openFixture(await readDatasetWith(inbox));
  const answer = await handleStatus(
    { snapshot, now_ms, site: SITE },
    toVisit(inbox),
    token ?? '',
    'es',
  );
  close();
  if (answer?.kind !== 'page' || !('stored' in answer.page)) throw new Error('no status page');
  const { stored, shown, event_path, copy_path } = answer.page;
  return {
    said: toStatusWords(stored, shown, 'es').stage,
    acts: listSenderActs(stored, shown).join(' '),
    is_in_agenda: event_path !== null,
    has_copy: copy_path !== null,
  };
}

test.each<[string, Step, string, string, boolean]>([
  ['waits', async () => {}, 'en espera de revisión', WHILE_WAITING, false],
  ['is listed', approve, 'Está en la agenda.', 'correct cancel postpone', true],
  ['is asked about', refused('ask'), 'Necesitamos un cambio', WHILE_WAITING, false],
  ['is rejected', refused('reject'), 'No se va a publicar', 'correct', false],
  ['is taken back', takeBack, 'Lo retiraste', 'correct', false],
  [
    'is to be cancelled',
    asked('cancel'),
    'aviso de cancelación',
    `${WHILE_WAITING} cancel postpone`,
    true,
  ],
  [
    'is to be postponed',
    asked('postpone'),
    'aviso de que se pospone',
    `${WHILE_WAITING} cancel postpone`,
    true,
  ],
  ['is cancelled', marked('cancel'), 'marcado como cancelado', 'correct', true],
  ['is postponed', marked('postpone'), 'marcado como pospuesto', 'correct cancel', true],
])('one that %s says so and offers what makes sense', async (_, step, said, acts, is_in_agenda) => {
  const looks = await look(step);
  expect(looks.said).toContain(said);
  expect(looks).toMatchObject({ acts, is_in_agenda, has_copy: true });
});

test('one that is over is still in the agenda and cannot be called off', async () => {
  const looks = await look(approve, at('2026-12-20T12:00:00'));
  expect(looks).toMatchObject({ said: 'Ya pasó.', acts: 'correct', is_in_agenda: true });
  const open = await look(approve, at('2026-12-20T12:00:00'), {
    open_end: true,
    title: 'Otra noche',
  });
  expect(open).toMatchObject({ said: 'Pasaron las fechas que nos mandaste.', acts: 'correct' });
});

test('one that the desk removed leads nowhere and is copied into no calendar', async () => {
  const looks = await look(removed);
  expect(looks.said).toBe('Ya no está en la agenda.');
  expect(looks).toMatchObject({ acts: 'correct', is_in_agenda: false, has_copy: false });
});

test('one that is approved says that it comes, before a release has it', async () => {
  const { reference, token } = await sendIn(inbox);
  const { snapshot, close } = openFixture();
  await approve(inbox, reference);
  const state = { snapshot, now_ms: NOW_MS, site: SITE };
  const answer = await handleStatus(state, toVisit(inbox), token ?? '', 'en');
  close();
  const stored = await getSubmission(inbox, reference);
  expect(answer).toMatchObject({ page: { shown: 'none', event_path: null } });
  expect(stored && toStatusWords(stored, 'none', 'en')).toEqual({
    stage: 'It’s approved.',
    next: expect.stringContaining('next update'),
  });
});

test('a letter is promised only where one will go', async () => {
  const { snapshot, close } = openFixture();
  const isPromised = async (
    contact_email: string | null,
    sends_mail: boolean,
  ): Promise<boolean> => {
    const { token } = await sendIn(inbox, { title: `Para ${contact_email}`, contact_email });
    const state = { snapshot, now_ms: NOW_MS, site: sends_mail ? { ...SITE, sends_mail } : SITE };
    const answer = await handleStatus(state, toVisit(inbox), token ?? '', 'es');
    if (answer?.kind !== 'page' || !('stored' in answer.page)) throw new Error('no status page');
    return answer.page.is_mailed;
  };
  const { reference } = await sendIn(inbox, { contact_email: 'sin.correo@gmail.com' });
  await stopMail(inbox, [reference], toStopKey(inbox, 'sin.correo@gmail.com'));
  expect([
    await isPromised('va@ejemplo.example', true),
    await isPromised('otra@ejemplo.example', false),
  ]).toEqual([true, false]);
  for (const contact_email of [null, 'sincorreo@gmail.com', 'uno,dos@ejemplo.example'])
    expect(await isPromised(contact_email, true)).toBe(false);
  close();
});
