// The Inspector's command line against the running server: strict schemas, and a tool called as a
// person at a terminal would.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServing } from './serving.ts';

const INSPECTOR = resolve(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
let serving: Awaited<ReturnType<typeof startServing>>;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.fake.stop());

/** Exit code (6: a schema that some client cannot read) and standard output. */
function inspect(
  args: readonly string[],
): Promise<{ code: number | string | null; out: string; said: string }> {
  const all = [INSPECTOR, '--cli', serving.url, '--transport', 'http', ...args, '--format', 'json'];
  return new Promise((done) => {
    execFile(
      process.execPath,
      all,
      { cwd: join(import.meta.dirname, '..'), timeout: 60_000, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        done({
          code: error ? (error.code ?? null) : 0,
          out: stdout,
          said: `${stdout}\n${stderr}`.slice(-4000),
        });
      },
    );
  });
}

test('lists the tools, none with a schema that --strict refuses', async () => {
  const { code, out, said } = await inspect(['--method', 'tools/list', '--strict']);
  expect(code, said).toBe(0);
  for (const name of [
    'buscar_eventos',
    'detalle_evento',
    'eventos_hoy',
    'eventos_fin_de_semana',
    'lugares',
    'avisos_hoy',
    'cambios',
    'enviar_evento',
    'seguir_envio',
  ])
    expect(out).toContain(`"${name}"`);
});

test('calls a tool and gets data and text', async () => {
  const { code, out, said } = await inspect([
    '--method',
    'tools/call',
    '--tool-name',
    'eventos_hoy',
    '--tool-arg',
    'lang=en',
  ]);
  expect(code, said).toBe(0);
  expect(
    v.parse(v.looseObject({ data: v.array(v.unknown()) }), findStructured(JSON.parse(out))).data
      .length,
  ).toBeGreaterThan(0);
});

/** The structuredContent wherever the printed envelope keeps it. */
function findStructured(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('structuredContent' in value) return value.structuredContent;
  return Object.values(value)
    .map(findStructured)
    .find((found) => found !== undefined);
}
