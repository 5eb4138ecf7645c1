// What a bad day can do to releases: those who make them killed, and many of them under load.
import { join } from 'node:path';
import { startServer } from '../fixtures/built-server.ts';
import { copyFixture } from '../fixtures/changing-content.ts';
import { type Finding, type Say, startFindings } from './finding.ts';
import { tryReleaseKills } from './release-kills.ts';
import { trySwitches } from './switches.ts';

/** Both, each in a folder of its own below `folder`. */
export async function attackReleases(
  folder: string,
  kills: number,
  releases: number,
  say: Say,
): Promise<readonly Finding[]> {
  const { findings, note } = startFindings(say);
  const toSettings = (name: string) => ({
    data_dir: join(folder, name, 'data'),
    content_dir: join(folder, name, 'content'),
  });
  const rollbacks = Math.max(1, Math.floor(releases / 3));
  note(await trySwitches(toSettings('switches'), { releases, rollbacks }, say));
  const settings = toSettings('kills');
  const setEdition = copyFixture(settings.content_dir);
  setEdition(0);
  const server = await startServer(settings);
  try {
    note(await tryReleaseKills({ settings, server, setEdition, edition: 0 }, kills, say));
  } finally {
    await server.stop();
  }
  return findings;
}
