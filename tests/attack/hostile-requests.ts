// Hostile requests on bare connections: from what is nearly right to what is no HTTP, and the shapes that make
// two servers see two requests. Each is answered below 500 or closed, in time, with safe headers.
import fc from 'fast-check';
import { raw, request } from '../fixtures/any-request.ts';
import { parseReply, send, SHORT_PATIENCE_MS, toBytes } from '../fixtures/bare-connection.ts';
import type { BuiltServer } from '../fixtures/built-server.ts';
import { countOne, type Finding, inHands, type Say, toCounts } from './finding.ts';

const HANDS = 16;
const BATCH = 500;
const SEED = 20_261_122;
const PATIENCE_MS = 10_000;
const FORM = 'content-type: application/x-www-form-urlencoded\r\n';
const HOST = 'host: agenda.example\r\n';
const CLOSE = 'connection: close\r\n';

/** Each alone on its connection; what stands behind a blank line is what another server might take for a request. */
const SHAPES: readonly string[] = [
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /revision HTTP/1.1\r\n${HOST}\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: 5\r\ncontent-length: 6\r\n\r\na=b&cd`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: +5\r\n\r\na=b&c`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: 0x5\r\n\r\na=b&c`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: -1\r\n\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: 99999999999999999999\r\n\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\na\r\n0\r\n\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}transfer-encoding: chunked\r\n\r\n3;${'x'.repeat(40_000)}\r\na=b\r\n0\r\n\r\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}X: a\r\n b: folded\r\n${CLOSE}\r\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}X\u0000: a\r\n${CLOSE}\r\n`,
  `GET /hoy HTTP/1.1\n${HOST}${CLOSE}\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`,
  `GET http://evil.example/hoy HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}range: bytes=${'0-1,'.repeat(2000)}5-6\r\n${CLOSE}\r\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}accept-encoding: ${'gzip;q=0.1,'.repeat(2000)}br\r\n${CLOSE}\r\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}cookie: ${'desk=x; '.repeat(3000)}\r\n${CLOSE}\r\n`,
  `GET /hoy HTTP/1.1\r\n${HOST}if-none-match: ${'"x", '.repeat(4000)}"y"\r\n${CLOSE}\r\n`,
  `GET /${'a/'.repeat(4000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `GET /hoy?${'a=b&'.repeat(2000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `TRACE /hoy HTTP/1.1\r\n${HOST}cookie: desk=secret\r\n${CLOSE}\r\n`,
  `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `GET /500 HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `GET /..%2f..%2fetc/passwd HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `GET /_astro/..%5c..%5cpackage.json HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `GET //evil.example/%2e%2e HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  `POST /mcp HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 60000\r\n${CLOSE}\r\n${'['.repeat(60_000)}`,
  `POST /publicar HTTP/1.1\r\n${HOST}${FORM}content-length: 400000\r\n${CLOSE}\r\n${'a=b&'.repeat(100_000)}`,
  `POST /publicar HTTP/1.1\r\n${HOST}content-type: multipart/form-data; boundary=${'x'.repeat(5000)}\r\ncontent-length: 0\r\n${CLOSE}\r\n`,
  `POST /publicar HTTP/1.1\r\n${HOST}content-type: multipart/form-data; boundary=f\r\ncontent-length: 66000\r\n${CLOSE}\r\n${'--f\r\n'.repeat(13_200)}`,
];

/** What stands before the answer where it was asked for. */
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;
/** What no answer may say. */
const FOREIGN = /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|root:x:0/;

interface Tried {
  readonly counts: Map<string, number>;
  readonly wrong: string[];
}

async function tryOne(port: number, bytes: Buffer, is_whole: boolean, tried: Tried): Promise<void> {
  const begun_ms = performance.now();
  const patience_ms = is_whole ? PATIENCE_MS : SHORT_PATIENCE_MS;
  const text = (await send(port, bytes, patience_ms)).replace(CONTINUE, '');
  const is_hanging = is_whole && performance.now() - begun_ms >= patience_ms;
  const { status, headers } = parseReply(text);
  countOne(tried.counts, Number.isNaN(status) ? 'closed' : String(status));
  const is_safe = Number.isNaN(status) || headers['x-content-type-options'] === 'nosniff';
  if (is_hanging || status === 500 || status > 503 || !is_safe || FOREIGN.test(text))
    tried.wrong.push(`${bytes.toString('latin1').slice(0, 200)} → ${text.slice(0, 200)}`);
}

/** Sends so many, each as somebody else. */
export async function tryHostile(server: BuiltServer, count: number, say: Say): Promise<Finding> {
  const tried: Tried = { counts: new Map(), wrong: [] };
  const { port } = server;
  await inHands(SHAPES.length, HANDS, (at) =>
    tryOne(port, Buffer.from(SHAPES[at] ?? '', 'latin1'), false, tried),
  );
  for (let done = SHAPES.length, batch = 0; done < count; batch++) {
    const size = Math.min(BATCH, count - done);
    const seed = SEED + batch;
    const whole = fc.sample(request, { numRuns: Math.ceil(size * 0.9), seed });
    const broken = fc.sample(raw, { numRuns: size - whole.length, seed });
    await inHands(whole.length, HANDS, async (at) => {
      const one = whole[at];
      if (one === undefined) return;
      const address = `10.${(batch + at) & 255}.${(at >> 4) & 255}.${at & 255}`;
      const headers = { ...one.headers, 'x-forwarded-for': address };
      await tryOne(port, toBytes({ ...one, headers }), true, tried);
    });
    // Most of them are waited for, and cost nothing meanwhile.
    await inHands(broken.length, HANDS * 4, (at) =>
      tryOne(port, broken[at] ?? Buffer.alloc(1), false, tried),
    );
    done += size;
    if (batch % 20 === 19)
      say(`  ${done} of ${count} hostile requests, ${tried.wrong.length} wrong`);
  }
  for (const line of tried.wrong.slice(0, 5)) say(`  WRONG ${line}`);
  return {
    what: `${count} hostile requests`,
    figures: `${toCounts(tried.counts)}; wrong: ${tried.wrong.length}`,
    is_held: tried.wrong.length === 0,
  };
}
