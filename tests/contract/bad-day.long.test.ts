// What `npm run bench -- hostile` does hundreds of times, a few times.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testKills, testSwitches } from '../../bench/hostile.ts';
import { testMachines } from '../../bench/machines.ts';
import { createTown } from '../../bench/service.ts';
import { BUNDLES_DIR } from '../fixtures/built-server.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const makeSmall = (name: string) => createTown(join(folder, name), 30, { BUNDLES_DIR });

test('releases and a rollback under load: no answer fails or is of two releases, and what is off stays off', {
  timeout: 300_000,
}, async () => {
  const { is_met, details } = await testSwitches(await makeSmall('switches'), 4);
  expect(is_met, details).toBe(true);
});

test('kill -9 of builds, rollbacks, decisions and the service: what was acknowledged is there', {
  timeout: 300_000,
}, async () => {
  const { is_met, details } = await testKills(await makeSmall('kills'), 4, () => {});
  expect(is_met, details).toBe(true);
});

test('three machines, of which one, who builds, the database and the counter are killed', {
  timeout: 300_000,
}, async () => {
  const figures = await testMachines(join(folder, 'machines'), 4, () => {}, { BUNDLES_DIR });
  // How fast it is on a machine that does all of it at once, is no matter.
  const [lost, failed] = figures;
  expect([lost, failed]).toMatchObject([{ is_met: true }, { is_met: true }]);
});
