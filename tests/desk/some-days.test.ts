// Some days called off by their sender: ticked on the status page, granted by the desk, and no other day is
// touched (contract 14.3).
import { ANA, inbox, undoNewest, useInbox } from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import { readApplied } from '../../src/inbox/applied.ts';
import { getSubmission, readToken } from '../../src/inbox/changes.ts';
import { toStatusWords } from '../../src/i18n/form-words.ts';
import { handleStatus, type StatusResult } from '../../src/site/forms/status.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';
import { toVisit } from '../fixtures/visit.ts';
import { grant } from '../fixtures/changes.ts';

const [FIRST, SECOND, THIRD] = ['2026-12-05', '2026-12-12', '2026-12-19'] as const;
useInbox();

const publishThree = () => publish(inbox, { dates: [SECOND, THIRD] });
const statusesOf = async (reference: string) =>
  (await readDatasetWith(inbox)).occurrences
    .filter(({ event }) => event === toSubmittedEventId(reference))
    .map(({ start, status }) => [start.slice(0, 10), status]);

/** Sends the form of the status page of what is published, or looks at it. */
async function visit(
  reference: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<StatusResult> {
  const { snapshot, close } = openFixture(await readDatasetWith(inbox));
  const method = Object.keys(fields).length > 0 ? 'POST' : 'GET';
  const token = (await readToken(inbox, reference)) ?? '';
  const state = { snapshot, now_ms: NOW_MS, site: SITE };
  const result = await handleStatus(state, toVisit(inbox, { method, fields }), token, 'es');
  close();
  if (result === null) throw new Error('there is no such page');
  return result;
}
function pageOf(result: StatusResult) {
  if (result.kind !== 'page' || !('stored' in result.page)) throw new Error('no status page');
  return { ...result.page, status: result.status };
}
const ask = (reference: string, dates: string, does = 'cancel') =>
  visit(reference, { does, message: 'Llueve ese día.', ...(dates && { dates }) });
const stageOf = async (reference: string): Promise<string> => {
  const stored = await getSubmission(inbox, reference);
  return stored ? toStatusWords(stored, 'published', 'es').stage : '';
};

test('exactly those that are ticked are called off once granted, and are on again once it is undone', async () => {
  const reference = await publishThree();
  expect((await ask(reference, `${THIRD},${FIRST}`)).kind).toBe('redirect');
  expect(await stageOf(reference)).toContain('Pediste cancelar sáb 5 dic y sáb 19 dic.');
  expect(await getSubmission(inbox, reference)).toMatchObject({
    ...{ state: 'waiting', asks: 'cancel', dates: [FIRST, THIRD], revision: 2 },
  });
  expect((await statusesOf(reference)).map(([, status]) => status)).not.toContain('cancelled');

  await grant(inbox, { ...ANA, reference, revision: 2 }, { es: 'Por lluvia.' });
  expect(await statusesOf(reference)).toEqual([
    [FIRST, 'cancelled'],
    [SECOND, 'scheduled'],
    [THIRD, 'cancelled'],
  ]);
  expect(pageOf(await visit(reference))).toMatchObject({ shown: 'published', days: [] });

  await undoNewest(inbox, ANA);
  expect((await readApplied(inbox)).overrides).toEqual([]);
  expect((await statusesOf(reference)).map(([, status]) => status)).toEqual(
    Array(3).fill('scheduled'),
  );
});

test('what was called off is not offered again, what was put off is', async () => {
  const reference = await publishThree();
  await ask(reference, FIRST);
  await grant(inbox, { ...ANA, reference, revision: 2 });
  expect(pageOf(await visit(reference)).days).toEqual([SECOND, THIRD]);
  await ask(reference, SECOND, 'postpone');
  await grant(inbox, { ...ANA, reference, revision: 3 });
  expect(await statusesOf(reference)).toEqual([
    [FIRST, 'cancelled'],
    [SECOND, 'postponed'],
    [THIRD, 'scheduled'],
  ]);
  expect(pageOf(await visit(reference)).days).toEqual([SECOND, THIRD]);
});

describe('the page', () => {
  test('asks which where there are several, and keeps what was typed', async () => {
    const reference = await publishThree();
    expect(pageOf(await visit(reference)).days).toEqual([FIRST, SECOND, THIRD]);
    const page = pageOf(await ask(reference, ''));
    expect(page).toMatchObject({ status: 422, message: 'Llueve ese día.' });
    expect(page.notice).toContain('Marca qué fechas');
    expect((await getSubmission(inbox, reference))?.state).toBe('applied');
  });
  test('takes no day on which it does not take place', async () => {
    const reference = await publishThree();
    const page = pageOf(await ask(reference, `${FIRST},2026-12-06`));
    expect([page.status, page.ticked]).toEqual([422, [FIRST, '2026-12-06']]);
    expect(page.notice).toContain('ya no está en la agenda');
  });
  test.each([
    ['all are meant', [SECOND, THIRD], 'all'],
    ['all are meant beside some', [SECOND, THIRD], `all,${SECOND}`],
    ['there is one alone', [], ''],
  ])('is about the whole event where %s', async (_, dates, ticked) => {
    const reference = await publish(inbox, { dates });
    expect((await ask(reference, ticked)).kind).toBe('redirect');
    expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel', dates: null });
    expect(await stageOf(reference)).toBe('Tu aviso de cancelación está en espera de revisión.');
    await grant(inbox, { ...ANA, reference, revision: 2 });
    const off = [FIRST, ...dates].map((date) => [date, 'cancelled']);
    expect(await statusesOf(reference)).toEqual(off);
  });
});

test('the same again changes nothing, other days do', async () => {
  const reference = await publishThree();
  await ask(reference, FIRST);
  await ask(reference, FIRST);
  expect((await getSubmission(inbox, reference))?.revision).toBe(2);
  await ask(reference, SECOND);
  expect(await getSubmission(inbox, reference)).toMatchObject({ revision: 3, dates: [SECOND] });
});

test('taken back, it is about no day any more', async () => {
  const reference = await publishThree();
  await ask(reference, FIRST);
  await visit(reference, { does: 'withdraw' });
  expect(await stageOf(reference)).toContain('Está en la agenda.');
});
