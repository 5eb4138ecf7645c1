// Desk decisions: appear on every surface within seconds (contract 14.9).
import { expect, test } from 'vitest';
import { signInAs, serveDesk } from '../fixtures/desk-server.ts';
import { fetchEventDetail } from '../fixtures/event-surfaces.ts';

/** Generous for slow machines: this test is not a benchmark. */
const SOON_MS = 90_000;
const desk = await serveDesk();
const { server } = desk;
const { post } = await signInAs(desk);

type Tool = readonly [name: string, args: object];
interface Expectation {
  /** Path, or MCP tool with arguments. */
  readonly at: string | Tool;
  readonly status?: number;
  readonly included_text?: string;
  readonly excluded_text?: string;
}
/** Returns the reason why an expectation is not met. @returns null if it is met. */
async function findMismatch({
  at,
  status = 200,
  included_text = '',
  excluded_text,
}: Expectation): Promise<string | null> {
  const answer = await (typeof at === 'string' ? server.get(at) : server.callTool(...at));
  const text = (await answer.text()).replace(/\r\n /g, '').replaceAll('\\"', '"');
  const plain = text.replace(/&#39;|&#x27;/g, "'");
  const is_met =
    plain.includes(included_text) &&
    (excluded_text === undefined || !plain.includes(excluded_text));
  return is_met && answer.status === status
    ? null
    : `${String(at)}: ${answer.status}, '${included_text}' but not '${excluded_text}': ${plain.slice(0, 500)}`;
}
const all_expectations: Expectation[] = [];
/** Posts a decision, waits for its first expectation, then checks the others and all expectations of earlier decisions. */
async function decide(
  path: string,
  fields: Readonly<Record<string, string>>,
  ...expectations: Expectation[]
) {
  expect((await post(path, { reason: 'Llamaron', ...fields })).status).toBe(303);
  const [first] = expectations;
  if (first)
    await expect.poll(() => findMismatch(first), { timeout: SOON_MS, interval: 200 }).toBeNull();
  all_expectations.push(...expectations);
  const mismatches = await Promise.all(all_expectations.map(findMismatch));
  expect(mismatches.filter((mismatch) => mismatch !== null)).toEqual([]);
}
const expectText = (text: string, ...at: readonly Expectation['at'][]): Expectation[] =>
  at.map((one) => ({ at: one, included_text: text }));
async function loadEvent(slug: string) {
  const { id, title, next, url } = await fetchEventDetail(server, slug, 'es');
  const [path, api] = [new URL(url).pathname, `/api/v1/events/${id}`];
  const tool: Tool = ['detalle_evento', { id }];
  return { id, title, date: next?.date ?? '', path, api, tool, edit: `/revision/editar/${id}` };
}
const CHANGES = '/api/v1/changes?since=2026-11-20T12:00:00-05:00';

test('every surface shows a cancellation, a cancelled date, a withdrawal and a notice', {
  timeout: SOON_MS * 5,
}, async () => {
  const cancelled = await loadEvent('fiesta-de-viernes');
  const roof = 'Se cayó el techo del lugar';
  await decide(
    cancelled.edit,
    { does: 'cancel', date: 'all', note_es: roof, note_en: 'The roof fell' },
    ...expectText(roof, cancelled.path, `${cancelled.path}.md`, cancelled.api, cancelled.tool),
    ...expectText('STATUS:CANCELLED', `${cancelled.api}.ics`),
    ...expectText('EventCancelled', cancelled.path),
    ...expectText(cancelled.id, CHANGES),
    ...expectText(cancelled.title, '/cambios.md', '/feeds/cambios.atom'),
    ...expectText(
      '"cancelled"',
      `/api/v1/events?date=${cancelled.date}&q=${encodeURIComponent(cancelled.title)}`,
    ),
  );
  const fair = await loadEvent('feria-diaria');
  const light = 'Solo ese día no hay luz';
  await decide(
    fair.edit,
    { does: 'cancel', date: fair.date, note_es: light, note_en: 'No power' },
    ...expectText(light, fair.api, fair.path, `${fair.path}.md`, fair.tool, `/fecha/${fair.date}`),
    ...expectText('STATUS:CANCELLED', `${fair.api}.ics`),
    ...expectText('STATUS:CONFIRMED', `${fair.api}.ics`),
    ...expectText(fair.title, '/cambios.md', '/feeds/cambios.atom'),
  );
  const { id, path, api, date, edit } = await loadEvent('concierto-unico-a-b');
  const slug = path.slice(path.lastIndexOf('/') + 1);
  const withdrawn_paths = [api, path, `${path}.md`, `/events/${slug}.ics`];
  const lists = [
    ...[`/fecha/${date}`, `/fecha/${date}.md`, '/hoy', '/sitemap.xml', '/data/events.csv'],
    ...[`/api/v1/events?date=${date}`, `/api/v1/events.ics?date=${date}`, '/llms-full.txt'],
  ];
  await decide(
    edit,
    { does: 'withdraw' },
    ...withdrawn_paths.map((at) => ({ at, status: 410 })),
    ...lists.map((at) => ({ at, excluded_text: slug })),
    { at: ['buscar_eventos', { date, limit: 50 }], excluded_text: id },
    { at: CHANGES, included_text: id },
  );
  const words = { title_es: 'Cierre en la Tulum', title_en: 'Closure on Tulum Avenue' };
  await decide(
    '/revision/avisos',
    {
      ...{ ...words, body_es: 'Cerrada por obras.', body_en: 'Closed for works.' },
      ...{ type: 'traffic', severity: 'alert', source_url: 'https://transito.example/1' },
      ...{ start_date: '2026-11-20', start_time: '08:00' },
    },
    ...expectText(words.title_es, '/api/v1/notices', '/avisos', '/avisos.md', '/hoy', '/hoy.md'),
    ...expectText(words.title_es, ['avisos_hoy', {}]),
    ...expectText(words.title_en, '/en/notices', '/en/today.md', '/api/v1/notices?lang=en'),
  );
});
