// Benchmark clients: a sender at MCP and an editor at the desk, over HTTP, and checks of an event's state on all surfaces.
import { fillForm } from '../tests/fixtures/filled-form.ts';
import { runCommand, TODAY, type Town } from './service.ts';

/** Dates of the submitted events. */
export const DAYS = ['2026-11-28', '2026-12-05'] as const;

/** A response of the service; `etag` is null if it has none. */
export interface ServiceResponse {
  readonly status: number;
  readonly text: string;
  readonly etag: string | null;
}

/** Sends a request without following redirects. */
export async function request(
  port: number,
  path: string,
  init: RequestInit = {},
): Promise<ServiceResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  const { status, headers } = response;
  return { status, etag: headers.get('etag'), text: await response.text() };
}

/** Creates the request of an MCP tool call from a client address. */
export const toolCallRequest = (
  name: string,
  args: object,
  address = '198.51.100.1',
): RequestInit => ({
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

const extract = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

const submissionFields = (number: number) => ({
  ...{ title: `Trovazo ${number}`, description: 'Una noche inventada, con música y comida.' },
  ...{ category: 'live-music', zone: 'downtown', venue_name: 'Patio Inventado' },
  ...{ dates: DAYS[1], lang: 'es' },
});

/** Returns the form values of an editor's approval. */
export const approvalForm = (number: number) => ({
  ...submissionFields(number),
  ...{ does: 'approve', start_date: DAYS[0], start_time: '20:00', price_kind: 'free' },
  ...{ other_title: `Trovazo night ${number}`, summary: 'Una noche.', other_summary: 'A night.' },
});

export const noticeForm = (number: number) => ({
  ...{
    title_es: `Cierre ${number}`,
    title_en: `Closure ${number}`,
    body_es: 'Obras.',
    body_en: 'Works.',
  },
  ...{ type: 'traffic', severity: 'alert', source_url: 'https://transito.example/1' },
  ...{ start_date: TODAY, start_time: '08:00' },
});

/** Submits an event. @returns its reference and status path. @throws Error if it is rejected. */
export async function submitEvent(port: number, number: number) {
  const args = { ...submissionFields(number), start: `${DAYS[0]}T20:00`, free: true };
  const address = `10.${(number >> 8) & 255}.${number & 255}.7`;
  const { text } = await request(port, '/mcp', toolCallRequest('enviar_evento', args, address));
  const reference = extract(text, /"reference":\s*"([\w-]+)"/);
  if (reference === '') throw new Error(`Event ${number} was rejected: ${text}`);
  return { reference, status_path: extract(text, /"status_url":\s*"https?:\/\/[^/"]+([^"]+)"/) };
}

/** Submits a form of a desk page. @returns the time of the click. @throws Error if the form is rejected. */
export type SubmitForm = (
  path: string,
  fields: Readonly<Record<string, string>>,
) => Promise<number>;

/** Adds an editor by the command and logs in. */
export async function logIn(town: Town): Promise<SubmitForm> {
  const origin = `http://127.0.0.1:${town.port}`;
  const password = extract(await runCommand(town, 'editors', 'add', 'ana'), /^ {2}(\S.*)$/m);
  const post = (path: string, fields: Readonly<Record<string, string>>, cookie: string) =>
    fetch(`${origin}${path}`, {
      ...{ method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' },
      headers: { origin, cookie },
    });
  const login = await post('/revision/entrar', { name: 'ana', password }, '');
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (path, fields) => {
    const { text } = await request(town.port, path, { headers: { cookie } });
    const filled = fillForm(text);
    const { csrf = '', revision = '' } = filled;
    const hidden_fields = fields.does === 'save' ? filled : { csrf, revision };
    const begun_ms = performance.now();
    const { status } = await post(path, { ...hidden_fields, ...fields }, cookie);
    if (status !== 303) throw new Error(`${path} responded ${status} to ${fields.does}`);
    return begun_ms;
  };
}

export interface Event {
  readonly slug: string;
  readonly title: string;
}
/** Returns the published event of submitEvent. */
export const submittedEvent = (number: number): Event => ({
  slug: `trovazo-${number}`,
  title: `Trovazo ${number}`,
});

export type EventState = 'published' | 'cancelled' | 'withdrawn';

/** Lists all surfaces of one event. */
export const listSurfaces = (slug: string): readonly (readonly [string, RequestInit?])[] => [
  [`/eventos/${slug}`],
  [`/eventos/${slug}.md`],
  [`/events/${slug}.ics`],
  [`/api/v1/events/${slug}`],
  ['/mcp', toolCallRequest('detalle_evento', { id: slug })],
];

const CANCELLED_PATTERN =
  /EventCancelled|"status": ?"cancelled"|STATUS:CANCELLED|CANCELADO|Cancelado/;
const isCancelled = (text: string): boolean => CANCELLED_PATTERN.test(text.replace(/\r\n /g, ''));

/** Tells if a response about one event shows a state, in any representation. */
export const showsState = (state: EventState, { status, text }: ServiceResponse): boolean =>
  state === 'withdrawn'
    ? status === 410 || text.includes('"isError":true')
    : status === 200 && isCancelled(text) === (state === 'cancelled');

/** Tells if a list that matches only this event shows a state. */
export const listShowsState = (
  state: EventState,
  slug: string,
  { text }: ServiceResponse,
): boolean =>
  state === 'withdrawn'
    ? !text.includes(slug)
    : text.includes(slug) && isCancelled(text) === (state === 'cancelled');
