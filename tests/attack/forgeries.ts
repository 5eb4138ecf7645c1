// Forgeries: a form of another site or session, a session that was planted, an answer made for a false name and
// kept for others.
import type { Inbox } from '../../src/inbox/open.ts';
import type { BuiltServer } from '../fixtures/built-server.ts';
import { toCookie, toField } from '../fixtures/desk-server.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import type { Finding } from './finding.ts';

const EVIL = 'evil.example';
const logIn = (server: BuiltServer, password: string, cookie = 'x=y'): Promise<Response> =>
  server.post('/revision/entrar', { name: 'ana', password }, { cookie });

/** Decisions of an editor that others try to make. */
export async function tryForms(
  server: BuiltServer,
  inbox: Inbox,
  password: string,
): Promise<Finding> {
  const { reference } = sendIn(inbox, { title: 'La que no se decide' });
  const cookie = toCookie(await logIn(server, password));
  const second = toCookie(await logIn(server, password));
  const read = async (of: string) =>
    toField(await (await server.get('/revision', { cookie: of })).text(), 'csrf');
  const fields = { does: 'reject', reason: 'No.', revision: '1' };
  const csrf = await read(cookie);
  const path = `/revision/envios/${reference}`;
  const statuses = [
    await server.post(path, { ...fields, csrf }, { cookie, origin: `https://${EVIL}` }),
    await server.post(path, { ...fields, csrf }, { cookie, 'sec-fetch-site': 'cross-site' }),
    await server.post(path, fields, { cookie }),
    await server.post(path, { ...fields, csrf: await read(second) }, { cookie }),
    await server.post(path, { ...fields, csrf }),
  ].map(({ status }) => status);
  const state = getSubmission(inbox, reference)?.state;
  return {
    what: 'a decision from another site, without a token, with another session’s, without a session',
    figures: `${statuses.join(', ')}; it is ${state}`,
    is_held: statuses.join() === '403,403,403,403,401' && state === 'pending' && csrf !== '',
  };
}

/** A session that the attacker knows is not the one that begins. */
export async function tryFixation(server: BuiltServer, password: string): Promise<Finding> {
  const planted = `desk=${'A'.repeat(43)}`;
  const begun = toCookie(await logIn(server, password, planted));
  const isIn = async (cookie: string) =>
    (await (await server.get('/revision', { cookie })).text()).includes('(ana)');
  const [is_planted_in, is_begun_in] = [await isIn(planted), await isIn(begun)];
  return {
    what: 'a planted session',
    figures: `planted ${is_planted_in ? 'let in' : 'let nobody in'}, begun ${is_begun_in ? 'let in' : 'lost'}`,
    is_held: begun !== planted && !is_planted_in && is_begun_in,
  };
}

const FALSE_NAMES: readonly Readonly<Record<string, string>>[] = [
  { 'x-forwarded-host': EVIL },
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
  { forwarded: `for=192.0.2.1;host=${EVIL};proto=http` },
  { 'x-original-url': `https://${EVIL}/`, 'x-rewrite-url': '/revision' },
  { 'x-forwarded-prefix': `/${EVIL}`, 'x-host': EVIL },
];
const PATHS = [
  '/hoy',
  '/en/today',
  '/api/v1/events?limit=2',
  '/hoy.md',
  '/feeds/novedades.atom',
  '/embed?date=week',
  '/calendario?z=1',
  '/nada',
  '//hoy',
  '/',
];

/** What is answered to a false name holds nothing of it, and neither does what the next one gets. */
export async function tryPoison(server: BuiltServer, askAs: AskAs): Promise<Finding> {
  let [tried, poisoned] = [0, 0];
  for (const path of PATHS) {
    for (const headers of FALSE_NAMES) {
      tried++;
      if ((await tell(await server.get(path, headers))).includes(EVIL)) poisoned++;
    }
    tried++;
    if ((await askAs(server.port, path, EVIL)).includes(EVIL)) poisoned++;
    if ((await tell(await server.get(path))).includes(EVIL)) poisoned++;
  }
  return {
    what: `${tried} requests under false names`,
    figures: `${poisoned} answers with it`,
    is_held: poisoned === 0,
  };
}

/** Asks under a Host, which `fetch` does not let one choose; gives all of the answer. */
export type AskAs = (port: number, path: string, host: string) => Promise<string>;

const tell = async (answer: Response): Promise<string> =>
  `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
