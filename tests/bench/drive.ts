// The load, a program of its own so that it takes no time from what it measures: autocannon, the
// same question or all different.
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { toHttpRequest } from './questions.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    coding: { type: 'string' },
    from: { type: 'string', default: '' },
  },
});
let position = Number(values.from);
const setupRequest = (request: autocannon.Request): autocannon.Request => ({
  ...request,
  path: toHttpRequest(position++),
});
const result = await autocannon({
  url: values.url ?? '',
  duration: Number(values.seconds),
  connections: Number(values.connections),
  headers: { 'accept-encoding': values.coding ?? 'identity' },
  ...(values.from === '' ? {} : { requests: [{ setupRequest }] }),
});
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    refused: result.non2xx + result.errors + result.timeouts,
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
    position,
  }),
);
