// Where the time of a question goes that nobody asked before: each part in processor time, without the server
// around it.
import { constants, zstdCompressSync } from 'node:zlib';
import { handleApi } from '../../src/api/handle-api.ts';
import { parseEventQuery } from '../../src/domain/filters/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../../src/domain/filters/filters.ts';
import { parseParameters } from '../../src/http/parameters.ts';
import { findHits } from '../../src/snapshot/find-events.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { NOW_MS, SITE_URL } from './bench-town.ts';
import { toHttpRequest } from './questions.ts';

const QUESTIONS = 4_000;
const ROUNDS = 5;
/** Most of what a list of events needs is made once, when it is first asked for. */
const WARMING = 30_000;
/** As a new answer is compressed (src/http/representation.ts). */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const SITE = { url: SITE_URL, name: 'Hoy Cancún', contact_email: null };

/** Microseconds of processor time a question, the least of the rounds. */
export interface QuestionParts {
  readonly read_us: number;
  readonly find_us: number;
  readonly write_us: number;
  readonly compress_us: number;
  readonly body_kb: number;
}

/** Microseconds that `work` takes for each of `all`. */
function measure<T>(all: readonly T[], work: (one: T) => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (const one of all) work(one);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / all.length;
  });
  return Math.min(...rounds);
}

/** Asks a snapshot without a server. */
export function measureParts(snapshot_path: string): QuestionParts {
  const snapshot = openSnapshot(snapshot_path);
  const queries = Array.from({ length: WARMING }, (_, at) => toHttpRequest(at).split('?', 2));
  const read = ([, query = '']: readonly string[]) => {
    const params = parseParameters(query, LIST_PARAMETER_NAMES, []);
    return parseEventQuery(params, snapshot.taxonomy, NOW_MS, 'list', []);
  };
  const find = (query: readonly string[]) => {
    const { filter, lang } = read(query);
    return findHits(snapshot, filter, lang);
  };
  const answer = ([path = '', query = '']: readonly string[]): Buffer => {
    const request = { method: 'GET', path, query, headers: {} } as const;
    const { body } = handleApi(request, { snapshot, now_ms: NOW_MS, site: SITE });
    if (!Buffer.isBuffer(body)) throw new Error(`${path}?${query} is answered without bytes`);
    return body;
  };
  for (const query of queries) answer(query);
  const asked = queries.slice(0, QUESTIONS);
  const bodies = asked.slice(0, QUESTIONS / 10).map(answer);
  const [read_us, found_us, whole_us] = [
    measure(asked, read),
    measure(asked, find),
    measure(asked, answer),
  ];
  const compress_us = measure(bodies, (body) => zstdCompressSync(body, ZSTD));
  closeSnapshot(snapshot);
  return {
    read_us,
    find_us: found_us - read_us,
    write_us: whole_us - found_us,
    compress_us,
    body_kb: bodies.reduce((sum, { length }) => sum + length, 0) / bodies.length / 1024,
  };
}
