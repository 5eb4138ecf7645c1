// Who builds for a service: the process that stands by where there is one, another where that cannot.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createBuilder } from '../../src/releases/builder.ts';
import { readLastBuild } from '../../src/releases/last-build.ts';
import { toLayout } from '../../src/releases/layout.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-builder-'));
afterAll(() => rmSync(folder, { recursive: true }));
const layout = toLayout(folder);

/** A command that says how it was started, waits where it stands by, says what it was told, and ends with a code. */
function writeCommand(code: number): string {
  const path = join(folder, `command-${code}.mjs`);
  writeFileSync(
    path,
    `const is_ahead = process.argv.includes('--stand-by');
    console.log(process.argv.slice(2).join(' '), process.env.CLOCK_START ?? '');
    const { createInterface } = await import('node:readline');
    if (is_ahead) for await (const line of createInterface({ input: process.stdin })) {
      console.log('told', line);
      break;
    }
    if (is_ahead) process.exit(${code});`,
  );
  return path;
}

/** A build, and all that is said in it. */
async function build(builder: ReturnType<typeof createBuilder>, signal?: AbortSignal) {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const order = { layout, now_ms: 1_795_000_000_000, is_urgent: true, say, signal };
  const is_built = await builder.build({ ...order, is_pinned: true });
  return { is_built, lines };
}

/** Resolves with what the process that stands by says first: it is there then. */
const prepare = (builder: ReturnType<typeof createBuilder>): Promise<string> =>
  new Promise((resolve) => builder.prepare(resolve));

test('the process that stands by is told when to build, and for which moment', async () => {
  const builder = createBuilder(writeCommand(0));
  expect(builder.isPrepared()).toBe(false);
  expect(await prepare(builder)).toBe('release --stand-by ');
  expect(builder.isPrepared()).toBe(true);
  expect(await build(builder)).toEqual({
    is_built: true,
    lines: ['told {"now_ms":1795000000000}'],
  });
  // It builds once.
  expect(builder.isPrepared()).toBe(false);
  expect(await build(builder)).toMatchObject({
    is_built: true,
    lines: [expect.stringMatching(/^release 2026-11-1/)],
  });
});

test('where its code is another by then, or it failed, another process builds or says why', async () => {
  const changed = createBuilder(writeCommand(75));
  await prepare(changed);
  expect(await build(changed)).toMatchObject({
    is_built: true,
    lines: [expect.stringMatching(/^told/), expect.stringMatching(/^release 2026-11-1/)],
  });
  const failing = createBuilder(writeCommand(1));
  await prepare(failing);
  expect(await build(failing)).toMatchObject({ is_built: false, lines: [expect.any(String)] });
});

test('one that ended while it stood by is not asked, and one that is dismissed ends', async () => {
  const builder = createBuilder(join(folder, 'there-is-none.mjs'));
  await prepare(builder);
  await expect.poll(() => builder.isPrepared()).toBe(false);
  const standing = createBuilder(writeCommand(0));
  await prepare(standing);
  standing.dismiss();
  expect(standing.isPrepared()).toBe(false);
  expect(await build(standing)).toMatchObject({ lines: [expect.stringMatching(/^release 2026/)] });
});

test('a service that ends ends the build with it, which is no failure', async () => {
  const builder = createBuilder(writeCommand(0));
  await prepare(builder);
  const ending = new AbortController();
  ending.abort();
  expect(await build(builder, ending.signal)).toMatchObject({ is_built: false });
  expect(readLastBuild(layout).failure).toBeNull();
});
