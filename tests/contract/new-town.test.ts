// New town command: creates a town, serves its first pages, and applies a changed town.yml after a restart.
import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { loadConfig } from '../../src/config.ts';
import { runCommand, startServer } from '../fixtures/built-server.ts';
import { createTestFolder, waitUntil } from '../fixtures/folder.ts';

const TOWNS = {
  Valparaíso: ['Valparaíso, CL', 'America/Santiago', 'Plan, Cerro Alegre', '-33.05, -71.62'],
  'Coeur d’Alene': ['Idaho, US', 'America/Los_Angeles', 'Downtown, Fernan Lake', '47.67, -116.78'],
  "L'Hospitalet": ['Catalunya, ES', 'Europe/Madrid', 'Centre, Bellvitge', '41.36, 2.1'],
  Aé: ['Jalisco', 'Here', `Sur, ${'n'.repeat(70)}`, ','],
} as const;

async function createTestTown(name: keyof typeof TOWNS) {
  const [content_dir, data_dir] = [createTestFolder(), createTestFolder()];
  const settings = { data_dir, content_dir, clock_start: '2026-11-26T20:00:00Z' };
  const names = ['--state', '--time-zone', '--zones', '--point'];
  const flags = TOWNS[name].flatMap((value, at) => [names[at] ?? '', value]);
  const run = await runCommand('new-town', [content_dir, '--name', name, ...flags], settings);
  return { settings, ...run };
}
const DEFAULT_TOWN_PATTERN = /canc[uú]n|quintana|mujeres|morelos|caribe/i;
const readFile = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');

test.each([
  ['Valparaíso', /languages: \["es","en"\]\n[\s\S]*CLP[\s\S]*"pesos"/],
  ['Coeur d’Alene', /key: "hoy-coeur-dalene".*languages: \["en","es"\]\n.*USD.*"dollars"/s],
  ["L'Hospitalet", /key: "hoy-lhospitalet"[\s\S]*EUR[\s\S]*"euros"/],
] as const)('%s gets valid content without words of the default town', async (name, expected) => {
  const { settings, code, output } = await createTestTown(name);
  expect(output).toContain('npm start');
  expect(readFile(settings.content_dir, 'town.yml')).toMatch(expected);
  const built = await runCommand('snapshot', [], settings);
  expect([code, built.code], built.output).toEqual([0, 0]);
  const second_run = await runCommand('new-town', [settings.content_dir], settings);
  expect(second_run).toEqual({ code: 1, output: expect.stringContaining('is not empty') });
  for (const file of ['town', 'zones', 'categories', 'calendar', 'search-words', 'motifs'])
    expect(readFile(settings.content_dir, `${file}.yml`)).not.toMatch(DEFAULT_TOWN_PATTERN);
});

test('names invalid options if it cannot ask', async () => {
  const { output } = await createTestTown('Aé');
  expect(output).toContain('wrong: --state, --time-zone, --zones, --point.');
});

test('a new town is served, and a restart applies its town.yml', async () => {
  const { settings } = await createTestTown('Coeur d’Alene');
  const { content_dir } = settings;
  const server = await startServer({ ...settings, env: { LOG_LEVEL: 'info' } });
  const read = async (path: string) => (await server.get(path)).text();
  for (const path of ['/hoy', '/en/today', '/en/today.md', '/llms.txt'])
    expect(await read(path)).toContain('Coeur d’Alene Today');
  // The new town has no organizer for the example.
  expect(await read('/en/docs/calendars.md')).not.toContain('/organizers/');
  expect(await read('/en/docs')).not.toMatch(/href="[^"]*%7B/);
  expect(await read('/hoy')).toContain('.bar .brand{flex:');
  for (const path of ['/nothing', '/nothing.md'])
    expect(await read(path)).toContain('Nothing here');
  expect(await read('/en/week.md')).toContain('Example: Friday get-together');
  expect(await read('/api/v1/events.ics')).toMatch(/TZID:America\/Los_Angeles.*TZOFFSETTO:-0800/s);
  const answer = await server.callTool('buscar_eventos', { q: 'example', lang: 'en' });
  expect(await answer.text()).toContain('Example: Friday get-together');
  const sent = await server.callTool('enviar_evento', {
    ...{ title: 'Fiddle night', description: 'Fiddles and flutes, all welcome.' },
    ...{ category: 'live-music', start: '2026-12-11T20:00', venue: 'plaza-de-ejemplo' },
  });
  expect(await sent.text()).toMatch(/Received: HCD-[2-9A-Z]{6}\./);

  const StatusSchema = v.object({ attention: v.array(v.string()), release: v.string() });
  const readStatus = async () => v.parse(StatusSchema, JSON.parse(await read('/statusz')));
  const { release } = await readStatus();
  const town = readFile(content_dir, 'town.yml');
  const custom_colors = '\ncolours:\n  light: { link: "#7a2e12" }\n';
  const changed_town = town.replace('America/Los_Angeles', 'Europe/Paris') + custom_colors;
  writeFileSync(join(content_dir, 'town.yml'), changed_town);
  await waitUntil('the change is logged', () => server.count('restart to apply it') === 1);
  expect((await readStatus()).attention).toEqual([expect.stringMatching('^town: .* has changed')]);
  expect((await runCommand('release', ['--allow-loss'], settings)).code).toBe(0);
  await waitUntil('the release is rejected', () => server.count('release rejected') > 0);
  const status = await readStatus();
  expect(status).toMatchObject({ release });
  expect(status.attention).toContainEqual(expect.stringMatching(/^switch: .* another town\.yml/));
  expect(await read('/api/v1/events.ics')).toContain('America/Los_Angeles');
  // The service polls once a second, and does not build a release itself meanwhile.
  await sleep(1_200);
  expect(server.count('"a build started"')).toBe(1);
  await server.stop();
  const second_run = await startServer(settings);
  const feed = await second_run.get('/api/v1/events.ics');
  expect(await feed.text()).toContain('TZID:Europe/Paris');
  for (const path of ['/hoy', '/embed']) {
    const page = await second_run.get(path);
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await page.text()) ?? [];
    expect(style).toContain('#7a2e12');
    const digest = hash('sha256', style, 'base64');
    expect(page.headers.get('content-security-policy')).toContain(`'sha256-${digest}'`);
  }
  await second_run.stop();
  const default_town_settings = { ...settings, content_dir: loadConfig().content_dir };
  const rejected = await runCommand('release', ['--allow-loss'], default_town_settings);
  expect(rejected.output).toContain(
    'DATA_DIR belongs to hoy-coeur-dalene. Set another DATA_DIR for hoy-cancun',
  );
  const invalid_town = town.replace('America/Los_Angeles', 'Mars"\nkye: "x');
  writeFileSync(join(content_dir, 'town.yml'), invalid_town);
  rmSync(join(content_dir, 'zones.yml'));
  const { output } = await runCommand('start', [], settings);
  expect(output).toMatch(
    /town\.yml:13 time_zone: must be .*\n.*town\.yml:14 kye: is not a .*\n.*zones\.yml is missing/,
  );
});
