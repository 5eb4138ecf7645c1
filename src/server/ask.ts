// Asks a release without sockets: the handler of the servers, with nobody counted and nothing stored.
import { Readable } from 'node:stream';
import { NO_NEWS } from '../domain/health.ts';
import { type SiteSettings, toSite } from '../domain/site.ts';
import type { HttpRequest } from '../http/message.ts';
import type { EncodedResponse } from '../http/representation.ts';
import { createHeavy } from './heavy.ts';
import { handleRequest } from './http/handle-request.ts';
import type { RequestContext, ServiceContext } from './http/request-context.ts';
import { countNothing } from './limits.ts';

export type Asked = Pick<RequestContext, 'state' | 'service' | 'now_ms'>;

/** A service that counts nothing, knows no key, and builds nothing. */
export function toQuietService(
  settings: SiteSettings & Pick<ServiceContext, 'data_dir'>,
  parts: Pick<ServiceContext, 'inbox' | 'pages' | 'onError'>,
): ServiceContext {
  const site = toSite(settings);
  return {
    ...parts,
    site,
    data_dir: settings.data_dir,
    rebuild_hours: 0,
    ...createHeavy([]),
    onNote: () => {},
    onWritten: () => {},
    bring: null,
    listWorries: () => [],
    readReleaseNews: async () => NO_NEWS,
    sources: { list: () => [], pull: async () => {} },
    lastBuild: () => ({ success: null, failure: null }),
    refusal: () => null,
    isEnding: () => false,
    take: countNothing,
    isLiveKey: async () => false,
    trusted_proxies: 0,
  };
}

export function ask(
  { state, service, now_ms }: Asked,
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
