// Some days called off by their sender: ticked on the status page, granted by the desk, and no other day is
// touched (contract 14.3).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grant } from '../../src/desk/review.ts';
import { toStatusWords } from '../../src/i18n/submission-status.ts';
import { listOverrides } from '../../src/inbox/applied.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { handleStatus, type StatusResult } from '../../src/site/forms/status.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS, openFixture } from '../fixtures/fixture.ts';
import { openFixtureInbox, undoNewest } from '../fixtures/inbox.ts';
import { SITE } from '../fixtures/site.ts';
import { toVisit } from '../fixtures/visit.ts';
import { readToken } from '../../src/desk/secret.ts';

const [FIRST, SECOND, THIRD] = ['2026-12-05', '2026-12-12', '2026-12-19'] as const;
const ANA = { editor: 'ana', now_ms: NOW_MS };
let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const publishThree = () => publish(opened.inbox, { dates: [SECOND, THIRD] });
const statusesOf = (reference: string) =>
  readDatasetWith(opened.inbox)
    .occurrences.filter(({ event }) => event === toSubmittedEventId(reference))
    .map(({ start, status }) => [start.slice(0, 10), status]);

/** Sends the form of the status page of what is published, or looks at it. */
function visit(reference: string, fields: Readonly<Record<string, string>> = {}): StatusResult {
  const { inbox } = opened;
  const { snapshot, close } = openFixture(readDatasetWith(inbox));
  const method = Object.keys(fields).length > 0 ? 'POST' : 'GET';
  const token = readToken(inbox, reference) ?? '';
  const state = { snapshot, now_ms: NOW_MS, site: SITE };
  const result = handleStatus(state, toVisit(inbox, { method, fields }), token, 'es');
  close();
  if (result === null) throw new Error('there is no such page');
  return result;
}
function pageOf(result: StatusResult) {
  if (result.kind !== 'page' || !('status' in result.page)) throw new Error('no status page');
  return { ...result.page.status, status: result.status };
}
const ask = (reference: string, dates: string, does = 'cancel') =>
  visit(reference, { does, message: 'Llueve ese día.', ...(dates && { dates }) });
const stageOf = (reference: string): string => {
  const stored = getSubmission(opened.inbox, reference);
  return stored ? toStatusWords(stored, 'published', 'es').stage : '';
};

test('exactly those that are ticked are called off once granted, and are on again once it is undone', () => {
  const reference = publishThree();
  expect(ask(reference, `${THIRD},${FIRST}`).kind).toBe('redirect');
  expect(stageOf(reference)).toContain('Pediste cancelar sáb 5 dic y sáb 19 dic.');
  expect(getSubmission(opened.inbox, reference)).toMatchObject({
    ...{ state: 'pending', asks: 'cancel', dates: [FIRST, THIRD], revision: 2 },
  });
  expect(statusesOf(reference).map(([, status]) => status)).not.toContain('cancelled');

  grant(opened.inbox, { ...ANA, reference, revision: 2 }, { es: 'Por lluvia.' });
  expect(statusesOf(reference)).toEqual([
    [FIRST, 'cancelled'],
    [SECOND, 'scheduled'],
    [THIRD, 'cancelled'],
  ]);
  expect(pageOf(visit(reference))).toMatchObject({ shown: 'published', days: [] });

  undoNewest(opened.inbox, ANA);
  expect(listOverrides(opened.inbox)).toEqual([]);
  expect(statusesOf(reference).map(([, status]) => status)).toEqual(Array(3).fill('scheduled'));
});

test('what was called off is not offered again, what was put off is', () => {
  const reference = publishThree();
  ask(reference, FIRST);
  grant(opened.inbox, { ...ANA, reference, revision: 2 });
  expect(pageOf(visit(reference)).days).toEqual([SECOND, THIRD]);
  ask(reference, SECOND, 'postpone');
  grant(opened.inbox, { ...ANA, reference, revision: 3 });
  expect(statusesOf(reference)).toEqual([
    [FIRST, 'cancelled'],
    [SECOND, 'postponed'],
    [THIRD, 'scheduled'],
  ]);
  expect(pageOf(visit(reference)).days).toEqual([SECOND, THIRD]);
});

describe('the page', () => {
  test('asks which where there are several, and keeps what was typed', () => {
    const reference = publishThree();
    expect(pageOf(visit(reference)).days).toEqual([FIRST, SECOND, THIRD]);
    const page = pageOf(ask(reference, ''));
    expect(page).toMatchObject({ status: 422, message: 'Llueve ese día.' });
    expect(page.notice).toContain('Marca qué fechas');
    expect(getSubmission(opened.inbox, reference)?.state).toBe('approved');
  });
  test('takes no day on which it does not take place', () => {
    const reference = publishThree();
    const page = pageOf(ask(reference, `${FIRST},2026-12-06`));
    expect([page.status, page.ticked]).toEqual([422, [FIRST, '2026-12-06']]);
    expect(page.notice).toContain('ya no está en la agenda');
  });
  test.each([
    ['all are meant', [SECOND, THIRD], 'all'],
    ['all are meant beside some', [SECOND, THIRD], `all,${SECOND}`],
    ['there is one alone', [], ''],
  ])('is about the whole event where %s', (_, dates, ticked) => {
    const reference = publish(opened.inbox, { dates });
    expect(ask(reference, ticked).kind).toBe('redirect');
    expect(getSubmission(opened.inbox, reference)).toMatchObject({ asks: 'cancel', dates: null });
    expect(stageOf(reference)).toBe('Tu aviso de cancelación está en espera de revisión.');
    grant(opened.inbox, { ...ANA, reference, revision: 2 });
    const off = [FIRST, ...dates].map((date) => [date, 'cancelled']);
    expect(statusesOf(reference)).toEqual(off);
  });
});

test('the same again changes nothing, other days do', () => {
  const reference = publishThree();
  ask(reference, FIRST);
  ask(reference, FIRST);
  expect(getSubmission(opened.inbox, reference)?.revision).toBe(2);
  ask(reference, SECOND);
  expect(getSubmission(opened.inbox, reference)).toMatchObject({ revision: 3, dates: [SECOND] });
});

test('taken back, it is about no day any more', () => {
  const reference = publishThree();
  ask(reference, FIRST);
  visit(reference, { does: 'withdraw' });
  expect(getSubmission(opened.inbox, reference)).toMatchObject({ state: 'approved', dates: null });
});
