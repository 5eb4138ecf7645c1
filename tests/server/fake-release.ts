// Releases in a folder of their own: a real snapshot, a handful of files, and a handler that says
// what it was asked.
import { NO_NEWS } from '../../src/domain/release-news.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createQueues } from '../../src/server/http/admit.ts';
import { createRateCounter } from '../../src/server/http/rates.ts';
import { hashKey } from '../../src/domain/api-key.ts';
import { collectFiles } from '../../src/releases/collect-files.ts';
import { type Layout, toLayout, toReleasePaths, writeCurrent } from '../../src/releases/layout.ts';
import { digestFile } from '../../src/releases/digests.ts';
import { readLastBuild } from '../../src/releases/last-build.ts';
import { writeMentions } from '../../src/releases/mentions.ts';
import { writeManifest } from '../../src/releases/manifest.ts';
import { type ReleaseFacts, writeReleaseFacts } from '../../src/releases/release-facts.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { createIntake } from '../../src/pictures/intake.ts';
import { createPainter } from '../../src/pictures/painter.ts';
import type { ServiceContext } from '../../src/server/http/request-context.ts';
import { followCurrent } from '../../src/server/process/follow-current.ts';
import { createFrontServer } from '../../src/server/http/front-server.ts';
import { openRelease } from '../../src/server/http/release-state.ts';
import { drain } from '../../src/server/process/listen.ts';
import { createBundleLoader } from '../../src/server/http/site-bundle.ts';
import { createCalendarDoor } from '../../src/server/http/calendar-door.ts';
import type { RequestMeter } from '../../src/server/metrics/request-meter.ts';
import { createUploadDoor } from '../../src/server/http/uploads.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';

const PADDING = '<p>relleno para que valga la pena comprimir</p>'.repeat(40);

/** What Astro would be: answers by path, so that a test sees what reached it. */
const HANDLER = `export const STYLE_HASHES = ["'sha256-b2ZhIHN0eWxl'"];
export async function render(request, locals) {
  const { pathname, search } = new URL(request.url);
  const path = pathname;
  globalThis.rendered = (globalThis.rendered ?? 0) + 1;
  if (locals.visit) globalThis.visited = locals.visit;
  if (path.includes('lento')) await new Promise((done) => setTimeout(done, 100));
  if (path.includes('explota')) throw new Error('a secret path: /etc/passwd');
  const status = path.endsWith('/500') ? 500 : path.includes('retirado') ? 410 : path.includes('viejo') ? 301 : /^\\/(_|eventos\\/|calendario$|fecha\\/|en\\/events\\/)/.test(path) && !path.includes('nada') ? 200 : 404;
  const type = path.endsWith('.md') && status === 200 ? 'text/markdown; charset=utf-8' : 'text/html';
  const headers = { 'content-type': type, ...(status === 301 ? { location: '/eventos/nuevo' } : {}), 'set-cookie': 'no=1' };
  const body = 'on demand ' + path + search + ' of ' + locals.state.snapshot.version + ' ' + (path.startsWith('/_') ? Math.floor(locals.state.now_ms / 60000) : '') + ' ' + ${JSON.stringify(PADDING)};
  return new Response(body, { status, headers });
}`;

/** How many pages the handlers have rendered so far. */
export const countRendered = (): number => Number(Reflect.get(globalThis, 'rendered') ?? 0);

export const toPage = (text: string): string => `<!DOCTYPE html><title>${text}</title>${PADDING}`;

/** Until when the release's `/eventos/cena` holds: 20:00 of that Friday. */
export const DINNER_ENDS_MS = FRIDAY_NOON_MS + 8 * 3_600_000;

/**
 * Writes a release whose /hoy exists for three days; every body says `mark`. `known` facts are as
 * given.
 */
