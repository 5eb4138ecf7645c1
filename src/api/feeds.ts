// What is new in the agenda and the notices as Atom and JSON Feed, in every language (contract 8.21).
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, formatTimestamp } from '../domain/cancun-time.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import {
  FEED_FORMATS,
  FEED_KINDS,
  type FeedKind,
  toAbsolute,
  toNewsFeedName,
  toNewsFeedPath,
  toPagePath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  ATOM_TYPE,
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
import { type ApiContext, type Call, respondFile } from './operation.ts';

const MAX_ITEMS = 50;
const CHANGES_DAYS = 30;

/** By name: `novedades.atom`, `notices.json`. */
const FEEDS = new Map(
  FEED_KINDS.flatMap((kind) =>
    FEED_FORMATS.flatMap((format) =>
      LANGS.map((lang) => [toNewsFeedName(kind, format, lang), { kind, format, lang }] as const),
    ),
  ),
);

/** Throws AppError not_found that names the feeds there are. */
export function serveFeed(call: Call): HttpResponse {
  const asked = FEEDS.get(call.id);
  if (asked === undefined)
    throw new AppError(
      'not_found',
      `feed: there is none of this name. Use ${[...FEEDS.keys()].join(', ')}`,
    );
  const { kind, format, lang } = asked;
  const { snapshot, site } = call;
  const feed = {
    id: toUrn(`feed ${kind} ${lang}`),
    title: t(lang, `feed.${kind}.title`, { site: site.name }),
    subtitle: t(lang, `feed.${kind}.subtitle`),
    page_url: toAbsolute(site.url, toPagePath(kind === 'events' ? 'today' : kind, lang)),
    feed_url: toAbsolute(site.url, toNewsFeedPath(kind, format, lang)),
    lang,
    site,
    generated_at: snapshot.generated_at,
    items: listItems(kind, lang, call),
  };
  return format === 'atom'
    ? respondFile(call, ATOM_TYPE, toAtom(feed))
    : respondFile(call, JSON_FEED_TYPE, toJsonFeed(feed));
}

function listItems(kind: FeedKind, lang: Lang, context: ApiContext): readonly FeedItem[] {
  const { snapshot, site } = context;
  const now_ms = floorToMinute(context.now_ms);
  switch (kind) {
    case 'events':
      return listNewEvents(snapshot, now_ms, MAX_ITEMS).map((card) =>
        toEventItem(card, lang, site),
      );
    case 'notices':
      return listNewNotices(snapshot, now_ms, MAX_ITEMS).map((one) =>
        toNoticeItem(one, lang, site),
      );
    case 'changes': {
      const since = formatTimestamp(snapshot.generated_ms - CHANGES_DAYS * 86_400_000);
      return listTold(snapshot, { since, limit: MAX_ITEMS }, now_ms).changes.map((change) =>
        toChangeItem(change, lang, site),
      );
    }
  }
}
