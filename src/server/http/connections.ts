// The connections of a front server: so many of one address and in all, where those that wait for nothing go
// first; who does not read an answer, or goes on sending after it, is ended.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toCountedAddress } from './client-address.ts';
import type { OnRefused } from './refusals.ts';

/** What a connection may do. */
export interface ConnectionLimits {
  /** Of one address; null where a proxy stands in front, whose address all of them have. */
  readonly of_address: number | null;
  readonly all: number;
  /** An answer is read within this, and `bytes_a_second` more for what is left of it. */
  readonly read_ms: number;
  readonly bytes_a_second: number;
  /** What is still being sent after the answer may come for so long. */
  readonly linger_ms: number;
  /** How often that is looked at. */
  readonly look_ms: number;
}

/** A slow telephone reads 30 kB a second. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  of_address: 256,
  all: 4_000,
  read_ms: 20_000,
  bytes_a_second: 8_000,
  linger_ms: 10_000,
  look_ms: 1_000,
};

/** A request and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When it must be read, or have been sent, at the latest; null before it is answered. */
  reading_until_ms: number | null;
  sending_until_ms: number | null;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  exchanges: Exchange[];
}

const isOver = ({ request, response }: Exchange): boolean =>
  response.writableFinished && request.complete;

/** Watches the connections of a server until it is closed. */
export function watchConnections(
  server: Server,
  limits: ConnectionLimits,
  onRefused: OnRefused = () => {},
): void {
  const known = new Map<Socket, Connection>();
  const by_address = new Map<string, Set<Connection>>();
  const forget = (connection: Connection): void => {
    known.delete(connection.socket);
    const others = by_address.get(connection.address);
    others?.delete(connection);
    if (others?.size === 0) by_address.delete(connection.address);
  };
  server.on('connection', (socket) => {
    const address = toCountedAddress(socket.remoteAddress ?? 'unknown');
    const own = by_address.get(address) ?? new Set<Connection>();
    const has_room =
      (limits.of_address === null || own.size < limits.of_address || endIdle(own, forget)) &&
      (known.size < limits.all || endIdle(known.values(), forget));
    if (!has_room) {
      onRefused('connection');
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, address, exchanges: [] };
    known.set(socket, connection);
    own.add(connection);
    by_address.set(address, own);
    socket.once('close', () => forget(connection));
  });
  server.on('request', (request, response) => {
    const connection = known.get(request.socket);
    if (connection === undefined) return;
    connection.exchanges = connection.exchanges.filter((exchange) => !isOver(exchange));
    const until = { reading_until_ms: null, sending_until_ms: null };
    connection.exchanges.push({ request, response, ...until });
  });
  const timer = setInterval(() => {
    const now_ms = performance.now();
    for (const { socket, exchanges } of known.values())
      if (exchanges.some((exchange) => isLate(exchange, limits, now_ms))) {
        onRefused('slow_reader');
        socket.destroy();
      }
  }, limits.look_ms);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Ends the one that has waited longest for nothing; whether there was any. */
function endIdle(some: Iterable<Connection>, forget: (ended: Connection) => void): boolean {
  for (const connection of some)
    if (connection.exchanges.every(isOver)) {
      forget(connection);
      connection.socket.destroy();
      return true;
    }
  return false;
}

/** Whether an answer is not read, or a request not sent, in the time there is for it. */
function isLate(exchange: Exchange, limits: ConnectionLimits, now_ms: number): boolean {
  const { request, response } = exchange;
  if (!response.writableEnded || isOver(exchange)) return false;
  if (!response.writableFinished) {
    const { read_ms, bytes_a_second } = limits;
    const more_ms = (response.writableLength / bytes_a_second) * 1000;
    exchange.reading_until_ms ??= now_ms + read_ms + more_ms;
    return now_ms > exchange.reading_until_ms;
  }
  if (request.complete) return false;
  exchange.sending_until_ms ??= now_ms + limits.linger_ms;
  return now_ms > exchange.sending_until_ms;
}
