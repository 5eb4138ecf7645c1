// The figures of all processes in one place: the primary asks its workers over the channel that the
// cluster has, and who does not answer in time is left out.
import cluster, { type Worker } from 'node:cluster';
import * as v from 'valibot';
import { type Figure, FiguresSchema } from './figure.ts';

/** Reads the figures of a process that serves; `is_first` for one of them, which also counts what all share. */
export type ReadFigures = (is_first: boolean) => Promise<readonly Figure[]>;

const QuestionSchema = v.object({ hoy_asks_figures: v.number(), is_first: v.boolean() });
const AnswerSchema = v.object({ hoy_figures: v.number(), figures: FiguresSchema });

const PATIENCE_MS = 3_000;

/** Makes this worker answer its primary. */
export function answerFigures(read: ReadFigures): void {
  process.on('message', (message: unknown) => {
    const question = v.safeParse(QuestionSchema, message);
    if (!question.success) return;
    const { hoy_asks_figures: id, is_first } = question.output;
    read(is_first).then(
      (figures) => process.send?.({ hoy_figures: id, figures }),
      // The primary counts it among those that did not answer.
      () => {},
    );
  });
}

let last_question = 0;

/** The figures of all workers, how many were asked, and how many answered. */
export async function askWorkers(): Promise<readonly Figure[]> {
  const workers = Object.values(cluster.workers ?? {}).filter(
    (worker) => worker?.isConnected() === true,
  );
  const answers = await Promise.all(
    workers.map((worker, at) => (worker ? askWorker(worker, at === 0) : null)),
  );
  const answered = answers.filter((figures) => figures !== null);
  const toCount = (state: string, value: number) => ({ value, labels: { state } });
  return [
    ...answered.flat(),
    {
      name: 'hoy_workers',
      help: 'Serving processes: those that there are, and those that answered in time.',
      type: 'gauge',
      values: [toCount('started', workers.length), toCount('answering', answered.length)],
    },
  ];
}

/** Null where it does not answer in time. */
function askWorker(worker: Worker, is_first: boolean): Promise<readonly Figure[] | null> {
  const id = ++last_question;
  return new Promise((resolve) => {
    const end = (figures: readonly Figure[] | null): void => {
      clearTimeout(timer);
      worker.off('message', take);
      resolve(figures);
    };
    const take = (message: unknown): void => {
      const answer = v.safeParse(AnswerSchema, message);
      if (answer.success && answer.output.hoy_figures === id) end(answer.output.figures);
    };
    const timer = setTimeout(() => end(null), PATIENCE_MS);
    worker.on('message', take);
    worker.send({ hoy_asks_figures: id, is_first }, (error) => {
      if (error) end(null);
    });
  });
}
