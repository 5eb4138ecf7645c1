// File operations: serve documents other than `{data, meta}`: the news feeds, the OpenAPI document,
// the API catalog and the OpenSearch descriptions (contract 8.21, 8.25, 15.2).
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

const MAX_FEED_ITEMS = 50;
/** The feed of the change log has entries of this many days before the release. */
const CHANGES_FEED_DAYS = 30;

const DAY_MS = 86_400_000;

/** Feeds by file name, for example `novedades.atom`, `notices.json`. */
const FEEDS_BY_NAME = new Map(
  FEED_KINDS.flatMap((kind) =>
    FEED_FORMATS.flatMap((format) =>
      LANGS.map((lang) => [newsFeedName(kind, format, lang), { kind, format, lang }] as const),
    ),
  ),
);

/** Serves the news feed with the file name `id`. @throws AppError not_found, listing all feeds. */
export function serveFeed(call: OperationCall): HttpResponse {
  const feed_key = FEEDS_BY_NAME.get(call.id);
  if (feed_key === undefined)
    throw new AppError(
      'not_found',
      `feed: unknown name. Use ${[...FEEDS_BY_NAME.keys()].join(', ')}`,
    );
  const { kind, format, lang } = feed_key;
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
    items: listFeedItems(kind, lang, call),
  };
  return format === 'atom'
    ? createFileResponse(call, ATOM_TYPE, toAtom(feed))
    : createFileResponse(call, JSON_FEED_TYPE, toJsonFeed(feed));
}

/** Lists the items of a feed, the newest first. */
function listFeedItems(kind: FeedKind, lang: Lang, context: ApiContext): readonly NewsFeedItem[] {
  const { snapshot, site } = context;
  const now_ms = floorToMinute(context.now_ms);
  switch (kind) {
    case 'events':
      return listNewEvents(snapshot, now_ms, MAX_FEED_ITEMS).map((event) =>
        eventFeedItem(event, lang, site),
      );
    case 'notices':
      return listNewNotices(snapshot, now_ms, MAX_FEED_ITEMS).map((notice) =>
        noticeFeedItem(notice, lang, site),
      );
    case 'changes': {
      const since = formatTimestamp(snapshot.generated_ms - CHANGES_FEED_DAYS * DAY_MS);
      return listRecentChanges(snapshot, { since, limit: MAX_FEED_ITEMS }, now_ms).changes.map(
        (change) => changeFeedItem(change, lang, site),
      );
    }
  }
}

/** Serves OpenAPI 3.1 in English, with categories, zones and examples of the snapshot. */
export function serveOpenApi(call: OperationCall): HttpResponse {
  const { snapshot, site, now_ms } = call;
  const document = buildOpenApi(snapshot.taxonomy, site, findApiExamples(snapshot, now_ms), 'en');
  return createFileResponse(call, JSON_TYPE, JSON.stringify(document));
}

/** Serves the API catalog. HEAD must link to it (RFC 9727, 2), so GET does too. */
export const serveApiCatalog = (call: OperationCall): HttpResponse =>
  createFileResponse(call, API_CATALOG_TYPE, `${JSON.stringify(buildApiCatalog(call.site))}\n`, {
    link: `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  });

/** Serves the OpenSearch description in the language of the path. */
export const serveOpenSearch = (call: OperationCall): HttpResponse =>
  createFileResponse(call, OPENSEARCH_TYPE, buildOpenSearch(parsePathLang(call), call.site));

/** Parses the language in the path. @throws AppError not_found, listing the languages. */
function parsePathLang({ id }: OperationCall): Lang {
  const lang = LANGS.find((known) => known === id);
  if (lang === undefined)
    throw new AppError('not_found', `lang: unknown language. Use ${LANGS.join(' or ')}`);
  return lang;
}
