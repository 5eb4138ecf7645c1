// enviar_evento tool: tests receipts, repeated submissions, repetitions, and issues of invalid fields.
import { expect, test } from 'vitest';
import { inbox, queryRows, queryValue } from '../../fixtures/inbox.ts';
import { call } from '../ask.ts';
import { createCheck, expectPromised, getListed } from '../listed.ts';
import { context, EVENT, propose, snapshot, useSender } from '../sender.ts';

useSender();
const countChanges = () => queryValue(inbox, 'select count(*) from changes');

test('returns a receipt with reference, state and secret URL, in the language of the text', async () => {
  const result = await propose({ lang: 'en', price_note: 'Bring a chair' });
  expectPromised(snapshot, 'enviar_evento', result);
  const { data, meta } = result.structuredContent;
  expect(data).toEqual({
    reference: expect.stringMatching(/^HC-[2-9A-HJ-NP-TV-Z]{6}$/),
    state: 'pending_review',
    status_url: expect.stringMatching(/^https:\/\/hoy\.example\/en\/submit\/status\/[\w-]{32}$/),
  });
  expect(meta.lang).toBe('en');
  for (const words of [data.reference, 'pending review', data.status_url])
    expect(result.content[0].text).toContain(words);
  expect(await queryRows(inbox, 'select state, door from changes')).toEqual([
    { state: 'waiting', door: 'agent' },
  ]);
  expect((await call('buscar_eventos', { q: 'jazz' }, context)).structuredContent.data).toEqual([]);
});

test.each([
  [{ title: '  Noche \u200bde   jazz ', free: 'true', dates: '' }],
  [{ venue: 'Malecón inventado' }],
  [{ venue: 'https://hoy.example/lugares/malecon-inventado' }],
])('an equal submission is stored once, though written as %o', async (more) => {
  const first = await propose();
  const again = await propose(more);
  expect(again.structuredContent).toEqual(first.structuredContent);
  expect(again.content[0].text).toContain('Ya lo teníamos');
  expect(await countChanges()).toBe(1);
});

test('asks about holidays inside a repetition, which rest meanwhile', async () => {
  const result = await propose({ repeat: 'weekly', weekdays: 'fr,sa', repeat_until: '2027-01-02' });
  expectPromised(snapshot, 'enviar_evento', result);
  const { data } = result.structuredContent;
  expect(data.resting_days).toEqual(['2026-12-25', '2027-01-01']);
  expect(result.content[0].text).toContain(
    'el viernes 25 de diciembre y el viernes 1 de enero; ¿se hace?',
  );
  const text = await queryValue(inbox, 'select text from changes');
  expect(JSON.parse(String(text)).dates).not.toContain('2026-12-25');
});

test('asks about words of a free event by which visitors pay', async () => {
  const asked = await propose({ lang: 'en', description: 'Live jazz outdoors. Boletos $250.' });
  expectPromised(snapshot, 'enviar_evento', asked);
  expect(asked.structuredContent.data.cost_words).toMatch(/Boletos \$250/i);
  expect(asked.content[0].text).toContain('it was sent as free, but the text says “Boletos $250');
  const plain = await propose({ title: 'Otra noche' });
  expect(plain.structuredContent.data).not.toHaveProperty('cost_words');
});

test('closed submissions return an error', async () => {
  expect((await propose({}, { desk: null })).content[0].text).toMatch(/^server: .*más tarde$/);
});

test.each([
  [
    { repeat: 'weekly', repeat_until: '2027-01-02', exceptions: '2026-12-26', dates: '2026-12-08' },
    { dates: ['2026-12-08', '2026-12-12', '2026-12-19', '2027-01-02'] },
  ],
  [{ repeat: 'weekly', weekdays: 'su,sa', open_end: true }, { open_end: true }],
])('a repetition is stored as by the form: %o', async (repetition, expected) => {
  await propose(repetition);
  const text = await queryValue(inbox, 'select text from changes');
  expect(JSON.parse(String(text))).toMatchObject(expected);
});

test.each([
  [
    { title: null, description: '', category: null, start: null, venue: null },
    /^title: falta; description: falta; category: falta; start: falta; venue: falta el lugar/,
  ],
  [{ titulo: 'x' }, /^titulo: unknown parameter\. Use lang, title, description/],
  [
    { lang: 'en', category: 'x', venue: 'y', end: '2026-12-05T19:00' },
    /^end: ends before it starts; venue: is not a venue we list.*; category: is unknown\. Use one of: live-music, /,
  ],
  [{ repeats: 'Los sábados' }, /^repeats: a repetition in words has no dates\. Use repeat \(daily/],
  [{ repeat: 'daily', repeat_until: '2027-12-31' }, /^repeat_until: son demasiad.*60/],
  [{ repeat: 'weekly', open_end: true, weekdays: 'sab' }, /^weekdays: .*Usa mo, tu, we/],
])('%o is rejected with issues by field, in the language of the text', async (more, message) => {
  const result = await propose(more);
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(message)]);
  expect(await countChanges()).toBe(0);
});

test('the schema requires the mandatory fields and rejects unknown ones', () => {
  const { inputSchema, annotations } = getListed(snapshot, 'enviar_evento');
  const check = createCheck(inputSchema);
  const { title: _, ...untitled } = EVENT;
  const unknown_hour = { ...EVENT, start: '2026-12-05', hour: 'unknown' };
  const repeated = { ...EVENT, repeat: 'weekly', weekdays: 'su,sa', open_end: true };
  expect([EVENT, unknown_hour, repeated].map(check)).toEqual([true, true, true]);
  expect([untitled, { ...EVENT, publish: true }].map(check)).toEqual([false, false]);
  expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});
