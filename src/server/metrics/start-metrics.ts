// Metrics in the primary process: its own figures beside those of whoever serves, on their own port.
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { toLayout } from '../../releases/layout.ts';
import { drain, listen } from '../process/listen.ts';
import type { ReadFigures } from './gather.ts';
import { createMetricsServer } from './metrics-server.ts';
import { readPrimary, type RunCounters } from './primary-figures.ts';
import { measureProcess } from './process-figures.ts';

/** Listens; gives the function that ends it. `readServing` reads what the serving processes measure. */
export async function startMetrics(
  config: Config,
  address: NonNullable<Config['metrics']>,
  log: Logger,
  clock: () => number,
  readServing: ReadFigures,
  counters: RunCounters,
): Promise<() => Promise<void>> {
  const layout = toLayout(config.data_dir);
  // Where this process serves too, that measures it.
  const own = config.workers === 1 ? null : measureProcess();
  const server = createMetricsServer(
    async () => [
      ...((await own?.read()) ?? []),
      ...readPrimary(layout, counters, clock()),
      ...(await readServing(true)),
    ],
    (thrown) => log.error({ err: thrown }, 'the figures could not be read'),
  );
  await listen(server, address);
  return () => drain(server);
}
