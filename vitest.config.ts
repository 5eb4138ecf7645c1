// How the tests run: projects by kind, so that `check` runs the quick ones and `test` all.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/{contract,desk,e2e,inbox,interop,mcp,releases,server}/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'served',
          include: ['tests/{desk,inbox,mcp,releases,server}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'built',
          include: ['tests/{contract,interop}/**/*.test.ts'],
          globalSetup: 'tests/fixtures/shared-setup.ts',
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: 'tests/fixtures/browser-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
