// The queue as it is served: urgency, what comes next, reasons in each sender's language, before and after
// (contract 14.21).
import { readRows, sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { expect, test } from 'vitest';
import { correct, requestChange } from '../../src/desk/propose.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { publish } from '../fixtures/approved.ts';
import { bring, send as sendBatch, toCalendar, toEvent } from '../fixtures/calendars.ts';
import { comeIn, serveDesk } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const desk = await serveDesk();
const { read, post } = await comeIn(desk);

const send = async (title: string, changed: Partial<typeof SUBMISSION> = {}): Promise<string> =>
  (await sendIn(desk.inbox, { title, ...changed })).reference;
const reasonOf = async (reference: string) => (await getSubmission(desk.inbox, reference))?.reason;
const inOrder = (html: string, ...words: readonly string[]): boolean =>
  words.every((word, at) => at === 0 || html.indexOf(words[at - 1] ?? '') < html.indexOf(word));

test('what is cancelled stands first, then what is soon, then the rest; what is doubtful is marked, behind', async () => {
  const reference = await publish(desk.inbox, { title: 'Se cancela' });
  const doubtful = await send('Dudosa');
  await send('Clara');
  await send('De mañana', { start: '2026-11-21T20:00', end: null, dates: [] });
  const asked = { asks: 'cancel', message: 'Sí', dates: null } as const;
  await requestChange(desk.inbox, { reference, now_ms: FRIDAY_NOON_MS, ...asked });
  await readRows(desk.inbox, 'update changes set is_doubtful = 1 where reference = ?', doubtful);
  const titles = ['Se cancela', 'De mañana', 'Clara', 'Dudosa'].map((title) => `${title}</a>`);
  expect(inOrder(await read('/revision'), ...titles)).toBe(true);
  expect(await read('/revision?group=soon')).not.toContain('Clara');
  const MARK = 'dudoso: llegó cuando';
  expect(await read('/revision?q=clara')).not.toContain(MARK);
  expect(await read(`/revision?q=${doubtful}`)).toContain(MARK);
});

test('who works through it opens the next one, or skips it, and has the way back from a decision', async () => {
  const [one, two] = [await send('Cosa una'), await send('Cosa dos')];
  const place = 'q=cosa';
  const toPath = (reference: string) => `/revision/envios/${reference}?${place}`;
  expect(await read(toPath(one))).toMatch(new RegExp(`href="/revision/envios/${two}\\?${place}"`));
  const answer = await post(`/revision/envios/${one}`, {
    ...{ from: place, revision: '1', does: 'reject:spam' },
  });
  const location = answer.headers.get('location') ?? '';
  expect(location).toBe(`${toPath(two)}&done=reject&of=${one}`);
  const next = await read(location);
  for (const words of ['Deshacer', 'queda 1', 'Volver a la lista']) expect(next).toContain(words);
  expect(next).not.toContain('Saltar al siguiente');
});

test('Enter in a line of a calendar decides nothing; the screen after a decision has the way back', async () => {
  const town = openFixture();
  const here = { inbox: desk.inbox, snapshot: town.snapshot };
  const reference = await sendBatch(
    here,
    await bring(here, toCalendar(toEvent('Uno', 1), toEvent('Dos', 2))),
  );
  town.close();
  const path = `/revision/envios/${reference}`;
  const [first = '', second = ''] = [
    ...(await read(path)).matchAll(/name="pick" value="(HC-\w+)"/g),
  ].map(([, pick]) => pick);
  const row = { [`category_${first}`]: 'live-music', [`other_title_${first}`]: 'Typed by Ana' };
  const typed = { pick: `${first},${second}`, ...row };
  const looked = await post(path, { ...typed, does: 'look' });
  expect([looked.status, (await looked.text()).includes('Typed by Ana')]).toEqual([200, true]);
  expect((await getSubmission(desk.inbox, first))?.state).toBe('waiting');
  const fields = { pick: first, [`revision_${first}`]: '1', does: 'reject:spam' };
  const { headers } = await post(path, fields);
  expect(await read(headers.get('location') ?? '')).toMatch(
    /Rechazado[\s\S]*Deshacer[\s\S]*1 espera/,
  );
});

test('one is sent back by a button, in the language it was written in', async () => {
  const [asked, rejected] = [await send('Where is it', { lang: 'en' }), await send('Privada')];
  await post(`/revision/envios/${asked}`, { revision: '1', does: 'ask:place', reason: 'Thanks!' });
  await post(`/revision/envios/${rejected}`, { revision: '1', does: 'reject:private' });
  expect([(await getSubmission(desk.inbox, asked))?.state, await reasonOf(asked)]).toEqual([
    'asked',
    'We need to know where it is: add the address or how to get there. Thanks!',
  ]);
  expect(await reasonOf(rejected)).toContain('abierto al público');
});

test('a duplicate is rejected with the page of what is there already', async () => {
  const [one, two, wrong] = [
    await send('Doble uno'),
    await send('Doble dos'),
    await send('Doble tres'),
  ];
  const event = await desk.findEventId();
  await post(`/revision/envios/${one}`, { revision: '1', does: 'duplicate', duplicate_of: event });
  expect(await reasonOf(one)).toMatch(
    /^Ya está en la agenda: .+, http:\/\/127\.0\.0\.1:4399\/eventos\//,
  );
  await post(`/revision/envios/${two}`, { revision: '1', does: `duplicate:${wrong}` });
  expect(await reasonOf(two)).toBe('Ya nos había llegado, así que no lo publicamos dos veces.');
  const refused = await post(`/revision/envios/${wrong}`, {
    revision: '1',
    does: 'duplicate',
    duplicate_of: 'nada-de-nada',
  });
  expect([refused.status, (await refused.text()).includes('value="nada-de-nada"')]).toEqual([
    422,
    true,
  ]);
});

test('a correction of what is published says each field before and after', async () => {
  const reference = await publish(desk.inbox, { title: 'Con hora' });
  const submission = {
    ...SUBMISSION,
    title: 'Con hora',
    start: '2026-12-05T21:30',
    zone: 'hotel-zone',
  };
  await correct(desk.inbox, { reference, now_ms: FRIDAY_NOON_MS + 60_000, submission });
  const html = await read(`/revision/envios/${reference}`);
  expect(html.replace(/<[^>]+>|\s+/g, ' ')).toMatch(/Antes +20:00 +Ahora +21:30/);
  expect(html.replace(/<[^>]+>|\s+/g, ' ')).toMatch(/Antes +Centro +Ahora/);
});
