// Baseline server: a bare node:http server that sends the same buffer for every request.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = '', port, encoding] = process.argv.slice(2);
const body = readFileSync(file);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-encoding': encoding || 'identity',
};

createServer((_, response) => {
  response.writeHead(200, { ...headers, 'content-length': body.length });
  response.end(body);
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('Listo: baseline server\n'));