export async function writeRelease(
  layout: Layout,
  id: string,
  mark: string,
  known: Partial<ReleaseFacts> = {},
): Promise<void> {
  const paths = toReleasePaths(join(layout.releases_dir, id));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(paths.client, file)), { recursive: true });
    writeFileSync(join(paths.client, file), text);
  };
  mkdirSync(dirname(paths.entry), { recursive: true });
  writeFileSync(paths.entry, HANDLER);
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-22']) {
    write(`_hoy/${day}.html`, toPage(`hoy ${day} ${mark}`));
    write(`_hoy/${day}.md`, `# hoy ${day} ${mark}\n`);
    write(`_today/${day}.html`, toPage(`today ${day} ${mark}`));
    write(`_today/${day}.md`, `# today ${day} ${mark}\n`);
    write(`fecha/${day}.html`, toPage(`fecha ${day} ${mark}`));
    write(`fecha/${day}.md`, `# fecha ${day} ${mark}\n`);
  }
  write('eventos/cena.html', toPage(`cena ${mark}`));
  write('eventos/cena.md', `# cena ${mark}\n`);
  write('_astro/a1b2.css', 'body{}');
  write('favicon.svg', '<svg/>');
  buildSnapshot(paths.snapshot, readFixture(), FRIDAY_NOON_MS);
  const files = collectFiles(
    { store_dir: paths.store, earlier: null, now_ms: FRIDAY_NOON_MS },
    paths.client,
  );
  const held = files.map((file) =>
    file.path.startsWith('/eventos/') ? { ...file, holds_until_ms: DINNER_ENDS_MS } : file,
  );
  writeManifest(paths.files, held);
  const pages = files.filter(({ type }) => /^text\/(html|markdown)/.test(type));
  writeMentions(
    paths.mentions,
    pages.map(({ path }) => ({ path, events: [] })),
  );
  writeFileSync(paths.made_of, '{}');
  writeReleaseFacts(paths.facts, {
    id,
    generated_at: '2026-11-20T12:00:00-05:00',
    generated_ms: FRIDAY_NOON_MS,
    made_with: 'x',
    bundle: mark,
    snapshot: digestFile(paths.snapshot),
    before: null,
    events: 1,
    occurrences: 1,
    files: files.length,
    ...known,
  });
}

export const RELEASES = [
  '20261120T170000Z-aaaaaa',
  '20261120T180000Z-bbbbbb',
  '20261120T190000Z-cccccc',
] as const;

/** A listening server on releases of its own; `clock.now_ms` is what it takes for the time. */
export async function startFake(
  rates = { address: 1000, key: 2000 },
  meter?: Pick<RequestMeter, 'count'>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-server-'));
  const layout = toLayout(folder);
  await writeRelease(layout, RELEASES[0], 'first');
  writeCurrent(layout, RELEASES[0]);
  const clock = { now_ms: FRIDAY_NOON_MS };
  const issues: unknown[] = [];
  const is = { is_ending: false };
  const refused: string[] = [];
  const site = { url: 'https://hoy.example', name: 'Hoy', contact_email: null };
  const inbox = openInbox(join(folder, 'inbox.db'));
  const service: ServiceContext = {
    site,
    rebuild_hours: 6,
    inbox,
    queues: createQueues(),
    requestRelease: () => {},
    paint: createPainter(),
    uploads: createUploadDoor(createIntake()),
    calendars: createCalendarDoor([]),
    readReleaseNews: () => NO_NEWS,
    onNote: () => {},
    onError: (thrown) => issues.push(thrown),
    watch: {
      lastBuild: () => readLastBuild(layout),
      refusal: () => following.refusal(),
      isEnding: () => is.is_ending,
      replacedBy: () => null,
    },
    access: {
      site,
      count: createRateCounter(rates),
      isLiveKey: (hash) => hash === hashKey('good'),
      trusted_proxies: 0,
    },
  };
  const loadBundle = createBundleLoader();
  const switches: string[] = [];
  const following = await followCurrent(
    layout,
    (id) => openRelease(join(layout.releases_dir, id), loadBundle),
    () => true,
    {
      onSwitch: (_, to) => switches.push(to),
      onRefusal: (id) => switches.push(`refused ${id}`),
    },
  );
  const server = createFrontServer({
    service,
    meter,
    current: following.current,
    clock: () => clock.now_ms,
    onRefused: (kind) => refused.push(kind),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = toAddress(server.address());
  return {
    layout,
    clock,
    issues,
    /** What its process is told. */
    process: is,
    refused,
    switches,
    following,
    service,
    port,
    server,
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      ask(port, path, headers, method),
    sendRaw: (text: string, patience_ms = 3000) => sendRaw(port, text, patience_ms),
    stop: async () => {
      following.stop();
      await drain(server);
      inbox.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function toAddress(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('not listening on a port');
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** One request without anything that a client adds by itself; the path goes out as it is. */
function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  method: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text: bytes.toString(),
          });
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

/** Bytes on a bare connection, and all that came back. */
function sendRaw(port: number, text: string, patience_ms: number): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      reply += chunk.toString();
    });
    socket.on('error', () => resolve(reply));
    socket.on('close', () => resolve(reply));
    setTimeout(() => socket.destroy(), patience_ms).unref();
  });
}
