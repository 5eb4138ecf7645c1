// Machines that share a PostgreSQL: what one publishes all serve, and only one publishes. As processes, under kills:
// tests/machines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openPostgresSession } from '../../src/inbox/postgres-session.ts';
import { loadLedger } from '../../src/inbox/ledger.ts';
import { claimEmails, insertQueuedEmail, listDueEmails } from '../../src/inbox/outbox.ts';
import {
  listSharedFiles,
  saveSharedFile,
  getPublishedRelease,
} from '../../src/inbox/shared-releases.ts';
import { loadLastBuild } from '../../src/releases/last-build.ts';
import {
  fetchSharedFile,
  fetchCurrentRelease,
  uploadAssets,
  acquireLock,
} from '../../src/releases/shared-files.ts';
import { getCurrentName, snapshotPath } from '../../src/releases/snapshots.ts';
import { createMachine } from '../../src/server/process/machine.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { inbox, location, readColumn, readRows, useInbox } from '../fixtures/inbox.ts';
import { type Releases, startReleases } from '../fixtures/releases.ts';
import { startFake } from '../server/fake-release.ts';

useInbox();
let a: Releases;
let b: Releases;
beforeEach(() => {
  [a, b] = [startReleases(location), startReleases(location)];
});
afterEach(() => {
  a.stop();
  b.stop();
});
const current = ({ layout }: Releases): string | null => getCurrentName(layout);
const setTitle = ({ town }: Releases, title: string): void =>
  town.edit('events/feria-diaria', /^title: .*$/m, `title: { es: ${title}, en: Fair }`);
const FAIR = deriveId('event', 'feria-diaria');

/** A machine as a server has it. */
function follow({ layout }: Releases) {
  const ran: (readonly string[])[] = [];
  const machine = createMachine({
    ...{ database_url: location, inbox, layout, assets: new Map(), clock: () => 0 },
    log: pino({ level: 'silent' }),
    run: () => async (words) => {
      ran.push(words);
      return null;
    },
    prepare: async () => {},
    onNews: () => machine.look(),
  });
  onTestFinished(machine.stop);
  return { ...machine, ran };
}

test('what one has built another serves, goes back from, and tells how it went', async () => {
  mkdirSync(a.layout.pictures_dir);
  writeFileSync(join(a.layout.pictures_dir, 'outcomes.json'), '{}');
  await a.build();
  setTitle(a, 'Otro nombre');
  const { name } = await a.build();
  const machine = follow(b);
  machine.look();
  await expect.poll(() => current(b)).toBe(name);
  await expect.poll(() => machine.readShared()).toBe('here');
  const [sent, got] = [a, b].map(({ layout }) => readFileSync(snapshotPath(layout, name)));
  expect(got).toEqual(sent);
  expect(loadLastBuild(b.layout)).toEqual(loadLastBuild(a.layout));
  const outcomes = join(b.layout.pictures_dir, 'outcomes.json');
  await expect.poll(() => existsSync(outcomes) && readFileSync(outcomes, 'utf8')).toBe('{}');
  expect([machine.isFirst(), machine.ran.at(-1)]).toEqual([true, ['release', '--warm', name]]);
  // It hears of the next at once.
  setTitle(a, 'Tercero');
  await a.build();
  await expect.poll(() => current(b), { interval: 20, timeout: 900 }).toBe(current(a));
  // The content before that was never here.
  await b.build({ origin: 'before', allow_loss: true });
  expect(b.read(FAIR)?.[0]).toBe('Otro nombre');
  expect(await fetchCurrentRelease(inbox, a.layout)).toMatchObject({ name: current(b) });
});

test('a release that is kept nowhere any more leaves the store, and so does a picture that nothing shows', async () => {
  const picture = `pictures/${'a1'.repeat(16)}/320.webp`;
  await saveSharedFile(inbox, picture, 1, () => Buffer.from('a picture'), 0);
  for (let at = 0; at < 6; at++) await a.build();
  const here = readdirSync(a.layout.snapshots_dir).map((file) => `snapshots/${file}`);
  expect(here).toHaveLength(3);
  expect(await listSharedFiles(inbox, 'snapshots')).toEqual(here.sort());
  expect(await listSharedFiles(inbox, 'pictures')).toEqual([]);
});

