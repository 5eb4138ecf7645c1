// What people, models and calendars ask most, beside nginx that sends the same bytes from a file: what
// serving costs where nothing is decided at all.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProgram } from '../../scripts/debian-programs.ts';
import { PROXIES } from '../../scripts/find-proxies.ts';
import { findFreePort, toToolCall } from '../fixtures/built-server.ts';
import { type Asked, askRaw, type RawAnswer } from './ask-raw.ts';
import { BENCH_PAGE } from './bench-pages.ts';
import { type Program, startProgram } from './programs.ts';
import { drive, inRounds, type Load, type Ratio } from './rounds.ts';

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' } as const;
const CALENDAR = { 'accept-encoding': 'gzip', accept: 'text/calendar' } as const;

interface Case extends Asked {
  readonly what: string;
  /** Whether it is asked with the tag of what is there already. */
  readonly is_known?: true;
}

const { method, headers, body } = toToolCall('buscar_eventos', { date: 'today', limit: 10 });
const CASES: readonly Case[] = [
  { what: 'a page', path: BENCH_PAGE, headers: { ...BROWSER, accept: 'text/html' } },
  {
    what: 'a 304 of it',
    path: BENCH_PAGE,
    headers: { ...BROWSER, accept: 'text/html' },
    is_known: true,
  },
  { what: 'its Markdown twin', path: `${BENCH_PAGE}.md`, headers: BROWSER },
  {
    what: 'a calendar poll',
    path: '/api/v1/events.ics?category=musica-en-vivo',
    headers: CALENDAR,
  },
  {
    what: 'an MCP call',
    path: '/mcp',
    method,
    body,
    headers: { ...headers, host: 'localhost', 'accept-encoding': 'gzip' },
  },
];

/** nginx with one process, as ours has one worker, that sends a file under its headers whoever asks. */
async function startNginx(folder: string, port: number, answer: RawAnswer): Promise<Program> {
  const own = join(folder, 'nginx');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'body'), answer.bytes);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const coding = answer.coding === '' ? '' : `add_header Content-Encoding ${answer.coding};`;
  const config = `daemon off; master_process off; pid ${join(own, 'pid')};
error_log ${join(own, 'error.log')}; events { worker_connections 512; }
http {
  ${kinds.map((kind) => `${kind}_temp_path ${join(own, kind)};`).join('\n  ')}
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=16;
  server {
    listen 127.0.0.1:${port};
    types {} default_type "${answer.type}"; ${coding}
    # A file is for GET; a call that is posted gets the same bytes.
    error_page 405 =200 /body;
    root ${own};
    location / { rewrite ^ /body break; }
  }
}
`;
  writeFileSync(join(own, 'nginx.conf'), config);
  return startProgram(
    ['-c', join(own, 'nginx.conf'), '-p', own, '-e', join(own, 'error.log')],
    port,
    {},
    { path: PROXIES.nginx, isReady: () => answers(port) },
  );
}

const answers = (port: number): Promise<boolean> =>
  askRaw(port, { path: '/', headers: {} }).then(
    () => true,
    () => sleep(20).then(() => false),
  );

async function measure(one: Case, ours: Program, folder: string, load: Load): Promise<Ratio> {
  const answer = await askRaw(ours.port, one);
  const port = await findFreePort();
  const nginx = await startNginx(folder, port, answer);
  try {
    const drivers = await Promise.all(
      [ours, nginx].map(async (program) => {
        const asked = await toAsked(one, program.port);
        return (seconds: number) =>
          drive(program, one.path, seconds, ['--asked', JSON.stringify(asked)]);
      }),
    );
    const [driveOurs, driveNginx] = drivers;
    if (!driveOurs || !driveNginx) throw new Error('There are two to drive');
    const body_kb = one.is_known ? 0 : answer.bytes.length / 1024;
    return {
      what: one.what,
      target: null,
      body_kb,
      ...(await inRounds(driveOurs, driveNginx, load)),
    };
  } finally {
    await nginx.stop();
  }
}

/** What drive.ts asks a program: each has a tag of its own. */
async function toAsked(one: Case, port: number) {
  const { method: verb = 'GET', body: sent } = one;
  const { etag } = await askRaw(port, one);
  const known = one.is_known ? { 'if-none-match': etag } : {};
  const asked = { method: verb, headers: { ...one.headers, ...known } };
  const { status } = await askRaw(port, { ...one, headers: asked.headers });
  if (status !== (one.is_known ? 304 : 200)) throw new Error(`${one.what}: answered ${status}`);
  return { ...asked, status, ...(sent === undefined ? {} : { body: sent }) };
}

/** Every case; none where there is no nginx, which is said. */
export async function measureBesideNginx(
  ours: Program,
  folder: string,
  load: Load,
  say: (line: string) => void,
): Promise<readonly Ratio[]> {
  if (!isProgram(PROXIES.nginx)) {
    say('  No nginx here (apt-get install nginx brings it): what is beside it is left out');
    return [];
  }
  const ratios: Ratio[] = [];
  for (const one of CASES) {
    say(`  ${one.what} …`);
    ratios.push(await measure(one, ours, folder, load));
  }
  return ratios;
}
