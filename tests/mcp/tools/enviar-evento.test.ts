// enviar_evento: taken in once, never published, with sentences for every field that is wrong.
import { readRows, readValue } from '../../fixtures/inbox.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { McpContext } from '../../../src/mcp/tool.ts';
import { type Inbox, openInbox } from '../../../src/inbox/open.ts';
import { openSenderDesk } from '../../../src/desk/propose.ts';
import { openFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { createCheck, expectPromised, getListed } from '../listed.ts';

const { snapshot, close } = openFixture();
const folder = mkdtempSync(join(tmpdir(), 'hoy-inbox-'));
afterAll(() => {
  close();
  rmSync(folder, { recursive: true });
});
let inbox: Inbox;
let context: McpContext;
let count = 0;
beforeEach(async () => {
  inbox = await openInbox(join(folder, `inbox-${count++}.db`));
  context = contextOf(snapshot, { desk: openSenderDesk(inbox, snapshot) });
});
afterEach(async () => {
  await inbox.close();
});

const EVENT = {
  title: 'Noche de jazz',
  description: 'Concierto al aire libre con cuatro grupos.',
  category: 'live-music',
  start: '2026-12-05T20:00',
  venue: 'malecon-inventado',
  free: true,
};
const send = (args: Record<string, unknown>, more = {}) =>
  call('enviar_evento', args, { ...context, ...more });

test('a receipt with reference, state and a secret address, in the language of the text', async () => {
  const result = await send({ ...EVENT, lang: 'en', price_note: 'Bring a chair' });
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
});

test('what was sent is in the inbox, waiting; it is not in the agenda', async () => {
  const { reference } = (await send(EVENT)).structuredContent.data;
  const kept = await readRows(inbox, 'select reference, state, door, text from changes');
  expect(kept).toEqual([
    {
      reference,
      state: 'waiting',
      door: 'agent',
      text: expect.stringContaining('"title":"Noche de jazz"'),
    },
  ]);
  expect((await call('buscar_eventos', { q: 'jazz' }, context)).structuredContent.data).toEqual([]);
});

test('the same submission again is the same, whatever the order and the white space', async () => {
  const first = await send(EVENT);
  const again = await send({
    ...Object.fromEntries(Object.entries(EVENT).reverse()),
    title: '  Noche \u200bde   jazz ',
    free: 'true',
    dates: '',
  });
  expect(again.structuredContent).toEqual(first.structuredContent);
  expect(again.content[0].text).toContain('Ya lo teníamos');
  expect(await readValue(inbox, 'select count(*) from changes')).toBe(1);
});

test.each([
  'Malecón inventado',
  'Inventado Boardwalk',
  'https://hoy.example/lugares/malecon-inventado',
])('%s names the venue as its slug does', async (venue) => {
  const known = (await send(EVENT)).structuredContent;
  expect((await send({ ...EVENT, venue })).structuredContent).toEqual(known);
});

test('once approved its text is public, and whoever repeats it is not told the secret address', async () => {
  const { reference } = (await send(EVENT)).structuredContent.data;
  await readRows(inbox, "update changes set state = 'applied'");
  const again = await send(EVENT);
  expectPromised(snapshot, 'enviar_evento', again);
  expect(again.structuredContent.data).toEqual({ reference, state: 'approved', status_url: null });
});

test('sixty an hour from one address; repeats are not counted; another address is another matter', async () => {
  for (let n = 1; n <= 60; n++)
    expect((await send({ ...EVENT, title: `Noche ${n}` })).isError).toBeUndefined();
  expect((await send({ ...EVENT, title: 'Noche 1' })).isError).toBeUndefined();
  const next = await send({ ...EVENT, title: 'Noche 61' });
  expect([next.isError, next.content[0].text]).toEqual([
    true,
    expect.stringMatching(/^rate: too many submissions have come from this address/),
  ]);
  expect(
    (await send({ ...EVENT, title: 'Noche 61' }, { sender: '192.0.2.2' })).isError,
  ).toBeUndefined();
  expect(
    (await send({ ...EVENT, title: 'Noche 7' }, { now_ms: context.now_ms + 3_600_001 })).isError,
  ).toBeUndefined();
});

test('where no inbox is, it says so', async () => {
  expect((await send(EVENT, { desk: null })).content[0].text).toBe(
    'server: por ahora no recibimos eventos. Inténtalo más tarde',
  );
});

describe('what is wrong is told by field, all of it, in the language of the text', () => {
  test.each([
    [{}, /^title: falta; description: falta; category: falta; start: falta; venue: falta el lugar/],
    [{ ...EVENT, titulo: 'x' }, /^titulo: is not a parameter\. Use lang, title, description/],
    [{ ...EVENT, start: '2026-11-19' }, 'start: ya pasó'],
    [
      { ...EVENT, lang: 'en', start: '2026-02-30T20:00', category: 'x' },
      /^start: is not a valid date and time/,
    ],
    [
      { ...EVENT, lang: 'en', category: 'x', venue: 'y', end: '2026-12-05T19:00' },
      /^end: ends before it starts; venue: is not a venue we list.*; category: is not known\. Use one of: live-music, /,
    ],
    [{ ...EVENT, price_min: 100 }, /^free: es gratis y tiene precio/],
    [
      { ...EVENT, description: 'http://a.example '.repeat(6) },
      'description: hay demasiados enlaces en todo el envío: máximo 5',
    ],
    [{ ...EVENT, ticket_url: 'javascript:alert(1)' }, /^ticket_url: no es una dirección/],
    [{ ...EVENT, contact_email: 'nobody' }, /^contact_email: no es un correo/],
    [
      { ...EVENT, hour: 'unknown' },
      /^hour: dice que la hora no se sabe, pero start o end trae una/,
    ],
    [
      { ...EVENT, lang: 'en', start: '2026-12-05', all_day: true, hour: 'unknown' },
      /^hour: says that the time is not known and also that it lasts all day\. Keep/,
    ],
  ])('%o', async (args, sentence) => {
    const result = await send(args);
    expect([result.isError, result.content[0].text]).toEqual([
      true,
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
    expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
  });
});

describe('a repetition', () => {
  const datesOf = async (): Promise<readonly string[]> =>
    JSON.parse(String(await readValue(inbox, 'select text from changes'))).dates;

  test('is what the form takes: how often, until when, which days not', async () => {
    const result = await send({
      ...EVENT,
      repeat: 'weekly',
      repeat_until: '2027-01-02',
      exceptions: '2026-12-26',
      dates: '2026-12-08',
    });
    expect(result.isError).toBeUndefined();
    expect(await datesOf()).toEqual(['2026-12-08', '2026-12-12', '2026-12-19', '2027-01-02']);
  });

  test('may be of several weekdays, of the last Saturday, and without a known end', async () => {
    const weekly = { ...EVENT, repeat: 'weekly', weekdays: 'su,sa', open_end: true };
    expect(createCheck(getListed(snapshot, 'enviar_evento').inputSchema)(weekly)).toBe(true);
    expect((await send(weekly)).isError).toBeUndefined();
    expect([(await datesOf()).length, (await datesOf())[0], (await datesOf()).at(-1)]).toEqual([
      24,
      '2026-12-06',
      '2027-02-27',
    ]);
    expect(await readValue(inbox, 'select text from changes')).toContain('"open_end":true');
    await readRows(inbox, 'delete from changes');
    const monthly = {
      start: '2026-12-26T20:00',
      repeat: 'monthly_last',
      repeat_until: '2027-02-28',
    };
    expect((await send({ ...EVENT, ...monthly, open_end: false })).isError).toBeUndefined();
    expect(await datesOf()).toEqual(['2027-01-30', '2027-02-27']);
    expect(await readValue(inbox, 'select text from changes')).not.toContain('open_end');
  });

  test.each([
    [
      { repeats: 'Todos los sábados' },
      /^repeats: words cannot be kept as dates\. Give repeat \(daily/,
    ],
    [{ repeat: 'sometimes' }, /^repeat: 'sometimes' is not accepted\. Use daily, weekly/],
    [{ repeat: 'weekly' }, /^repeat_until: falta$/],
    [{ repeat_until: '2027-01-02' }, /^repeat: falta$/],
    [{ repeat: 'daily', repeat_until: '2027-12-31' }, /^repeat_until: son demasiad.*60/],
    [{ repeat: 'daily', repeat_until: 'siempre' }, /^repeat_until: no son días/],
    [{ exceptions: 'Navidad' }, /^exceptions: no son días/],
    [{ repeat: 'weekly', open_end: true, weekdays: 'sab' }, /^weekdays: .*Usa mo, tu, we/],
    [{ repeat: 'weekly', open_end: true, weekdays: 'su' }, /^weekdays: deja fuera el primer día/],
    [{ repeat: 'daily', open_end: true, weekdays: 'sa' }, /^weekdays: .*weekly o biweekly$/],
    [{ repeat: 'monthly_last', open_end: true }, /^repeat: deja fuera el primer día/],
    [{ open_end: true }, /^repeat: falta$/],
    [
      { repeat: 'weekly', open_end: true, repeat_until: '2027-01-02' },
      /^open_end: .*Deja repeat_until u open_end, no los dos$/,
    ],
    [{ venue: undefined, venue_name: 'Online' }, /^registration_url: falta el enlace/],
  ])('%o is told what is wrong with it', async (args, sentence) => {
    const result = await send({ ...EVENT, ...args });
    expect([result.isError, result.content[0].text]).toEqual([
      true,
      expect.stringMatching(sentence),
    ]);
    expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
  });
});

test('its schema asks for what must be said and refuses the rest', () => {
  const { inputSchema, annotations } = getListed(snapshot, 'enviar_evento');
  const check = createCheck(inputSchema);
  expect(check(EVENT)).toBe(true);
  expect(check({ ...EVENT, start: '2026-12-05', hour: 'unknown' })).toBe(true);
  const { category, zone, free } = JSON.parse(JSON.stringify(inputSchema.properties));
  for (const { description } of [category, zone]) expect(description).toContain('buscar_eventos');
  expect(free.type).toBe('boolean');
  for (const args of [
    {},
    { ...EVENT, title: undefined },
    { ...EVENT, publish: true },
    { ...EVENT, repeats: 'weekly' },
    { ...EVENT, repeat: 'often' },
    { ...EVENT, hour: '20:00' },
  ])
    expect(check(JSON.parse(JSON.stringify(args)))).toBe(false);
  expect(annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
});
