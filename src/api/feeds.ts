// GET /feeds/{feed}: what is new in the agenda and the notices as Atom and JSON Feed, in every
// language (contract 8.21); GET /opensearch/{lang}.xml: how a browser asks our search (8.22).
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, formatTimestamp } from '../domain/cancun-time.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import {
  FEED_FORMATS,
  FEED_KINDS,
  type FeedFormat,
  type FeedKind,
  toAbsolute,
  toNewsFeedName,
  toNewsFeedPath,
  toPagePath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { OPENSEARCH_TYPE, toOpenSearch } from '../serializers/discovery/discovery.ts';
import {
  ATOM_TYPE,
  type Feed,
  type FeedItem,
  JSON_FEED_TYPE,
  toAtom,
  toChangeItem,
  toEventItem,
  toJsonFeed,
  toNoticeItem,
  toUrn,
} from '../serializers/feed.ts';
import { listNewEvents, listNewNotices, listTold } from '../snapshot/changes.ts';
import { type ApiContext, type Call, toFreshness } from './operation.ts';

export const FEED_ITEMS = 50;
const CHANGES_DAYS = 30;

interface Asked {
  readonly kind: FeedKind;
  readonly format: FeedFormat;
  readonly lang: Lang;
}

/** By name: `novedades.atom`, `notices.json`. */
const FEEDS: ReadonlyMap<string, Asked> = new Map(
  FEED_KINDS.flatMap((kind) =>
    FEED_FORMATS.flatMap((format) =>
      LANGS.map((lang) => [toNewsFeedName(kind, format, lang), { kind, format, lang }] as const),
    ),
  ),
);

function toFeed({ kind, format, lang }: Asked, context: ApiContext): Feed {
  const { snapshot, site } = context;
  const now_ms = floorToMinute(context.now_ms);
  return {
    id: toUrn(`feed ${kind} ${lang}`),
    title: t(lang, `feed.${kind}.title`, { site: site.name }),
    subtitle: t(lang, `feed.${kind}.subtitle`),
    page_url: toAbsolute(site.url, toPagePath(kind === 'events' ? 'today' : kind, lang)),
    feed_url: toAbsolute(site.url, toNewsFeedPath(kind, format, lang)),
    lang,
    site,
    generated_at: snapshot.generated_at,
    items: listItems(kind, lang, { snapshot, now_ms, site }),
  };
}

function listItems(
  kind: FeedKind,
  lang: Lang,
  { snapshot, now_ms, site }: ApiContext,
): readonly FeedItem[] {
  switch (kind) {
    case 'events':
      return listNewEvents(snapshot, now_ms, FEED_ITEMS).map((card) =>
        toEventItem(card, lang, site),
      );
    case 'notices':
      return listNewNotices(snapshot, now_ms, FEED_ITEMS).map((one) =>
        toNoticeItem(one, lang, site),
      );
    case 'changes': {
      const since = formatTimestamp(snapshot.generated_ms - CHANGES_DAYS * 86_400_000);
      return listTold(snapshot, { since, limit: FEED_ITEMS }, now_ms).changes.map((change) =>
        toChangeItem(change, lang, site),
      );
    }
  }
}

/** A feed; throws AppError not_found that names those there are. */
export function toFeedResponse({ id, context }: Call): HttpResponse {
  const asked = FEEDS.get(id);
  if (asked === undefined)
    throw new AppError(
      'not_found',
      `feed: there is none of this name. Use ${[...FEEDS.keys()].join(', ')}`,
    );
  const feed = toFeed(asked, context);
  const [type, body] =
    asked.format === 'atom' ? [ATOM_TYPE, toAtom(feed)] : [JSON_FEED_TYPE, toJsonFeed(feed)];
  return {
    status: 200,
    headers: { 'content-type': type, 'cache-control': toFreshness(context.now_ms) },
    body,
  };
}

export function toOpenSearchResponse({ id, context }: Call): HttpResponse {
  const lang = LANGS.find((known) => known === id);
  if (lang === undefined)
    throw new AppError(
      'not_found',
      `lang: there is no such description. Use ${LANGS.join(' or ')}`,
    );
  return {
    status: 200,
    headers: { 'content-type': OPENSEARCH_TYPE, 'cache-control': toFreshness(context.now_ms) },
    body: toOpenSearch(lang, context.site),
  };
}
