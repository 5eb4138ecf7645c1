// A sender at MCP and an editor at the desk, over HTTP; and how an event stands, by what is answered.
import { fillForm } from '../tests/fixtures/filled-form.ts';
import { run, TODAY, type Town } from './service.ts';

/** On which the events take place that are sent in. */
export const DAYS = ['2026-11-28', '2026-12-05'] as const;

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly etag: string | null;
}

/** Asks a service; redirects are not followed. */
export async function ask(port: number, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  const { status, headers } = answer;
  return { status, etag: headers.get('etag'), text: await answer.text() };
}

/** The request that calls a tool, from an address of the sender's own. */
export const toToolCall = (name: string, args: object, address = '198.51.100.1'): RequestInit => ({
  method: 'POST',
  headers: {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': '2025-06-18', 'x-forwarded-for': address },
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: args },
  }),
});

const pick = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

const toWords = (at: number) => ({
  ...{ title: `Trovazo ${at}`, description: 'Una noche inventada, con música y comida.' },
  ...{ category: 'live-music', zone: 'downtown', venue_name: 'Patio Inventado' },
  ...{ dates: DAYS[1], lang: 'es' },
});

/** The form in which an editor approves it. */
export const toApproval = (at: number) => ({
  ...toWords(at),
  ...{ does: 'approve', start_date: DAYS[0], start_time: '20:00', price_kind: 'free' },
  ...{ other_title: `Trovazo night ${at}`, summary: 'Una noche.', other_summary: 'A night.' },
});

export const toNotice = (at: number) => ({
  ...{ title_es: `Cierre ${at}`, title_en: `Closure ${at}`, body_es: 'Obras.', body_en: 'Works.' },
  ...{ type: 'traffic', severity: 'alert', source_url: 'https://transito.example/1' },
  ...{ start_date: TODAY, start_time: '08:00' },
});

/** Sends it in; gives its reference and where its sender sees how it stands. Throws where it is not taken. */
export async function send(port: number, at: number) {
  const args = { ...toWords(at), start: `${DAYS[0]}T20:00`, free: true };
  const address = `10.${(at >> 8) & 255}.${at & 255}.7`;
  const { text } = await ask(port, '/mcp', toToolCall('enviar_evento', args, address));
  const reference = pick(text, /"reference":\s*"([\w-]+)"/);
  if (reference === '') throw new Error(`Event ${at} was not taken in: ${text}`);
  return { reference, status_path: pick(text, /"status_url":\s*"https?:\/\/[^/"]+([^"]+)"/) };
}

/** Presses a button of a page; gives when it was pressed. Throws where it is refused. */
export type Press = (path: string, fields: Readonly<Record<string, string>>) => Promise<number>;

/** Makes an editor by the command and comes in as one. */
export async function comeIn(town: Town): Promise<Press> {
  const origin = `http://127.0.0.1:${town.port}`;
  const password = pick(await run(town, 'editors', 'add', 'ana'), /^ {2}(\S.*)$/m);
  const post = (path: string, fields: Readonly<Record<string, string>>, cookie: string) =>
    fetch(`${origin}${path}`, {
      ...{ method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' },
      headers: { origin, cookie },
    });
  const entered = await post('/revision/entrar', { name: 'ana', password }, '');
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (path, fields) => {
    const { text } = await ask(town.port, path, { headers: { cookie } });
    const filled = fillForm(text);
    const { csrf = '', revision = '' } = filled;
    const own = fields.does === 'save' ? filled : { csrf, revision };
    const begun_ms = performance.now();
    const { status } = await post(path, { ...own, ...fields }, cookie);
    if (status !== 303) throw new Error(`${path} answers ${status} to ${fields.does}`);
    return begun_ms;
  };
}

export interface Event {
  readonly slug: string;
  readonly title: string;
}
/** What `send` sent, number `at`, once it is published. */
export const toSent = (at: number): Event => ({ slug: `trovazo-${at}`, title: `Trovazo ${at}` });

export type State = 'there' | 'off' | 'gone';

/** Every surface of one event. */
export const listSurfaces = (slug: string): readonly (readonly [string, RequestInit?])[] => [
  [`/eventos/${slug}`],
  [`/eventos/${slug}.md`],
  [`/events/${slug}.ics`],
  [`/api/v1/events/${slug}`],
  ['/mcp', toToolCall('detalle_evento', { id: slug })],
];

const OFF = /EventCancelled|"status": ?"cancelled"|STATUS:CANCELLED|CANCELADO|Cancelado/;
const isOff = (text: string): boolean => OFF.test(text.replace(/\r\n /g, ''));

/** Whether an answer of an event's own says that, in any representation. */
export const says = (state: State, { status, text }: Answer): boolean =>
  state === 'gone'
    ? status === 410 || text.includes('"isError":true')
    : status === 200 && isOff(text) === (state === 'off');

/** Whether a list that would have this event alone says that. */
export const lists = (state: State, slug: string, { text }: Answer): boolean =>
  state === 'gone'
    ? !text.includes(slug)
    : text.includes(slug) && isOff(text) === (state === 'off');
