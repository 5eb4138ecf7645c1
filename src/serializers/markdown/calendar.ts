// The calendar page as Markdown: the feed of a choice, the ways to subscribe to it, what is in it.
import type { EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toGoogleUrl, toOutlookUrl, toWebcalUrl } from '../../i18n/links.ts';
import {
  FEED_FORMATS,
  FEED_KINDS,
  PAGE_PATHS,
  toAbsolute,
  toNewsFeedPath,
} from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { toDoubtEntry, toEventEntry } from './event-entry.ts';
import { heading, inlineCode, link, list, paragraph, plain, text } from './nodes.ts';

interface ChosenFeed {
  readonly feed: {
    readonly name: string;
    readonly url: string;
    readonly count: number;
    readonly is_cut: boolean;
    readonly upcoming: readonly EventCard[];
  } | null;
}

export function toCalendarMarkdown({ feed }: ChosenFeed, lang: Lang, site: Site): string {
  return toDocument(
    {
      title: t(lang, 'calendar.title'),
      about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS.calendar,
    },
    [
      paragraph(plain(t(lang, 'calendar.lead'))),
      paragraph(
        text(`${t(lang, 'md.choose')} `),
        inlineCode('?category=…&zone=…&free=1&family=1&indoor=1&lang=…'),
      ),
      ...(feed === null ? [] : toFeedSection(feed, lang, site)),
      heading(2, plain(t(lang, 'feed.title'))),
      paragraph(plain(t(lang, 'feed.about'))),
      list(
        FEED_KINDS.map((kind) => [
          text(`${t(lang, `feed.${kind}.name`)}: `),
          ...FEED_FORMATS.flatMap((format, at) => {
            const url = toAbsolute(site.url, toNewsFeedPath(kind, format, lang));
            return [...(at === 0 ? [] : [text(' · ')]), link(url, url)];
          }),
        ]),
      ),
    ],
    lang,
    site,
  );
}

function toFeedSection(feed: NonNullable<ChosenFeed['feed']>, lang: Lang, site: Site) {
  const { name, url, count, is_cut, upcoming } = feed;
  const tally =
    count === 0
      ? t(lang, 'calendar.none')
      : is_cut
        ? t(lang, 'calendar.cut', { count })
        : tCount(lang, 'calendar.count', count);
  return [
    heading(2, plain(name)),
    paragraph(plain(tally)),
    list([
      [text(`${t(lang, 'subscribe.address')}: `), link(url, url)],
      [link(toWebcalUrl(url), t(lang, 'subscribe.webcal'))],
      [link(toGoogleUrl(url), t(lang, 'subscribe.google'))],
      [link(toOutlookUrl(url, name), t(lang, 'subscribe.outlook'))],
    ]),
    paragraph(plain(t(lang, 'subscribe.delay'))),
    ...(upcoming.length === 0 ? [] : [paragraph(plain(t(lang, 'calendar.next')))]),
    ...toDoubtEntry(upcoming, lang),
    ...upcoming.flatMap((card) => toEventEntry(card, lang, site, 3, false)),
  ];
}
