// The load, a program of its own so that it takes no time from what it measures: autocannon, the
// same question, all different, or one that is told whole.
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import * as v from 'valibot';
import { toHttpRequest } from './questions.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    coding: { type: 'string' },
    from: { type: 'string', default: '' },
    asked: { type: 'string', default: '' },
  },
});
let position = Number(values.from);
const setupRequest = (request: autocannon.Request): autocannon.Request => ({
  ...request,
  path: toHttpRequest(position++),
});
const AskedSchema = v.object({
  method: v.picklist(['GET', 'POST']),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.string()),
  /** With which every answer must come. */
  status: v.number(),
});
const asked = values.asked === '' ? null : v.parse(AskedSchema, JSON.parse(values.asked));
const result = await autocannon({
  url: values.url ?? '',
  duration: Number(values.seconds),
  connections: Number(values.connections),
  method: asked?.method ?? 'GET',
  headers: asked?.headers ?? { 'accept-encoding': values.coding ?? 'identity' },
  ...(asked?.body === undefined ? {} : { body: asked.body }),
  ...(values.from === '' ? {} : { requests: [{ setupRequest }] }),
});
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    refused:
      result.errors +
      result.timeouts +
      (asked?.status === 304 ? result['2xx'] + result.non2xx - result['3xx'] : result.non2xx),
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
    position,
  }),
);
