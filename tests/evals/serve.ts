// Eval server: builds and serves the eval town.
import { join } from 'node:path';
import { startServer } from '../fixtures/built-server.ts';
import { createFolder } from '../fixtures/folder.ts';
import { CLOCK_START, writeEvalTown } from './town/write-town.ts';

/** Builds and serves the release, which takes about 15 s; `stop` ends the server and deletes the town. */
export async function serveEvalTown() {
  const { folder, remove } = createFolder();
  const [content_dir, data_dir] = [join(folder, 'content'), join(folder, 'data')];
  const settings = { content_dir, data_dir, clock_start: CLOCK_START, env: { PICTURES: '0' } };
  try {
    await writeEvalTown(content_dir, data_dir);
    const { origin, stop } = await startServer(settings);
    return { origin, stop: () => stop().then(remove) };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}
export type EvalServer = Awaited<ReturnType<typeof serveEvalTown>>;
