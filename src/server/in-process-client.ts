// In-process client: sends requests to the handler of a release without sockets, rate limits or an
// inbox.
import { Readable } from 'node:stream';
import { NO_RELEASE_STATUS } from '../domain/health.ts';
import { type SiteSettings, createSite } from '../domain/site.ts';
import type { HttpRequest } from '../http/message.ts';
import type { EncodedResponse } from '../http/representation.ts';
import { createWorkQueues } from './work-queues.ts';
import { handleRequest } from './http/handle-request.ts';
import type { RequestContext, ServiceContext } from './http/request-context.ts';
import { unlimited } from './rate-limits.ts';

export type InProcessTarget = Pick<RequestContext, 'release' | 'service' | 'now_ms'>;

/** Creates a service without rate limits, API keys and builds. */
export function createInertService(
  settings: SiteSettings & Pick<ServiceContext, 'data_dir'>,
  dependencies: Pick<ServiceContext, 'inbox' | 'getCachedPage' | 'onError'>,
): ServiceContext {
  const site = createSite(settings);
  return {
    ...dependencies,
    site,
    data_dir: settings.data_dir,
    rebuild_hours: 0,
    ...createWorkQueues([]),
    logEvent: () => {},
    onInboxWrite: () => {},
    fetchShared: null,
    listWarnings: () => [],
    getReleaseStatus: async () => NO_RELEASE_STATUS,
    sources: { list: () => [], pull: async () => {} },
    getLastBuild: () => ({ success: null, failure: null }),
    getRejection: () => null,
    isStopping: () => false,
    consumeAllowance: unlimited,
    isLiveKey: async () => false,
    trusted_proxies: 0,
  };
}

/** Sends a GET request, or a POST request if there is a body. */
export function requestInProcess(
  { release, service, now_ms }: InProcessTarget,
  url: string,
  headers: HttpRequest['headers'] = {},
  post_body: string | null = null,
): Promise<EncodedResponse> {
  const [path = '', query = ''] = url.split('?');
  const body = Buffer.from(post_body ?? '');
  return handleRequest({
    request: {
      method: post_body === null ? 'GET' : 'POST',
      path,
      query,
      headers: { host: new URL(service.site.url).host, ...headers },
    },
    sender: 'unknown',
    work: { route: 'other' },
    readBody: async () => body,
    streamBody: () => Readable.from([body])[Symbol.asyncIterator](),
    ...{ release, now_ms, service },
    onError: (error, error_path) => service.onError(error, error_path, 'none'),
  });
}
