// The yardstick, a program of its own: a bare node:http server that sends one buffer to whoever
// asks.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    body: { type: 'string' },
    port: { type: 'string' },
    coding: { type: 'string', default: '' },
  },
});
const body = readFileSync(values.body ?? '');
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': body.length,
  ...(values.coding === '' ? {} : { 'content-encoding': values.coding }),
};

createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(values.port), '127.0.0.1', () => process.stdout.write('Listo: it answers\n'));
