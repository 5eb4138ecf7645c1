// A server on the town of the evals, built and started for them alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../fixtures/built-server.ts';
import { CLOCK_START, writeEvalTown } from './town/write-town.ts';

export interface EvalServer {
  readonly origin: string;
  /** Ends it and deletes its town. */
  readonly stop: () => Promise<void>;
}

/** Builds the release, which takes a quarter of a minute, and serves it. */
export async function serveEvalTown(): Promise<EvalServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-evals-'));
  const content_dir = join(folder, 'content');
  const data_dir = join(folder, 'data');
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await writeEvalTown(content_dir, data_dir);
    const settings = { content_dir, data_dir, clock_start: CLOCK_START, env: { PICTURES: '0' } };
    const { origin, stop } = await startServer(settings);
    return {
      origin,
      stop: async () => {
        await stop();
        clear();
      },
    };
  } catch (thrown) {
    clear();
    throw thrown;
  }
}
