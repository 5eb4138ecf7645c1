// Short run of `npm run bench -- hostile` and `machines`: releases, rollbacks and kills under load.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testKills, testSwitches } from '../../bench/hostile.ts';
import { testMachines } from '../../bench/machines.ts';
import { createTown } from '../../bench/service.ts';
import { BUNDLES_DIR } from '../fixtures/built-server.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const createSmallTown = (name: string) => createTown(join(folder, name), 30, { BUNDLES_DIR });

test('releases and a rollback under load fail no response, mix no releases and restore no cancelled event', {
  timeout: 300_000,
}, async () => {
  const { is_met, details } = await testSwitches(await createSmallTown('switches'), 4, () => {});
  expect(is_met, details).toBe(true);
});

test('kill -9 of builds, rollbacks, decisions and the service loses no acknowledged data', {
  timeout: 300_000,
}, async () => {
  const { is_met, details } = await testKills(await createSmallTown('kills'), 4, () => {});
  expect(is_met, details).toBe(true);
});

test('three machines lose no acknowledged data and fail no request while one of them, the builder, the database or the counter is killed', {
  timeout: 300_000,
}, async () => {
  const figures = await testMachines(join(folder, 'machines'), 4, () => {}, { BUNDLES_DIR });
  // The third figure is speed: not meaningful if one machine runs everything.
  const [lost, failed] = figures;
  expect([lost, failed]).toMatchObject([{ is_met: true }, { is_met: true }]);
});
