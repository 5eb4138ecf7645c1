// Whether this process lives and may be sent visitors. Only what it cannot serve with takes it out: what
// is wrong with content, a build or the schedule is the same for all processes, and no reason to have
// none (/statusz tells that).
import { existsSync } from 'node:fs';
import { type HttpResponse, toJsonResponse } from '../../http/message.ts';
import { NO_STORE } from '../../http/response-headers.ts';
import { isStored } from '../../releases/file-store.ts';
import type { RequestContext } from './request-context.ts';

const HEADERS = { 'cache-control': NO_STORE } as const;
/** SQLite's name for a database without a file. */
const IN_MEMORY = ':memory:';

/** 200 from a process that still takes requests; there is no other answer. */
export const toLiveness = (): HttpResponse => toJsonResponse(200, { status: 'alive' }, HEADERS);

/** 200, or 503 with every reason. */
export function toReadiness(context: RequestContext): HttpResponse {
  const reasons = [...listReasons(context)];
  const is_ready = reasons.length === 0;
  return toJsonResponse(
    is_ready ? 200 : 503,
    { status: is_ready ? 'ready' : 'not ready', release: context.state.id, reasons },
    HEADERS,
  );
}

function* listReasons({ state, service }: RequestContext): Iterable<string> {
  if (service.watch.isEnding()) yield 'process: it was told to end';
  const port = service.watch.replacedBy();
  if (port !== null) yield `owner: the service on port ${port} has taken over`;
  const [file] = state.files.values();
  if (file !== undefined && !isStored(state.store_dir, file))
    yield 'pages: the files of the release are gone. Put DATA_DIR back, or build a release';
  const { inbox } = service;
  if (inbox !== null && inbox.name !== IN_MEMORY && !existsSync(inbox.name))
    yield 'inbox: inbox.db is gone, so nothing sent in would be kept. Put it back and start again';
}
