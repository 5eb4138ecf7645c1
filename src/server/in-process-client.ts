// Asks a release without sockets: the handler of the servers, with nobody counted and nothing stored.
import { Readable } from 'node:stream';
import { NO_RELEASE_STATUS } from '../domain/health.ts';
import { type SiteSettings, createSite } from '../domain/site.ts';
import type { HttpRequest } from '../http/message.ts';
import type { EncodedResponse } from '../http/representation.ts';
import { createWorkQueues } from './work-queues.ts';
import { handleRequest } from './http/handle-request.ts';
import type { RequestContext, ServiceContext } from './http/request-context.ts';
import { unlimited } from './rate-limits.ts';

export type InProcessTarget = Pick<RequestContext, 'state' | 'service' | 'now_ms'>;

/** A service that counts nothing, knows no key, and builds nothing. */
export function createInertService(
  settings: SiteSettings & Pick<ServiceContext, 'data_dir'>,
  parts: Pick<ServiceContext, 'inbox' | 'pages' | 'onError'>,
): ServiceContext {
  const site = createSite(settings);
  return {
    ...parts,
    site,
    data_dir: settings.data_dir,
    rebuild_hours: 0,
    ...createWorkQueues([]),
    onNote: () => {},
    onWritten: () => {},
    bring: null,
    listWorries: () => [],
    readReleaseNews: async () => NO_RELEASE_STATUS,
    sources: { list: () => [], pull: async () => {} },
    lastBuild: () => ({ success: null, failure: null }),
    refusal: () => null,
    isEnding: () => false,
    take: unlimited,
    isLiveKey: async () => false,
    trusted_proxies: 0,
  };
}

export function requestInProcess(
  { state, service, now_ms }: InProcessTarget,
  address: string,
  headers: HttpRequest['headers'] = {},
  sent: string | null = null,
): Promise<EncodedResponse> {
  const [path = '', query = ''] = address.split('?');
  const body = Buffer.from(sent ?? '');
  return handleRequest({
    request: {
      method: sent === null ? 'GET' : 'POST',
      path,
      query,
      headers: { host: new URL(service.site.url).host, ...headers },
    },
    sender: 'unknown',
    work: { route: 'other' },
    readBody: async () => body,
    streamBody: () => Readable.from([body])[Symbol.asyncIterator](),
    ...{ state, now_ms, service },
    onError: (thrown, at) => service.onError(thrown, at, 'none'),
  });
}
