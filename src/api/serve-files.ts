// What programs fetch as a file: the feeds of what is new, the descriptions of API and search, the places
// on a map (contract 8.21, 8.25, 15.2).
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, formatTimestamp } from '../domain/local-time.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { type HttpResponse, JSON_TYPE } from '../http/message.ts';
import {
  API_CATALOG_PATH,
  FEED_FORMATS,
  FEED_KINDS,
  type FeedKind,
  absoluteUrl,
  newsFeedName,
  newsFeedPath,
  pagePath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  API_CATALOG_TYPE,
  OPENSEARCH_TYPE,
  buildApiCatalog,
  buildOpenSearch,
} from '../serializers/discovery.ts';
import {
  ATOM_TYPE,
  type NewsFeedItem,
  JSON_FEED_TYPE,
  toAtom,
  changeFeedItem,
  eventFeedItem,
  toJsonFeed,
  noticeFeedItem,
  urnOfId,
} from '../serializers/news-feeds.ts';
import { buildOpenApi } from '../serializers/openapi/build-document.ts';
import { listNewEvents, listNewNotices, listRecentChanges } from '../snapshot/change-log.ts';
import { findApiExamples } from '../snapshot/list-records.ts';
import { type ApiContext, type OperationCall, createFileResponse } from './operation.ts';

const MAX_ITEMS = 50;
const CHANGES_DAYS = 30;

/** By name: `novedades.atom`, `notices.json`. */
const FEEDS = new Map(
  FEED_KINDS.flatMap((kind) =>
    FEED_FORMATS.flatMap((format) =>
      LANGS.map((lang) => [newsFeedName(kind, format, lang), { kind, format, lang }] as const),
    ),
  ),
);

/** Throws AppError not_found that names the feeds there are. */
export function serveFeed(call: OperationCall): HttpResponse {
  const asked = FEEDS.get(call.id);
  if (asked === undefined)
    throw new AppError(
      'not_found',
      `feed: there is none of this name. Use ${[...FEEDS.keys()].join(', ')}`,
    );
  const { kind, format, lang } = asked;
  const { snapshot, site } = call;
  const feed = {
    id: urnOfId(`feed ${kind} ${lang}`),
    title: t(lang, `feed.${kind}.title`, { site: site.name }),
    subtitle: t(lang, `feed.${kind}.subtitle`),
    page_url: absoluteUrl(site.url, pagePath(kind === 'events' ? 'today' : kind, lang)),
    feed_url: absoluteUrl(site.url, newsFeedPath(kind, format, lang)),
    lang,
    site,
    generated_at: snapshot.generated_at,
    items: listItems(kind, lang, call),
  };
  return format === 'atom'
    ? createFileResponse(call, ATOM_TYPE, toAtom(feed))
    : createFileResponse(call, JSON_FEED_TYPE, toJsonFeed(feed));
}

function listItems(kind: FeedKind, lang: Lang, context: ApiContext): readonly NewsFeedItem[] {
  const { snapshot, site } = context;
  const now_ms = floorToMinute(context.now_ms);
  switch (kind) {
    case 'events':
      return listNewEvents(snapshot, now_ms, MAX_ITEMS).map((card) =>
        eventFeedItem(card, lang, site),
      );
    case 'notices':
      return listNewNotices(snapshot, now_ms, MAX_ITEMS).map((one) =>
        noticeFeedItem(one, lang, site),
      );
    case 'changes': {
      const since = formatTimestamp(snapshot.generated_ms - CHANGES_DAYS * 86_400_000);
      return listRecentChanges(snapshot, { since, limit: MAX_ITEMS }, now_ms).changes.map(
        (change) => changeFeedItem(change, lang, site),
      );
    }
  }
}

/** OpenAPI 3.1, with the categories and zones of the snapshot, and examples that exist in it. */
export function serveOpenApi(call: OperationCall): HttpResponse {
  const { snapshot, site, now_ms } = call;
  const document = buildOpenApi(snapshot.taxonomy, site, findApiExamples(snapshot, now_ms), 'en');
  return createFileResponse(call, JSON_TYPE, JSON.stringify(document));
}

/** HEAD must say where the catalog is (RFC 9727, 2), so GET does too. */
export const serveApiCatalog = (call: OperationCall): HttpResponse =>
  createFileResponse(call, API_CATALOG_TYPE, `${JSON.stringify(buildApiCatalog(call.site))}\n`, {
    link: `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  });

export const serveOpenSearch = (call: OperationCall): HttpResponse =>
  createFileResponse(call, OPENSEARCH_TYPE, buildOpenSearch(parsePathLang(call), call.site));

/** The language that the path names. Throws AppError not_found. */
function parsePathLang({ id }: OperationCall): Lang {
  const lang = LANGS.find((known) => known === id);
  if (lang === undefined)
    throw new AppError(
      'not_found',
      `lang: there is no such description. Use ${LANGS.join(' or ')}`,
    );
  return lang;
}
