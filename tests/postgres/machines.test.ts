// Machines with a shared PostgreSQL: all serve the published release, and only one machine publishes. With processes and
// kills: bench/machines.ts.
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
import { inbox, location, queryColumn, queryRows, useInbox } from '../fixtures/inbox.ts';
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

/** Creates the machine of a server. */
function startMachine({ layout }: Releases) {
  const ran: (readonly string[])[] = [];
  const machine = createMachine({
    ...{ database_url: location, inbox, layout, assets: new Map(), clock: () => 0 },
    log: pino({ level: 'silent' }),
    report: () => {},
    createCommandRunner: () => async (words) => {
      ran.push(words);
      return null;
    },
    prepare: async () => {},
    onChange: () => machine.check(),
  });
  onTestFinished(machine.stop);
  return { ...machine, ran };
}

test('a release of one machine is served, reported and rolled back by another', async () => {
  mkdirSync(a.layout.pictures_dir);
  writeFileSync(join(a.layout.pictures_dir, 'outcomes.json'), '{}');
  await a.build();
  setTitle(a, 'Otro nombre');
  const { name } = await a.build();
  const machine = startMachine(b);
  machine.check();
  await expect.poll(() => current(b)).toBe(name);
  await expect.poll(() => machine.getSharedState()).toBe('current');
  const [uploaded, downloaded] = [a, b].map(({ layout }) =>
    readFileSync(snapshotPath(layout, name)),
  );
  expect(downloaded).toEqual(uploaded);
  expect(loadLastBuild(b.layout)).toEqual(loadLastBuild(a.layout));
  const outcomes = join(b.layout.pictures_dir, 'outcomes.json');
  await expect.poll(() => existsSync(outcomes) && readFileSync(outcomes, 'utf8')).toBe('{}');
  expect([machine.isPrimary(), machine.ran.at(-1)]).toEqual([true, ['release', '--warm', name]]);
  // The next release arrives by notification, without polling.
  setTitle(a, 'Tercero');
  await a.build();
  await expect.poll(() => current(b), { interval: 20, timeout: 900 }).toBe(current(a));
  // The previous content was never on this machine.
  await b.build({ origin: 'previous', allow_loss: true });
  expect(b.read(FAIR)?.[0]).toBe('Otro nombre');
  expect(await fetchCurrentRelease(inbox, a.layout)).toMatchObject({ name: current(b) });
});

test('pruned releases and unused pictures are deleted from the database', async () => {
  const picture = `pictures/${'a1'.repeat(16)}/320.webp`;
  await saveSharedFile(inbox, picture, 1, () => Buffer.from('a picture'), 0);
  for (let count = 0; count < 6; count++) await a.build();
  const local_files = readdirSync(a.layout.snapshots_dir).map((file) => `snapshots/${file}`);
  expect(local_files).toHaveLength(3);
  expect(await listSharedFiles(inbox, 'snapshots')).toEqual(local_files.sort());
  expect(await listSharedFiles(inbox, 'pictures')).toEqual([]);
});

test('a build that lost the lock publishes neither release nor ledger', async () => {
  await a.build();
  const before = current(a);
  const ledger = await loadLedger(inbox);
  setTitle(a, 'De quien duerme');
  const build = a.build({
    runSmokeTest: async () => {
      await queryRows(
        inbox,
        'select pg_terminate_backend(pid) from pg_locks where objid = 4810722',
      );
      setTitle(b, 'De quien sigue');
      await b.build();
      return [];
    },
  });
  await expect(build).rejects.toThrow('another machine has started a newer build');
  expect([current(a), loadLastBuild(a.layout).failure?.reason]).toEqual([
    ...[before, expect.stringContaining('not published')],
  ]);
  expect((await getPublishedRelease(inbox))?.name).toBe(current(b));
  const title = (await loadLedger(inbox)).histories.get(FAIR);
  expect(title).not.toBe(ledger.histories.get(FAIR));
  expect(b.read(FAIR)?.[0]).toBe('De quien sigue');
  // The next build continues from the release of the other machine.
  await a.build();
  expect(a.read(FAIR)?.[0]).toBe('De quien duerme');
});

test('a suspended process loses its lock to the next one, and a killed process at once', async () => {
  const module_path = JSON.stringify(
    join(import.meta.dirname, '../../src/inbox/postgres-session.ts'),
  );
  const code = `import { openPostgresSession } from ${module_path};
    const session = await openPostgresSession('${location}', 1500);
    console.log(await session.acquireLock('chores'));
    setInterval(() => console.log(session.isConnected()), 100);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code]);
  await once(holder.stdout, 'data');
  const other = await openPostgresSession(location, 60_000);
  expect(await other.acquireLock('chores')).toBe(false);
  holder.kill('SIGSTOP');
  expect(await other.acquireLock('chores', 10_000)).toBe(true);
  let output = '';
  holder.stdout.on('data', (text) => {
    output += text;
  });
  holder.kill('SIGCONT');
  await expect.poll(() => output).toContain('false');
  holder.kill('SIGKILL');
  other.close();
  const release = await acquireLock({ data_dir: '', database_url: location }, 'chores', 5_000);
  expect(release).not.toBe(null);
  release?.();
});

test('a machine rejects a release of a newer schema and does not build; it rebuilds a damaged one', async () => {
  await a.build();
  const machine = startMachine(b);
  machine.check();
  await expect.poll(() => current(b)).toBe(current(a));
  await queryRows(inbox, "update releases set schema_version = 99, digest = 'new'");
  machine.check();
  await expect.poll(() => machine.getRejection()?.reason).toMatch(/of schema 99/);
  expect([machine.getSharedState(), current(b)]).toEqual(['unknown', current(a)]);
  machine.check();
  await expect.poll(() => machine.isPrimary()).toBe(false);
  await machine.stop();
  await a.build();
  await queryRows(inbox, "update release_files set bytes = bytes || 'x' where n = 0");
  const late = startMachine(b);
  late.check();
  await expect.poll(() => late.getRejection()?.release).toBe(current(a));
  expect(late.getSharedState()).toBe('build_needed');
});

test('assets of another version are fetched from the database and stay; unknown ones are not found', async () => {
  const fake = await startFake();
  onTestFinished(fake.stop);
  const { layout, service, code } = fake;
  await uploadAssets(inbox, layout, code.assets);
  const [[, file = ''] = []] = code.assets;
  const other = new Map([['/_astro/nada.css', file]]);
  await uploadAssets(inbox, layout, other);
  expect(await queryColumn(inbox, 'select path from release_files order by path')).toEqual([
    ...['assets/_astro/a1b2.css', 'assets/_astro/nada.css'],
  ]);
  expect((await fake.ask('/_astro/nada.css')).status).toBe(404);
  Object.assign(service, {
    fetchShared: (path: string) => fetchSharedFile(inbox, layout.data_dir, path),
  });
  fake.clock.now_ms += 60_000;
  expect(await fake.ask('/_astro/nada.css')).toMatchObject({ status: 200, text: 'body{}' });
  expect((await fake.ask('/_astro/nada-mas.css')).status).toBe(404);
  Object.assign(service, { fetchShared: null });
  expect((await fake.ask('/_astro/nada.css')).status).toBe(200);
});

test('only one machine can claim an email', async () => {
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
