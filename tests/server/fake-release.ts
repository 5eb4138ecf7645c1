// Fake release: an HTTP server on snapshots of the fictional town in a temporary folder, with code whose pages
// contain the requested URL.
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach } from 'vitest';
import { sha256Hex } from '../../src/inbox/secrets.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { NO_RELEASE_STATUS } from '../../src/domain/health.ts';
import { loadLastBuild } from '../../src/releases/last-build.ts';
import {
  promoteCandidate,
  finalizeCandidate,
  switchCurrent,
  dataLayout,
} from '../../src/releases/snapshots.ts';
import { createHttpServer } from '../../src/server/http/http-server.ts';
import type { ServiceContext } from '../../src/server/http/request-context.ts';
import { createWorkQueues } from '../../src/server/work-queues.ts';
import { createRateLimiter } from '../../src/server/rate-limits.ts';
import type { Metrics } from '../../src/server/metrics.ts';
import { createPageCache } from '../../src/server/page-cache.ts';
import {
  findServableSnapshot,
  followCurrentRelease,
} from '../../src/server/process/release-follower.ts';
import { drainServer } from '../../src/server/process/listen.ts';
import type { LoadedCode, RenderPage } from '../../src/server/load-site-code.ts';
import type { VisitorRequest } from '../../src/site/visitor-request.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { sendBytes, serializeRequest } from '../fixtures/bare-connection.ts';
import { FRIDAY_NOON_MS, loadFixture } from '../fixtures/fixture.ts';
import { createFolder, listenOnLocalhost } from '../fixtures/folder.ts';

const PADDING = '<p>relleno para que valga la pena comprimir</p>'.repeat(40);

function statusOf(path: string): number {
  if (path.endsWith('/500')) return 500;
  if (path.includes('retirado')) return 410;
  if (path.includes('viejo')) return 301;
  return /nada|404|\.png$/.test(path) ? 404 : 200;
}

/** Creates code whose pages name their URL, minute and snapshot, and records the URLs in order. */
export function createFakeCode(folder: string) {
  const rendered: string[] = [];
  const visits: VisitorRequest[] = [];
  /** Pages with `lento` in their URL wait for this promise. */
  const slow = { until: (): Promise<unknown> => sleep(100) };
  const render: RenderPage = async (url, { snapshot, now_ms }, visit) => {
    rendered.push(url);
    if (visit) visits.push(visit);
    const [path = ''] = url.split('?');
    if (url.includes('lento')) await slow.until();
    if (path.includes('explota')) throw new Error('a secret path: /etc/passwd');
    const status = statusOf(path);
    const is_markdown = path.endsWith('.md') && status === 200;
    return {
      status,
      headers: {
        'content-type': is_markdown ? 'text/markdown; charset=utf-8' : 'text/html',
        'set-cookie': 'no=1',
        ...(status === 301 ? { location: '/eventos/nuevo' } : {}),
      },
      body: `made of ${url} at ${Math.floor(now_ms / 60_000)} from ${snapshot.version} ${PADDING}`,
    };
  };
  const files = { '/_astro/a1b2.css': 'body{}', '/favicon.svg': '<svg/>' };
  const assets = Object.entries(files).map(([url_path, text], index): [string, string] => {
    const file = join(folder, `asset-${index}`);
    writeFileSync(file, text);
    return [url_path, file];
  });
  const files_and_styles = { style_hashes: ["'sha256-b2ZhIHN0eWxl'"], assets: new Map(assets) };
  const code: LoadedCode = {
    renderer_digest: 'fake',
    render,
    loadAll: async () => {},
    ...files_and_styles,
  };
  return { code, rendered, visits, slow };
}

export function writeSnapshot(
  layout: ReturnType<typeof dataLayout>,
  title = 'Feria diaria',
  options: Partial<Parameters<typeof buildSnapshot>[2]> = {},
): string {
  const town = loadFixture();
  const events = town.events.map((event) =>
    event.title.es === 'Feria diaria' ? { ...event, title: { es: title, en: title } } : event,
  );
  const path = join(layout.snapshots_dir, '.building');
  buildSnapshot(path, { ...town, events }, { now_ms: FRIDAY_NOON_MS, ...options });
  const name = finalizeCandidate(layout, path);
  promoteCandidate(layout, name);
  return name;
}

