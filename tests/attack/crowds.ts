// Crowds: slow connections, pages made for one reader, logins and keys by the hundred, while a reader reads.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../fixtures/built-server.ts';
import { countOne, type Finding, inHands, toCounts } from './finding.ts';
import { askOnce, type Reading, readWhile, toWords } from './reader.ts';

const HOST = 'Host: agenda.example\r\n';
/** Slow to ask, slow to send, and slow to read: each of them a third. */
const SLOW = [
  `GET /hoy HTTP/1.1\r\n${HOST}X-A: `,
  `POST /publicar HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\na=`,
  `GET /sitemap.xml HTTP/1.1\r\n${HOST}\r\n`,
] as const;
/** Where nothing but connections is asked for, a reader keeps to so many times the quiet; the rest is the attacker's own load here. */
const MOST_TIMES = 5;
const LEAST_MS = 40;
/** Where the machine is kept busy. */
const MOST_LATE_MS = 2_500;
const isInTime = ({ late_ms }: Reading): boolean => late_ms <= MOST_LATE_MS;

export const readQuiet = (server: Pick<BuiltServer, 'port'>): Promise<Reading> =>
  readWhile(server.port, Promise.resolve(), 1_000);

/** Opens so many, keeps each alive by a byte now and then for `hold_ms`. */
async function holdSlow(port: number, count: number, hold_ms: number): Promise<void> {
  const sockets: Socket[] = [];
  await inHands(count, 50, async (at) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(SLOW[at % SLOW.length] ?? '');
    sockets.push(socket);
    await sleep(2);
  });
  const drip = setInterval(() => {
    for (const [at, socket] of sockets.entries())
      if (at % SLOW.length !== 2 && socket.writable) socket.write('a');
  }, 1_000);
  await sleep(hold_ms);
  clearInterval(drip);
  for (const socket of sockets) socket.destroy();
}

/** Slow connections, all from one address. */
export async function trySlow(server: Pick<BuiltServer, 'port'>, count: number): Promise<Finding> {
  const quiet = await readQuiet(server);
  const now = await readWhile(server.port, holdSlow(server.port, count, 3_000), 0);
  const most_ms = Math.max(LEAST_MS, quiet.middle_ms * MOST_TIMES);
  return {
    what: `${count} slow connections, few descriptors`,
    figures: toWords(quiet, now),
    is_held: now.failed === 0,
    is_in_time: now.middle_ms <= most_ms,
  };
}

/** Pages that nobody asked for before, over so many connections of one address. */
export async function tryPages(
  server: BuiltServer,
  quiet: Reading,
  count: number,
): Promise<Finding> {
  const counts = new Map<string, number>();
  const flood = inHands(count * 2, count, async (at) => {
    const path = at % 2 === 0 ? `/calendario?x=${at}` : `/publicar?x=${at}`;
    const status = await askOnce(server.port, path, { 'x-forwarded-for': '203.0.113.9' });
    countOne(counts, String(status));
  });
  const now = await readWhile(server.port, flood, 0);
  const other = await askOnce(server.port, '/calendario?x=other', {
    'x-forwarded-for': '203.0.113.77',
  });
  return {
    what: `${count * 2} pages and forms over ${count} connections of one address`,
    figures: `${toWords(quiet, now)}; ${toCounts(counts)}`,
    is_held:
      now.failed === 0 &&
      other === 200 &&
      [...counts.keys()].every((status) => ['200', '429', '503'].includes(status)),
    is_in_time: isInTime(now),
  };
}

/** Wrong passwords of a real name, from so many addresses. */
export async function tryLogins(
  server: BuiltServer,
  quiet: Reading,
  count: number,
): Promise<Finding> {
  const counts = new Map<string, number>();
  const flood = inHands(count, 32, async (at) => {
    const answer = await server.post(
      '/revision/entrar',
      { name: at % 6 === 0 ? 'ana' : `nadie${at}`, password: `guess ${at}` },
      { 'x-forwarded-for': `10.9.${at % 40}.1` },
    );
    await answer.arrayBuffer();
    countOne(counts, String(answer.status));
  });
  const now = await readWhile(server.port, flood, 0);
  const is_logged = server.output().includes('a login failed');
  return {
    what: `${count} logins from 40 addresses`,
    figures: `${toWords(quiet, now)}; ${toCounts(counts)}; ${is_logged ? '' : 'not '}logged`,
    is_held:
      now.failed === 0 &&
      is_logged &&
      [...counts.keys()].every((status) => ['401', '429', '503'].includes(status)),
    is_in_time: isInTime(now),
  };
}

/** Made-up keys of one address, and made-up addresses of one caller: neither buys anything. */
export async function tryKeys(server: BuiltServer, count: number): Promise<Finding> {
  const counts = new Map<string, number>();
  await inHands(count, 16, async (at) => {
    const key = `hc_${at.toString(16).padStart(64, '0')}`;
    const forged = `10.66.${at >> 8}.${at & 255}, 203.0.113.66`;
    const headers = { 'x-api-key': key, 'x-forwarded-for': forged };
    countOne(counts, String(await askOnce(server.port, '/api/v1/notices', headers)));
  });
  return {
    what: `${count} guessed keys, each from a forged address`,
    figures: toCounts(counts),
    is_held: !counts.has('200') && (counts.get('401') ?? 0) <= 60 && counts.has('429'),
  };
}
