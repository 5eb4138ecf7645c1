// Flyer text pasted into the submission form: fills in empty fields, and keeps typed ones; a model's answer is validated
// like the form (contract 14.42).
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createModelClient } from '../../src/server/work-queues.ts';
import { handleSubmit, type SubmitPage } from '../../src/site/forms/submit-form.ts';
import { inbox, queryValue, useInbox } from '../fixtures/inbox.ts';
import { openPageContext } from '../fixtures/site.ts';
import { createVisit } from '../fixtures/visit.ts';

const state = openPageContext();
useInbox();
const FLYER = `NOCHE DE JAZZ
viernes 4 de diciembre, 8 pm
Malecón inventado
Cover $150
Informes: 998 123 4567`;

async function pasteFlyer(fields: Readonly<Record<string, string>>, answer: unknown = null) {
  const posted = { lang: 'es', languages: 'es', step: 'flyer', ...fields };
  const visit = createVisit(inbox, {
    method: 'POST',
    fields: posted,
    askModel: async () => answer,
  });
  const outcome = await handleSubmit(state, visit, 'es');
  if (outcome.kind !== 'page') throw new Error('no page');
  const { form, flyer_state: flyer }: SubmitPage = outcome.page;
  return { ...form, flyer, sent: { ...form.values, flyer_read: JSON.stringify(flyer) } };
}

test('a flyer fills in empty fields, marks them, lists unread lines and stores nothing', async () => {
  const { values, flyer_controls, flyer, sent } = await pasteFlyer({
    flyer: FLYER,
    title: 'Mi noche',
  });
  const from_flyer = { start_date: '2026-12-04', start_time: '20:00', price_min: '150' };
  expect(values).toMatchObject({ ...from_flyer, title: 'Mi noche', description: FLYER });
  expect(flyer_controls).toEqual(
    expect.arrayContaining(['start_date', 'price_kind', 'description']),
  );
  expect(flyer_controls).not.toContain('title');
  expect(flyer?.unread).toEqual(['Informes: 998 123 4567']);
  // A second flyer replaces the fields of the first, but not fields typed since.
  const second_flyer = { ...sent, start_time: '21:00', flyer: 'Feria del libro\n5 de diciembre' };
  const { values: then } = await pasteFlyer(second_flyer);
  expect(then).toMatchObject({ title: 'Mi noche', start_date: '2026-12-05', start_time: '21:00' });
  expect(then.price_min).toBeUndefined();
  expect((await pasteFlyer({ ...sent, step: 'rows' })).flyer_controls).toContain('start_date');
  expect(await queryValue(inbox, 'select count(*) from changes')).toBe(0);
});

test('a flyer with a contradiction or too much text gets an issue at the control', async () => {
  const { values, issues } = await pasteFlyer({ flyer: 'Baile\nviernes 6 de diciembre\n5 pm' });
  expect([values.start_date, values.start_time]).toEqual([undefined, '17:00']);
  expect(issues.get('start_date')).toContain('«viernes 6 de diciembre»');
  expect((await pasteFlyer({ flyer: 'sol '.repeat(1100) })).issues.get('description')).toContain(
    '4000',
  );
  expect((await pasteFlyer({ flyer: ' ' })).issues.get('flyer')).toBe('Pega primero el texto.');
});

test('the answer of a model is validated like the form: invalid fields are dropped, contradictions stay issues', async () => {
  const invalid = { start_date: '2025-01-01', category: 'nada', contact_email: 'a@b.mx' };
  const valid = { title: 'Jazz', price_kind: 'free', family: true };
  const model = { fields: { ...invalid, ...valid, is_admin: true } };
  const { values, flyer } = await pasteFlyer({ flyer: FLYER }, model);
  const usual = { lang: 'es', languages: 'es' };
  expect(values).toEqual({ ...usual, ...valid, family: '1' });
  expect(flyer?.unread).toEqual([]);
  const sunday = { fields: { start_date: '2026-12-06' } };
  const odd = await pasteFlyer({ flyer: 'viernes 6 de diciembre' }, sunday);
  expect([odd.values.start_date, odd.issues.has('start_date')]).toEqual([undefined, true]);
  for (const nothing of ['no', { fields: 'x' }, { fields: {} }, null])
    expect((await pasteFlyer({ flyer: FLYER }, nothing)).values.title).toBe('Noche de jazz');
});

test('a model that fails, is slow or answers too much is ignored', async () => {
  const answers = ['{"fields":{}}', '{"a":', `"${'a'.repeat(70_000)}"`];
  const server = createServer((_, response) => response.end(answers.shift())).listen(
    0,
    '127.0.0.1',
  );
  afterAll(() => void server.close());
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const ask = createModelClient(`http://127.0.0.1:${port}/draft`);
  expect(await ask('a', {})).toEqual({ fields: {} });
  expect([await ask('a', {}), await ask('a', {})]).toEqual([null, null]);
  expect(await createModelClient(null)('a', {})).toBeNull();
});
