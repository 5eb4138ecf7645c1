// From "Publicar ahora" to the page: an event is approved in the real town, an editor presses the button, and
// somebody asks for the event's page again and again until it is there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addEditor } from '../../src/desk/editors.ts';
import { toSlug } from '../../src/domain/folding.ts';
import { DESK_PATHS } from '../../src/i18n/paths.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { PROJECT_DIR } from '../../src/releases/layout.ts';
import { publish } from '../fixtures/approved.ts';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { toCookie, toField } from '../fixtures/desk-server.ts';
import { ADDED } from '../fixtures/inbox.ts';
import { toMedian } from './medians.ts';

const PRESSES = 5;
/** What an editor takes to read what was approved, and to press. */
const READS_MS = 10_000;
const LOOK_MS = 25;
/** By then the page is there, or never. */
const MOST_MS = 180_000;
/** From the press to the page. */
export const MOST_PUBLISH_S = 2.5;

/** Presses, and how long each took, seconds. */
export interface PublishNow {
  /** Pressed when what was approved was read. */
  readonly seconds: readonly number[];
  readonly middle_s: number;
  /** Pressed in the moment of the decision. */
  readonly at_once: readonly number[];
}

/** Serves a release of `content/` and publishes events one after the other. */
export async function measurePublishNow(say: (line: string) => void): Promise<PublishNow> {
  const data_dir = mkdtempSync(join(tmpdir(), 'hoy-bench-publish-'));
  const env = { PICTURES: '0', LOG_LEVEL: 'info', WORKERS: '2', SITE_URL: 'http://127.0.0.1:4397' };
  const settings = { data_dir, content_dir: join(PROJECT_DIR, 'content'), env };
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    say('Releasing the real town, and publishing events from the desk');
    const { code, output } = await runCommand('release', [], settings);
    if (code !== 0) throw new Error(`The release ended with ${code}. Its words: ${output}`);
    const password = await addEditor(inbox, 'ana', 0);
    const server = await startServer(settings);
    try {
      const cookie = toCookie(await server.post('/revision/entrar', { name: 'ana', password }));
      const desk = { server, inbox, cookie, say };
      const at_once = await pressAgain(desk, 'at once', 0);
      const seconds = await pressAgain(desk, 'read', READS_MS);
      say(`  the last of them: ${readLastBuild(server.output())}`);
      return { seconds, middle_s: toMedian(seconds), at_once };
    } finally {
      await server.stop();
    }
  } finally {
    inbox.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

interface Desk {
  readonly server: BuiltServer;
  readonly inbox: Inbox;
  readonly cookie: string;
  readonly say: (line: string) => void;
}

/** Presses again and again, each time some while after something was approved. */
async function pressAgain(
  { server, inbox, cookie, say }: Desk,
  name: string,
  pause_ms: number,
): Promise<readonly number[]> {
  const read = async (): Promise<string> => (await server.get('/revision', { cookie })).text();
  const seconds: number[] = [];
  for (let press = 1; press <= PRESSES; press++) {
    const title = `Noche ${name} ${press}`;
    publish(inbox, { title }, { ...ADDED, other_title: `Night ${name} ${press}` });
    await sleep(pause_ms);
    const csrf = toField(await read(), 'csrf');
    const begun_ms = performance.now();
    const answer = await server.post(DESK_PATHS.release, { csrf }, { cookie });
    if (answer.status !== 303) throw new Error(`The desk answers ${answer.status}`);
    await untilThere(server, `/eventos/${toSlug(title)}`, begun_ms);
    seconds.push((performance.now() - begun_ms) / 1000);
    say(`  ${name}: on the page after ${seconds.at(-1)?.toFixed(1)} s`);
  }
  return seconds;
}

async function untilThere(server: BuiltServer, path: string, begun_ms: number): Promise<void> {
  while ((await server.get(path)).status !== 200) {
    if (performance.now() - begun_ms > MOST_MS) throw new Error(`${path} was never there`);
    await sleep(LOOK_MS);
  }
}

/** What the last build said of its steps, with their times. */
function readLastBuild(output: string): string {
  const lines = output.match(/"lines":\[[^\]]*\]/g)?.at(-1) ?? '';
  return [...lines.matchAll(/" {2}([^"…]*\(\d[^"]*\))"/g)].map(([, step]) => step).join(', ');
}
