// What a process tells of itself: memory, processor time, open files, how late its event loop is.
import cluster from 'node:cluster';
import * as v from 'valibot';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Figure, FiguresSchema } from './figure.ts';

/** The measures of this process. */
export interface ProcessMeasures {
  /** `{ process: 'worker-1' }`: what all its figures bear. */
  readonly labels: Readonly<Record<string, string>>;
  readonly read: () => Promise<readonly Figure[]>;
}

/** prom-client says NaN where nothing has been measured yet. */
const RawSchema = v.array(
  v.looseObject({ values: v.array(v.looseObject({ value: v.union([v.number(), v.nan()]) })) }),
);

/** Begins to measure; once a process. */
export function measureProcess(): ProcessMeasures {
  const labels = { process: cluster.worker ? `worker-${cluster.worker.id}` : 'primary' };
  const register = new Registry();
  collectDefaultMetrics({ register, labels });
  return {
    labels,
    read: async () => {
      const raw = v.parse(RawSchema, await register.getMetricsAsJSON());
      const known = raw.map((figure) => ({
        ...figure,
        values: figure.values
          .filter(({ value }) => Number.isFinite(value))
          .map((one) => ({ ...one, labels: { ...labels, ...toLabels(one.labels) } })),
      }));
      return v.parse(FiguresSchema, known);
    },
  };
}

const toLabels = (labels: unknown): object =>
  typeof labels === 'object' && labels !== null ? labels : {};
