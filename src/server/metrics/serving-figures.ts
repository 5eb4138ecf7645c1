// The figures of a process that serves.
import { readHealth } from '../http/health.ts';
import type { ReleaseState } from '../http/release-state.ts';
import type { ServiceContext } from '../http/request-context.ts';
import { createDeskFigures } from './desk-figures.ts';
import type { ReadFigures } from './gather.ts';
import { measureProcess } from './process-figures.ts';
import { toServedFigures } from './release-figures.ts';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';

/** What a process that serves measures with. */
export interface ServingMeasures {
  readonly meter: RequestMeter;
  readonly readFigures: ReadFigures;
}

/** Begins to measure; once a process. */
export function measureServing(
  service: ServiceContext,
  current: () => ReleaseState,
  clock: () => number,
): ServingMeasures {
  const { labels, read } = measureProcess();
  const meter = createRequestMeter();
  const readDesk = service.inbox && createDeskFigures(service.inbox);
  return {
    meter,
    readFigures: async (is_first) => {
      const [state, now_ms] = [current(), clock()];
      return [
        ...(await read()),
        ...meter.read(labels),
        ...toServedFigures(readHealth({ state, now_ms, service }), now_ms, labels),
        ...(is_first && readDesk ? readDesk(state.snapshot, now_ms) : []),
      ];
    },
  };
}
