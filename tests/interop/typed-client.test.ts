// Types made of the served description by openapi-typescript: a small client compiles on them under
// strict, and what it says of the running server is so.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { startFake } from '../server/fake-release.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
/** Where tests/interop/typed-client/tsconfig.json looks for them. */
const TYPES_DIR = join(ROOT, 'node_modules/.cache/typed-client');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const CLIENT_DIR = join(import.meta.dirname, 'typed-client');

/** What the compiler says of the client; empty where it takes it. */
const compile = (): Promise<string> =>
  run(process.execPath, [TSC, '-p', CLIENT_DIR]).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );

test('a typed client generated from the description compiles and reads the server', async () => {
  const fake = await startFake({ address: 1_000_000, key: 1_000_000 });
  try {
    const { text } = await fake.ask('/api/openapi.json');
    mkdirSync(TYPES_DIR, { recursive: true });
    const types = astToString(await openapiTS(text));
    expect(/: any\b|<any>/.test(types)).toBe(false);
    writeFileSync(join(TYPES_DIR, 'api.d.ts'), types);
    expect(await compile()).toBe('');
    const address = `http://127.0.0.1:${fake.port}`;
    const { stdout } = await run(process.execPath, [join(CLIENT_DIR, 'client.ts'), address]);
    const said: unknown = JSON.parse(stdout);
    const list = await fake.ask('/api/v1/events?date=weekend&limit=3&free=1&lang=en');
    const titles = JSON.parse(list.text).data.map(
      ({ title, next }: { readonly title: string; readonly next: { readonly date: string } }) =>
        `${title} ${next.date}`,
    );
    const [first] = JSON.parse((await fake.ask('/api/v1/events?limit=1')).text).data;
    const detail = JSON.parse((await fake.ask(`/api/v1/events/${first.id}`)).text);
    expect(titles.length).toBeGreaterThan(0);
    expect(said).toEqual({
      titles,
      dates: detail.data.occurrences.length,
      fault: [404, 'not_found', 'forget it'],
    });
  } finally {
    await fake.stop();
  }
});
