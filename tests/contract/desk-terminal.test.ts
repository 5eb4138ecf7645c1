// What waits, listed and decided in a terminal.
import { expect, test } from 'vitest';
import { saveDraft, toDraft } from '../../src/desk/review.ts';
import { listOverrides } from '../../src/inbox/applied.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { isCompactDue } from '../../src/inbox/erase.ts';
import { toFormValues } from '../../src/domain/submission/form.ts';
import { bring, send, toCalendar, toEvent } from '../fixtures/calendars.ts';
import { serveDesk } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';

const desk = await serveDesk();

const run = async (...words: string[]): Promise<string> => {
  const { code, output } = await desk.review(...words);
  expect(code, output).toBe(0);
  return output;
};
const refuse = async (...words: string[]): Promise<string> => {
  const { code, output } = await desk.review(...words);
  expect([code, output.trim().split('\n').length], output).toEqual([1, 1]);
  return output;
};

test('what was sent is listed, shown, sent back, rejected and, once whole, approved', async () => {
  const { inbox } = desk;
  const one = (await sendIn(inbox, { title: 'Desde la terminal' })).reference;
  expect(await run('list')).toContain(one);
  expect(await run('show', one)).toContain('"title": "Desde la terminal"');
  expect(await refuse('approve', one)).toMatch(/summary: missing.*\/revision\/envios\/HC-/);
  const words = { other_title: 'From the terminal', summary: 'Una.', other_summary: 'One.' };
  const draft = { ...toDraft(toFormValues(SUBMISSION)), title: 'Desde la terminal', ...words };
  await saveDraft(
    inbox,
    { reference: one, revision: 1, editor: 'ana', now_ms: FRIDAY_NOON_MS },
    draft,
  );
  expect(await run('approve', one)).toContain('where none runs: npm run release');
  expect((await getSubmission(inbox, one))?.is_published).toBe(true);

  const two = (await sendIn(inbox, { title: 'Para rechazar' })).reference;
  expect(await refuse('reject', two, '--reason', ' ')).toContain('reason: say why');
  await run('reject', two, '--reason', 'No es un evento');
  await undoNewest(inbox, { editor: 'ana', now_ms: FRIDAY_NOON_MS });
  await run('ask', two, '--reason', '¿A qué hora?');
  expect((await getSubmission(inbox, two))?.state).toBe('changes_requested');
});

test('what is published is cancelled, whole or one day, restored and withdrawn', async () => {
  const { inbox } = desk;
  const event = await desk.findEventId();
  const record = async () =>
    (await listOverrides(inbox)).find((row) => row.event === event)?.record;
  expect(await refuse('cancel', event)).toContain('reason: say why');
  await run('cancel', event, '--reason', 'Llueve');
  expect(await record()).toEqual({ status: 'cancelled' });
  await run('restore', event);
  const { data } = await (await desk.server.get(`/api/v1/events/${event}`)).json();
  const date = data.next.start.slice(0, 10);
  await run('cancel', event, '--date', date, '--reason', 'Llueve ese día');
  expect(await listOverrides(inbox)).toContainEqual(expect.objectContaining({ event, date }));
  expect(await refuse('cancel', event, '--date', '2031-01-01', '--reason', 'x')).toContain('date:');
  expect(await refuse('cancel', 'nada', '--reason', 'x')).toContain("no published event 'nada'");
  await run('withdraw', event, '--reason', 'Orden de un juez');
  expect(await record()).toMatchObject({ status: 'withdrawn' });
});

test('a calendar is listed, and decided on the web', async () => {
  const town = openFixture();
  const here = { inbox: desk.inbox, snapshot: town.snapshot };
  const reference = await send(
    here,
    await bring(here, toCalendar(toEvent('Cine', 1), toEvent('Taller', 2))),
  );
  town.close();
  expect(await run('list')).toContain(reference);
  expect(await refuse('approve', reference)).toMatch(/calendars .* are at http.*\/revision/);
});

test('what is private is erased', async () => {
  const { reference } = await sendIn(desk.inbox, { title: 'Para olvidar' });
  expect(await run('erase', reference)).toContain('backups made before');
  expect(await isCompactDue(desk.inbox)).toBe(false);
  await run('compact');
  expect((await getSubmission(desk.inbox, reference))?.submission.contact_email).toBeNull();
  expect(await refuse('erase', 'HC-NADA99')).toContain('no such submission');
});
