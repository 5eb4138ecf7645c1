// What a feed says of itself: zone, terms, and that there is more where its limit cut it
// (decisions, iCalendar 4).
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { t } from '../i18n/translate.ts';
import { toAttribution } from '../serializers/wire/meta.ts';

/** `cut_at`: how many occurrences are in, where there were more; null where all are in. */
export function toFeedDescription(cut_at: number | null, lang: Lang, site: Site): string {
  const description = t(lang, 'ics.description', { attribution: toAttribution(lang, site) });
  return cut_at === null ? description : `${description} ${t(lang, 'ics.cut', { count: cut_at })}`;
}
