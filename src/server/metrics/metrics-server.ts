// /metrics, on a port of its own that no proxy leads to: the figures of all processes as Prometheus
// reads them.
import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Figure } from './figure.ts';

const PATH = '/metrics';

/** A server that does not listen yet. `read` gives all figures; what it throws is told to `onError`. */
export function createMetricsServer(
  read: () => Promise<readonly Figure[]>,
  onError: (thrown: unknown) => void,
): Server {
  return createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    const end = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, {
        'content-type': type,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return end(405, `Only GET ${PATH} is answered here.\n`);
    if (path !== PATH) return end(404, `There is only ${PATH} here.\n`);
    read()
      .then(toText)
      .then((text) => end(200, text, Registry.PROMETHEUS_CONTENT_TYPE))
      .catch((thrown: unknown) => {
        onError(thrown);
        end(500, 'The figures could not be read; the log says why.\n');
      });
  });
}

/** In the text format of Prometheus, each figure once, with the values that all processes have of it. */
export const toText = (figures: readonly Figure[]): Promise<string> =>
  AggregatorRegistry.aggregate([
    figures.map((figure) => ({ ...figure, aggregator: 'sum' })),
  ]).metrics();
