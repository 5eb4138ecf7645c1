// How the tests run: projects by kind, so that `check` runs the quick ones and `test` all. Files share what they import
// (`isolate: false`): to import it anew for each took twice the time of the tests.
import { defineConfig } from 'vitest/config';

/** Files at once: without it, one fewer than there are cores, which on two is one. */
const FILES_AT_ONCE = 2;
/** Kills, load, large towns: run by `npm run test:long`. */
const LONG = 'tests/**/*.long.test.ts';
/** How long what is polled may take on a busy machine; what is true at once takes no longer for it. */
const PATIENCE = { poll: { timeout: 15_000 } };

const pick = (name: string, folder: string) =>
  name.endsWith('long')
    ? { include: [`${folder}/*.long.test.ts`] }
    : { include: [`${folder}/*.test.ts`], exclude: [LONG] };

/** Tests that share a built server. */
const BUILT = {
  globalSetup: 'tests/fixtures/shared-setup.ts',
  testTimeout: 120_000,
  hookTimeout: 300_000,
  isolate: false,
  maxWorkers: FILES_AT_ONCE,
  expect: PATIENCE,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [
            'tests/{contract,desk,e2e,inbox,interop,mail,mcp,postgres,releases,server,towns}/**',
          ],
          testTimeout: 30_000,
          maxWorkers: FILES_AT_ONCE,
          isolate: false,
        },
      },
      {
        test: {
          name: 'served',
          include: ['tests/{desk,inbox,mail,mcp,releases,server}/**/*.test.ts'],
          testTimeout: 60_000,
          isolate: false,
          maxWorkers: FILES_AT_ONCE,
          expect: PATIENCE,
        },
      },
      {
        test: {
          name: 'postgres',
          // Together these make every kind of statement that the inbox is asked.
          include: [
            'tests/postgres/**/*.test.ts',
            'tests/desk/{api-keys,calendar-imports,decisions,event-confirmation,import-source,retention,sign-in,submission-limits,submissions,uploads}.test.ts',
            'tests/{inbox,mail}/{batches,decisions,ledger,readers}.test.ts',
          ],
          globalSetup: 'tests/fixtures/postgres-setup.ts',
          testTimeout: 60_000,
          isolate: false,
          maxWorkers: FILES_AT_ONCE,
          expect: PATIENCE,
        },
      },
      ...['built', 'built, long'].map((name) => ({
        test: {
          name,
          ...pick(name, 'tests/{contract,interop}/**'),
          ...BUILT,
        },
      })),
      // The contract in another town, but for what holds of processes and code, and what writes towns of its own.
      {
        test: {
          name: 'merida',
          include: ['tests/{contract,towns}/*.test.ts'],
          exclude: ['tests/contract/{evals,limits,new-town,operated,upgrade}.test.ts', LONG],
          env: { CONTENT_DIR: 'examples/merida' },
          ...BUILT,
        },
      },
      ...['browser', 'browser, long'].map((name) => ({
        test: {
          name,
          ...pick(name, 'tests/e2e/**'),
          globalSetup: 'tests/fixtures/browser-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          maxWorkers: FILES_AT_ONCE,
          expect: PATIENCE,
        },
      })),
    ],
  },
});
