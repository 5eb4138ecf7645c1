// The text of a flyer pasted above the form: what it fills in, what stays, and what a model may say (contract 14.42).
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createModelClient } from '../../src/server/work-queues.ts';
import { handleSubmit, type SubmitPage } from '../../src/site/forms/submit-form.ts';
import { inbox, readValue, useInbox } from '../fixtures/inbox.ts';
import { openState } from '../fixtures/site.ts';
import { toVisit } from '../fixtures/visit.ts';

const state = openState();
useInbox();
const FLYER = `NOCHE DE JAZZ
viernes 4 de diciembre, 8 pm
Malecón inventado
Cover $150
Informes: 998 123 4567`;

async function paste(fields: Readonly<Record<string, string>>, answer: unknown = null) {
  const sent = { lang: 'es', languages: 'es', step: 'flyer', ...fields };
  const visit = toVisit(inbox, { method: 'POST', fields: sent, askModel: async () => answer });
  const shown = await handleSubmit(state, visit, 'es');
  if (shown.kind !== 'page') throw new Error('no page');
  const { form, flyer }: SubmitPage = shown.page;
  return { ...form, flyer, sent: { ...form.values, flyer_read: JSON.stringify(flyer) } };
}

test('fills in what is not typed, says what is from the text and what was not understood, and stores nothing', async () => {
  const { values, from_text, flyer, sent } = await paste({ flyer: FLYER, title: 'Mi noche' });
  const said = { start_date: '2026-12-04', start_time: '20:00', price_min: '150' };
  expect(values).toMatchObject({ ...said, title: 'Mi noche', description: FLYER });
  expect(from_text).toEqual(expect.arrayContaining(['start_date', 'price_kind', 'description']));
  expect(from_text).not.toContain('title');
  expect(flyer?.unread).toEqual(['Informes: 998 123 4567']);
  // Another text takes the place of the first; what was typed since then stays.
  const again = { ...sent, start_time: '21:00', flyer: 'Feria del libro\n5 de diciembre' };
  const { values: then } = await paste(again);
  expect(then).toMatchObject({ title: 'Mi noche', start_date: '2026-12-05', start_time: '21:00' });
  expect(then.price_min).toBeUndefined();
  expect((await paste({ ...sent, step: 'rows' })).from_text).toContain('start_date');
  expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
});

test('asks at the control what contradicts itself, is past or too long', async () => {
  const { values, issues } = await paste({ flyer: 'Baile\nviernes 6 de diciembre\n5 pm' });
  expect([values.start_date, values.start_time]).toEqual([undefined, '17:00']);
  expect(issues.get('start_date')).toContain('«viernes 6 de diciembre»');
  expect((await paste({ flyer: 'sol '.repeat(1100) })).issues.get('description')).toContain('4000');
  expect((await paste({ flyer: ' ' })).issues.get('flyer')).toBe('Pega primero el texto.');
});

test('a model is read as the form is: unknown and wrong fields go, contradictions are asked all the same', async () => {
  const wrong = { start_date: '2025-01-01', category: 'nada', contact_email: 'a@b.mx' };
  const right = { title: 'Jazz', price_kind: 'free', family: true };
  const model = { fields: { ...wrong, ...right, is_admin: true } };
  const { values, flyer } = await paste({ flyer: FLYER }, model);
  const usual = { lang: 'es', languages: 'es' };
  expect(values).toEqual({ ...usual, ...right, family: '1' });
  expect(flyer?.unread).toEqual([]);
  const sunday = { fields: { start_date: '2026-12-06' } };
  const odd = await paste({ flyer: 'viernes 6 de diciembre' }, sunday);
  expect([odd.values.start_date, odd.issues.has('start_date')]).toEqual([undefined, true]);
  for (const nothing of ['no', { fields: 'x' }, { fields: {} }, null])
    expect((await paste({ flyer: FLYER }, nothing)).values.title).toBe('Noche de jazz');
});

test('a model that fails, is late or says too much is none', async () => {
  const says = ['{"fields":{}}', '{"a":', `"${'a'.repeat(70_000)}"`];
  const server = createServer((_, response) => response.end(says.shift())).listen(0, '127.0.0.1');
  afterAll(() => void server.close());
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const ask = createModelClient(`http://127.0.0.1:${port}/draft`);
  expect(await ask('a', {})).toEqual({ fields: {} });
  expect([await ask('a', {}), await ask('a', {})]).toEqual([null, null]);
  expect(await createModelClient(null)('a', {})).toBeNull();
});
