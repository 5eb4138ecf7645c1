// The chapters about what needs no program: feeds and calendars to follow, the list in a frame, each
// with addresses to copy (contract 8.20, 8.21, 12).
import type { GuideCopy, GuideSection, PathExamples } from '../../domain/api-guide.ts';
import { EMBED_ROWS, THEMES } from '../../domain/embed.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { withQuery } from '../../i18n/api-paths.ts';
import {
  FEED_FORMATS,
  FEED_KINDS,
  toAbsolute,
  toFeedPath,
  toFramePath,
  toNewsFeedPath,
  toPagePath,
  toThingIcsPath,
} from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toSnippet } from '../embed-snippet.ts';

const LIST = { category: 'live-music', free: '1' } as const;
const FRAME = { date: 'weekend', zone: 'isla-mujeres' } as const;
const THINGS = ['event', 'venue', 'organizer'] as const;

type FeedSection = Pick<GuideSection, 'paragraphs' | 'copies'>;

/** Feeds of news and calendars, an address of each kind. */
export function toFeedsSection(site: Site, examples: PathExamples, lang: Lang): FeedSection {
  const copy = (label: string, path: string): GuideCopy => ({
    label,
    text: toAbsolute(site.url, path),
  });
  const news = FEED_KINDS.flatMap((kind) =>
    FEED_FORMATS.map((format) =>
      copy(
        t(lang, `guide.feeds.${kind}`, { format: t(lang, `guide.feeds.${format}`) }),
        toNewsFeedPath(kind, format, lang),
      ),
    ),
  );
  const things = THINGS.map((kind) =>
    copy(
      t(lang, `guide.feeds.${kind}`),
      toThingIcsPath(
        kind,
        byLang(() => examples[kind]),
        lang,
      ),
    ),
  );
  const page = toAbsolute(site.url, toPagePath('calendar', lang));
  return {
    paragraphs: [
      t(lang, 'guide.feeds.news'),
      t(lang, 'guide.feeds.calendars', { url: page }),
      t(lang, 'guide.feeds.limits'),
      t(lang, 'guide.feeds.guide', {
        url: toAbsolute(site.url, toPagePath('docs_calendars', lang)),
      }),
    ],
    copies: [...news, copy(t(lang, 'guide.feeds.list'), toFeedPath(LIST, lang)), ...things],
  };
}

/** The list in a frame of another site: its address, and the element around it. */
export function toEmbedSection(site: Site, lang: Lang): FeedSection {
  const frame = toAbsolute(site.url, withQuery(toFramePath(lang), FRAME));
  const say = (key: Key): string =>
    t(lang, key, {
      path: toFramePath(lang),
      max: EMBED_ROWS.max,
      rows: EMBED_ROWS.fallback,
      themes: THEMES.map((theme) => `\`${theme}\``).join(', '),
      url: toAbsolute(site.url, toPagePath('embed', lang)),
    });
  return {
    paragraphs: [say('guide.embed.frame'), say('guide.embed.rules'), say('guide.embed.page')],
    copies: [
      { label: say('guide.embed.address'), text: frame },
      { label: say('guide.embed.snippet'), text: toSnippet(frame, site.name) },
    ],
  };
}