/** Starts a server; `clock.now_ms` is its current time. */
export async function startFake(
  rates = { address: 1000, key: 2000 },
  onResponse?: Metrics['recordResponse'],
  location: string | null = null,
) {
  const { folder, remove } = createFolder();
  const layout = dataLayout(folder);
  mkdirSync(layout.snapshots_dir);
  switchCurrent(layout, writeSnapshot(layout));
  const clock = { now_ms: FRIDAY_NOON_MS };
  const issues: unknown[] = [];
  const process_state = { is_stopping: false };
  const rejected: string[] = [];
  const switches: string[] = [];
  const { code, rendered, visits, slow } = createFakeCode(folder);
  const first = findServableSnapshot(layout);
  if (first === null) throw new Error('The snapshot cannot be served');
  const follower = followCurrentRelease(layout, first, code, {
    onSwitch: (_, to) => switches.push(to),
    onRejection: (id) => switches.push(`rejected ${id}`),
  });
  const site = { url: 'https://hoy.example', name: 'Hoy', contact_email: null };
  // With a short busy timeout, like a server process.
  const inbox = await openInbox(location ?? join(folder, 'inbox.db'), 50);
  const { consumeAllowance } = await createRateLimiter(rates);
  const service: ServiceContext = {
    site,
    rebuild_hours: 6,
    data_dir: folder,
    inbox,
    getCachedPage: createPageCache(layout.pages_dir),
    onInboxWrite: () => {},
    fetchShared: null,
    listWarnings: () => [],
    ...createWorkQueues([]),
    getReleaseStatus: async () => NO_RELEASE_STATUS,
    sources: { list: () => [], pull: async () => {} },
    logEvent: () => {},
    onError: (error) => issues.push(error),
    getLastBuild: () => loadLastBuild(layout),
    getRejection: follower.getRejection,
    isStopping: () => process_state.is_stopping,
    consumeAllowance,
    isLiveKey: async (hash) => hash === sha256Hex('good'),
    trusted_proxies: 0,
  };
  const server = createHttpServer({
    service,
    onResponse,
    getRelease: follower.getRelease,
    clock: () => clock.now_ms,
    onRejected: (kind) => rejected.push(kind),
  });
  const port = await listenOnLocalhost(server);
  return {
    layout,
    clock,
    issues,
    process: process_state,
    rejected,
    switches,
    follower,
    service,
    code,
    rendered,
    visits,
    slow,
    port,
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      ask(port, path, headers, method),
    sendRaw: (text: string, patience_ms = 3000) => sendBytes(port, Buffer.from(text), patience_ms),
    sendForm: (path: string, body: string) => sendBytes(port, buildFormRequest(path, body)),
    stop: async () => {
      await drainServer(server);
      await inbox.close();
      remove();
    },
  };
}

const buildFormRequest = (path: string, body: string): Buffer => {
  const headers = { host: 'hoy.example', 'content-type': 'application/x-www-form-urlencoded' };
  return serializeRequest({ method: 'POST', path, query: '', headers, body });
};

/** Starts a server for all tests of a file, and sets its clock to noon before each test. */
export async function serveFake(...options: Parameters<typeof startFake>) {
  const fake = await startFake(...options);
  beforeEach(() => {
    fake.clock.now_ms = FRIDAY_NOON_MS;
  });
  afterAll(fake.stop);
  return fake;
}

/** Sends a request with exactly the given path, and without the headers that clients add by default. */
async function ask(port: number, path: string, headers: Record<string, string>, method: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers, agent: false };
    sendRequest(options, resolve).on('error', reject).end();
  });
  const bytes = await buffer(response);
  return {
    ...{ status: response.statusCode ?? 0, headers: response.headers },
    ...{ bytes, text: bytes.toString() },
  };
}