test('who lost the lock publishes nothing, and no ledger', async () => {
  await a.build();
  const before = current(a);
  const ledger = await loadLedger(inbox);
  setTitle(a, 'De quien duerme');
  const sleeper = a.build({
    ask: async () => {
      await readRows(inbox, 'select pg_terminate_backend(pid) from pg_locks where objid = 4810722');
      setTitle(b, 'De quien sigue');
      await b.build();
      return [];
    },
  });
  await expect(sleeper).rejects.toThrow('Another machine builds releases by now');
  expect([current(a), loadLastBuild(a.layout).failure?.reason]).toEqual([
    ...[before, expect.stringContaining('not published')],
  ]);
  expect((await getPublishedRelease(inbox))?.name).toBe(current(b));
  const title = (await loadLedger(inbox)).histories.get(FAIR);
  expect(title).not.toBe(ledger.histories.get(FAIR));
  expect(b.read(FAIR)?.[0]).toBe('De quien sigue');
  // It goes on from what the other has published.
  await a.build();
  expect(a.read(FAIR)?.[0]).toBe('De quien duerme');
});

test('a process that is stopped loses its lock to who asks, and one that ends at once', async () => {
  const link = JSON.stringify(join(import.meta.dirname, '../../src/inbox/postgres-session.ts'));
  const code = `import { openLink } from ${link}; const link = await openLink('${location}', 1500);
    console.log(await link.hold('chores')); setInterval(() => console.log(link.isThere()), 100);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code]);
  await once(holder.stdout, 'data');
  const other = await openPostgresSession(location, 60_000);
  expect(await other.hold('chores')).toBe(false);
  holder.kill('SIGSTOP');
  expect(await other.hold('chores', 10_000)).toBe(true);
  let said = '';
  holder.stdout.on('data', (text) => {
    said += text;
  });
  holder.kill('SIGCONT');
  await expect.poll(() => said).toContain('false');
  holder.kill('SIGKILL');
  other.end();
  const free = await acquireLock({ data_dir: '', database_url: location }, 'chores', 5_000);
  expect(free).not.toBe(null);
  free?.();
});

test('what cannot be read is left, said, and built by nobody here; what is damaged is built anew', async () => {
  await a.build();
  const machine = follow(b);
  machine.look();
  await expect.poll(() => current(b)).toBe(current(a));
  await readRows(inbox, "update releases set schema_version = 99, digest = 'new'");
  machine.look();
  await expect.poll(() => machine.refusal()?.reason).toMatch(/of schema 99/);
  expect([machine.readShared(), current(b)]).toEqual(['unknown', current(a)]);
  machine.look();
  await expect.poll(() => machine.isFirst()).toBe(false);
  await machine.stop();
  await a.build();
  await readRows(inbox, "update release_files set bytes = bytes || 'x' where n = 0");
  const late = follow(b);
  late.look();
  await expect.poll(() => late.refusal()?.release).toBe(current(a));
  expect(late.readShared()).toBe('missing');
});

test('files of another version come from where they are, and stay; what nobody has is not there', async () => {
  const fake = await startFake();
  onTestFinished(fake.stop);
  const { layout, service, code } = fake;
  await uploadAssets(inbox, layout, code.assets);
  const [[, file = ''] = []] = code.assets;
  const other = new Map([['/_astro/nada.css', file]]);
  await uploadAssets(inbox, layout, other);
  expect(await readColumn(inbox, 'select path from release_files order by path')).toEqual([
    ...['assets/_astro/a1b2.css', 'assets/_astro/nada.css'],
  ]);
  expect((await fake.ask('/_astro/nada.css')).status).toBe(404);
  Object.assign(service, {
    bring: (path: string) => fetchSharedFile(inbox, layout.data_dir, path),
  });
  fake.clock.now_ms += 60_000;
  expect(await fake.ask('/_astro/nada.css')).toMatchObject({ status: 200, text: 'body{}' });
  expect((await fake.ask('/_astro/nada-mas.css')).status).toBe(404);
  Object.assign(service, { bring: null });
  expect((await fake.ask('/_astro/nada.css')).status).toBe(200);
});

test('a letter is one machine’s to send', async () => {
  await insertQueuedEmail(inbox, {
    kind: 'digest',
    subject: '2026-11-20',
    detail: '',
    queued_ms: 0,
  });
  const ids = (await listDueEmails(inbox, 1, 9)).map(({ id }) => id);
  const claims = await Promise.all([1, 2, 3].map(() => claimEmails(inbox, ids, 1, 600)));
  expect(claims.filter(Boolean)).toHaveLength(1);
});
