// The page of calendars: how to follow, at which addresses, in which app, and what happens when
// something changes (contract 12).
import { type GuideSection, type PathExamples, toSection } from '../../domain/api-guide.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { LIMIT_NUMBERS } from '../../i18n/parameter-words.ts';
import {
  toAbsolute,
  toDateIcsPath,
  toFeedPath,
  toPagePath,
  toThingIcsPath,
} from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';

const FILTERS = { category: 'live-music', free: '1' } as const;
const THINGS = ['event', 'venue', 'organizer'] as const;
const APPS = ['google', 'iphone', 'mac', 'outlook', 'thunderbird'] as const;
const CHANGES = ['uid', 'cancelled', 'refresh'] as const;

/** All of it; `examples` are identifiers that exist, `day` is one on which the event takes place. */
export function toCalendarSections(
  site: Site,
  examples: PathExamples,
  day: string | null,
  lang: Lang,
): readonly GuideSection[] {
  const url = toAbsolute(site.url, toPagePath('calendar', lang));
  const say = (key: Key): string => t(lang, key, { ...LIMIT_NUMBERS, url });
  const copy = (key: Key, path: string) => ({
    label: say(key),
    text: toAbsolute(site.url, path),
  });
  return [
    toSection('follow', say('cal.follow'), [say('cal.follow.follow'), say('cal.follow.button')]),
    toSection(
      'addresses',
      say('cal.addresses'),
      [say('cal.addresses.filters'), say('cal.addresses.webcal')],
      {
        copies: [
          copy('guide.feeds.list', toFeedPath(FILTERS, lang)),
          ...THINGS.map((kind) =>
            copy(
              `guide.feeds.${kind}`,
              toThingIcsPath(
                kind,
                byLang(() => examples[kind]),
                lang,
              ),
            ),
          ),
          ...(day === null
            ? []
            : [copy('cal.address.date', toDateIcsPath(examples.event, day, lang))]),
        ],
      },
    ),
    toSection('apps', say('cal.apps'), [], { points: APPS.map((app) => say(`cal.apps.${app}`)) }),
    toSection(
      'changes',
      say('cal.changes'),
      CHANGES.map((change) => say(`cal.changes.${change}`)),
    ),
    toSection('bring', say('cal.bring'), [
      t(lang, 'cal.bring.how', { url: toAbsolute(site.url, toPagePath('import', lang)) }),
      say('cal.bring.read'),
    ]),
    toSection('times', say('cal.times'), [say('cal.times.zone'), say('cal.times.unknown')]),
  ];
}
