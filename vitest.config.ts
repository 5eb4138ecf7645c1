// Vitest configuration: groups tests into projects, so that `check` runs the quick ones and `test` all. Files
// share their imports (`isolate: false`): importing anew for each file took twice as long as the tests.
import { defineConfig } from 'vitest/config';

/** Parallel test files. The default, one fewer than the cores, would be one on two cores. */
const MAX_WORKERS = 2;
/** Tests with process kills, load or large towns: run by `npm run test:long`. */
const LONG = 'tests/**/*.long.test.ts';
/** Longest wait of polled expectations, for busy machines. */
const POLL_OPTIONS = { poll: { timeout: 15_000 } };

const selectFiles = (name: string, folder: string) =>
  name.endsWith('long')
    ? { include: [`${folder}/*.long.test.ts`] }
    : { include: [`${folder}/*.test.ts`], exclude: [LONG] };

/** Tests that share a built server. */
const BUILT = {
  globalSetup: 'tests/fixtures/shared-setup.ts',
  testTimeout: 120_000,
  hookTimeout: 300_000,
  isolate: false,
  maxWorkers: MAX_WORKERS,
  expect: POLL_OPTIONS,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: [
            'tests/{contract,desk,e2e,fuzz,inbox,interop,mail,mcp,postgres,releases,server,towns}/**',
          ],
          testTimeout: 30_000,
          maxWorkers: MAX_WORKERS,
          isolate: false,
        },
      },
      { test: { name: 'fuzz', include: ['tests/fuzz/*.test.ts'] } },
      {
        test: {
          name: 'served',
          include: ['tests/{desk,inbox,mail,mcp,releases,server}/**/*.test.ts'],
          testTimeout: 60_000,
          isolate: false,
          maxWorkers: MAX_WORKERS,
          expect: POLL_OPTIONS,
        },
      },
      {
        test: {
          name: 'postgres',
          // Together these execute every kind of statement of the inbox.
          include: [
            'tests/postgres/**/*.test.ts',
            'tests/desk/{api-keys,calendar-imports,decisions,event-confirmation,import-source,retention,sign-in,submission-limits,submissions,uploads}.test.ts',
            'tests/{inbox,mail}/{batches,decisions,ledger,readers}.test.ts',
          ],
          globalSetup: 'tests/fixtures/postgres-setup.ts',
          testTimeout: 60_000,
          isolate: false,
          maxWorkers: MAX_WORKERS,
          expect: POLL_OPTIONS,
        },
      },
      ...['built', 'built, long'].map((name) => ({
        test: {
          name,
          ...selectFiles(name, 'tests/{contract,interop}/**'),
          ...BUILT,
        },
      })),
      // The contract tests in another town, except those about the desk, processes and code, or with towns of their own.
      {
        test: {
          name: 'merida',
          include: ['tests/{contract,towns}/*.test.ts'],
          exclude: [
            'tests/contract/{any-input,backup,desk-door,desk-edits,evals,export,limits,new-town,operated,upgrade}.test.ts',
            LONG,
          ],
          env: { CONTENT_DIR: 'examples/merida' },
          ...BUILT,
        },
      },
      ...['browser', 'browser, long'].map((name) => ({
        test: {
          name,
          ...selectFiles(name, 'tests/e2e/**'),
          globalSetup: 'tests/fixtures/browser-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          maxWorkers: MAX_WORKERS,
          expect: POLL_OPTIONS,
        },
      })),
    ],
  },
});
