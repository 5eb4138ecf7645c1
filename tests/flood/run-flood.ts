// The whole attack: the service with its own limits, an attacker, and amid it an organizer who cancels and
// people who send a new event; then how they stand in the queue of the desk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readQueue } from '../../src/desk/queue.ts';
import { readQueueQuestion } from '../../src/domain/queue/question.ts';
import { QUEUE_GROUPS } from '../../src/domain/queue/waiting.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { readCurrent, toLayout, toReleasePaths } from '../../src/releases/layout.ts';
import { openSnapshot, type Snapshot } from '../../src/snapshot/open.ts';
import { approve } from '../fixtures/approved.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { type Answers, attack, type AttackPlan, listAddresses, toFields } from './attack.ts';

type Say = (line: string) => void;

/** Saturday: within 48 hours of the clock's Friday noon. */
const DAY = '2026-11-21';
/** The form takes nothing sooner after it was shown. */
const PATIENCE_MS = 4_500;
/** Within the minute. */
const MOST_MS = 60_000;
/** The attacker's own, and one in its /24 that has sent nothing. */
const SHARED = '203.0.113.2';
const NEIGHBOUR = '203.0.113.3';

interface Field {
  readonly server: BuiltServer;
  readonly inbox: Inbox;
  readonly snapshot: Snapshot;
  readonly stamp: string;
  readonly say: Say;
}

/** What an honest person did, how long the answer took, and whether it was taken in. */
interface Honest {
  readonly who: string;
  readonly title: string;
  readonly group: (typeof QUEUE_GROUPS)[number];
  readonly took_ms: number;
  readonly is_taken: boolean;
}

async function timed(
  who: string,
  title: string,
  group: Honest['group'],
  call: () => Promise<Response>,
): Promise<Honest> {
  const start = performance.now();
  const answer = await call();
  await answer.arrayBuffer();
  const took_ms = Math.round(performance.now() - start);
  return { who, title, group, took_ms, is_taken: answer.status === 303 };
}

const sendNew = ({ server, stamp }: Field, who: string, title: string, address: string) =>
  timed(who, title, 'soon', () =>
    server.post(
      '/publicar',
      { ...toFields(title, DAY), stamp, step: 'send' },
      { 'x-forwarded-for': address },
    ),
  );

/** Where each stands now, counted from 1 within its group. */
function tellPlaces({ inbox, snapshot, say }: Field, honest: readonly Honest[]): boolean {
  const now_ms = FRIDAY_NOON_MS + 60_000;
  const toPage = (group: string) =>
    readQueue(inbox, snapshot, readQueueQuestion({ group }), now_ms);
  const { counts } = toPage('urgent');
  say(`  the queue: ${QUEUE_GROUPS.map((group) => `${counts[group]} ${group}`).join(', ')}`);
  return honest
    .map(({ who, title, group, took_ms, is_taken }) => {
      const place = toPage(group).items.findIndex((item) => item.title === title) + 1;
      const among = honest.filter((other) => other.group === group).length;
      const is_right = is_taken && place > 0 && place <= among && took_ms <= MOST_MS;
      say(`  ${is_right ? 'ok  ' : 'MISS'} ${who}: ${took_ms} ms, number ${place} of ${group}`);
      return is_right;
    })
    .every(Boolean);
}

const readStamp = async (server: BuiltServer): Promise<string> =>
  /name="stamp" value="([^"]*)"/.exec(await (await server.get('/publicar')).text())?.[1] ?? '';

/** An event that is published, and the token of its organizer. */
function publishOne(inbox: Inbox): string {
  const { reference, token } = sendIn(inbox, { title: 'La noche que se cancela' });
  approve(inbox, reference);
  return token ?? '';
}

async function fight(field: Field, plan: AttackPlan, token: string): Promise<boolean> {
  const { server, say, stamp } = field;
  const addresses = listAddresses(plan.addresses);
  const answers: Answers = new Map();
  const half = Math.floor(plan.submissions / 2);
  const start = performance.now();
  await attack(server, stamp, addresses, [0, half], DAY, answers);
  say(`After ${half} of ${plan.submissions} submissions from ${plan.addresses} addresses:`);
  const meanwhile = attack(server, stamp, addresses, [half, plan.submissions], DAY, answers);
  const honest = [
    await timed(
      'an organizer cancels, from an address that floods',
      'La noche que se cancela',
      'urgent',
      () =>
        server.post(
          `/publicar/estado/${token}`,
          { does: 'cancel', message: 'Llueve.' },
          { 'x-forwarded-for': SHARED },
        ),
    ),
    await sendNew(field, 'a new event, from elsewhere', 'Función de títeres', '198.51.100.20'),
  ];
  const is_right_amid = tellPlaces(field, honest);
  await meanwhile;
  const seconds = Math.round((performance.now() - start) / 1000);
  const last = await sendNew(field, 'another after it', 'Lectura en la plaza', '192.0.2.77');
  const near = await sendNew(field, 'one in the /24 that floods', 'Taller de barro', NEIGHBOUR);
  say(`After all of it, ${seconds} s:`);
  say(
    `  ${[...answers]
      .sort()
      .map(([word, count]) => `${count} × ${word}`)
      .join(', ')}`,
  );
  const is_right = tellPlaces(field, [...honest, last]);
  say(`  ${near.is_taken ? 'ok  ' : 'MISS'} ${near.who}: taken in, ${near.took_ms} ms`);
  return is_right_amid && is_right && near.is_taken;
}

/** Runs it on a town of its own; gives whether everyone honest got through and stands where they should. */
export async function runFlood(plan: AttackPlan, say: Say): Promise<boolean> {
  const data_dir = mkdtempSync(join(tmpdir(), 'hoy-flood-'));
  say('Building a small release and starting the service, some 30 s');
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    const token = publishOne(inbox);
    const env = { TRUST_PROXY: '1', RATE_LIMIT: '60', WORKERS: '2' };
    const server = await startServer({ data_dir, content_dir: FIXTURE_DIR, env });
    try {
      const layout = toLayout(data_dir);
      const { snapshot: path } = toReleasePaths(
        join(layout.releases_dir, readCurrent(layout) ?? ''),
      );
      const stamp = await readStamp(server);
      await new Promise((done) => setTimeout(done, PATIENCE_MS));
      const field = { server, inbox, snapshot: openSnapshot(path), stamp, say };
      return await fight(field, plan, token);
    } finally {
      await server.stop();
    }
  } finally {
    inbox.close();
    rmSync(data_dir, { recursive: true });
  }
}
