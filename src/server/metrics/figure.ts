// A figure as it goes from process to process and then to Prometheus: prom-client's own form of it, as
// plain JSON.
import * as v from 'valibot';

const ValueSchema = v.object({
  value: v.number(),
  labels: v.record(v.string(), v.union([v.string(), v.number()])),
  /** With the ending of a histogram's parts. */
  metricName: v.optional(v.string()),
});
/** One number of a figure. */
export type FigureValue = v.InferOutput<typeof ValueSchema>;

const FigureSchema = v.object({
  name: v.string(),
  help: v.string(),
  type: v.string(),
  values: v.array(ValueSchema),
});
/** A figure with all its numbers. */
export type Figure = v.InferOutput<typeof FigureSchema>;

/** What a process has to tell. */
export const FiguresSchema = v.array(FigureSchema);

/** A figure of one number. */
export const toGauge = (
  name: string,
  help: string,
  value: number,
  labels: FigureValue['labels'] = {},
): Figure => ({ name, help, type: 'gauge', values: [{ value, labels }] });
