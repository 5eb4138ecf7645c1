// What the desk decides is true on every surface within seconds (contract 14.9).
import { expect, test } from 'vitest';
import { signInAs, serveDesk } from '../fixtures/desk-server.ts';
import { fetchEventDetail } from '../fixtures/event-surfaces.ts';

/** For the slowest machine: it is no benchmark. */
const SOON_MS = 90_000;
const desk = await serveDesk();
const { server } = desk;
const { post } = await signInAs(desk);

type Tool = readonly [name: string, args: object];
interface Truth {
  /** Of what is read without headers; a tool is called. */
  readonly at: string | Tool;
  readonly status?: number;
  readonly says?: string;
  readonly lacks?: string;
}
/** Why it is not so; null where it is. */
async function findLie({ at, status = 200, says = '', lacks }: Truth): Promise<string | null> {
  const answer = await (typeof at === 'string' ? server.get(at) : server.callTool(...at));
  const text = (await answer.text()).replace(/\r\n /g, '').replaceAll('\\"', '"');
  const plain = text.replace(/&#39;|&#x27;/g, "'");
  const is_said = plain.includes(says) && (lacks === undefined || !plain.includes(lacks));
  return is_said && answer.status === status
    ? null
    : `${String(at)}: ${answer.status}, '${says}' but not '${lacks}': ${plain.slice(0, 500)}`;
}
const decided: Truth[] = [];
/** Decides, and waits until the first is true; with it the others are, and all that was decided before. */
async function decide(path: string, fields: Readonly<Record<string, string>>, ...truths: Truth[]) {
  expect((await post(path, { reason: 'Llamaron', ...fields })).status).toBe(303);
  const [first] = truths;
  if (first)
    await expect.poll(() => findLie(first), { timeout: SOON_MS, interval: 200 }).toBeNull();
  decided.push(...truths);
  const lies = await Promise.all(decided.map(findLie));
  expect(lies.filter((lie) => lie !== null)).toEqual([]);
}
const says = (text: string, ...at: readonly Truth['at'][]): Truth[] =>
  at.map((one) => ({ at: one, says: text }));
async function take(slug: string) {
  const { id, title, next, url } = await fetchEventDetail(server, slug, 'es');
  const [path, api] = [new URL(url).pathname, `/api/v1/events/${id}`];
  const tool: Tool = ['detalle_evento', { id }];
  return { id, title, date: next?.date ?? '', path, api, tool, edit: `/revision/editar/${id}` };
}
const CHANGES = '/api/v1/changes?since=2026-11-20T12:00:00-05:00';

test('a cancellation, of one day, a withdrawal and a notice are true on every surface', {
  timeout: SOON_MS * 5,
}, async () => {
  const off = await take('fiesta-de-viernes');
  const roof = 'Se cayó el techo del lugar';
  await decide(
    off.edit,
    { does: 'cancel', date: 'all', note_es: roof, note_en: 'The roof fell' },
    ...says(roof, off.path, `${off.path}.md`, off.api, off.tool),
    ...says('STATUS:CANCELLED', `${off.api}.ics`),
    ...says('EventCancelled', off.path),
    ...says(off.id, CHANGES),
    ...says(off.title, '/cambios.md', '/feeds/cambios.atom'),
    ...says('"cancelled"', `/api/v1/events?date=${off.date}&q=${encodeURIComponent(off.title)}`),
  );
  const fair = await take('feria-diaria');
  const light = 'Solo ese día no hay luz';
  await decide(
    fair.edit,
    { does: 'cancel', date: fair.date, note_es: light, note_en: 'No power' },
    ...says(light, fair.api, fair.path, `${fair.path}.md`, fair.tool, `/fecha/${fair.date}`),
    ...says('STATUS:CANCELLED', `${fair.api}.ics`),
    ...says('STATUS:CONFIRMED', `${fair.api}.ics`),
    ...says(fair.title, '/cambios.md', '/feeds/cambios.atom'),
  );
  const { id, path, api, date, edit } = await take('concierto-unico-a-b');
  const slug = path.slice(path.lastIndexOf('/') + 1);
  const gone = [api, path, `${path}.md`, `/events/${slug}.ics`];
  const lists = [
    ...[`/fecha/${date}`, `/fecha/${date}.md`, '/hoy', '/sitemap.xml', '/data/events.csv'],
    ...[`/api/v1/events?date=${date}`, `/api/v1/events.ics?date=${date}`, '/llms-full.txt'],
  ];
  await decide(
    edit,
    { does: 'withdraw' },
    ...gone.map((at) => ({ at, status: 410 })),
    ...lists.map((at) => ({ at, lacks: slug })),
    { at: ['buscar_eventos', { date, limit: 50 }], lacks: id },
    { at: CHANGES, says: id },
  );
  const words = { title_es: 'Cierre en la Tulum', title_en: 'Closure on Tulum Avenue' };
  await decide(
    '/revision/avisos',
    {
      ...{ ...words, body_es: 'Cerrada por obras.', body_en: 'Closed for works.' },
      ...{ type: 'traffic', severity: 'alert', source_url: 'https://transito.example/1' },
      ...{ start_date: '2026-11-20', start_time: '08:00' },
    },
    ...says(words.title_es, '/api/v1/notices', '/avisos', '/avisos.md', '/hoy', '/hoy.md'),
    ...says(words.title_es, ['avisos_hoy', {}]),
    ...says(words.title_en, '/en/notices', '/en/today.md', '/api/v1/notices?lang=en'),
  );
});
