// What stands beside the data of every answer: language, age, attribution, where the docs are
// (interface 2, Meta).
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import type { DayRange } from '../domain/filters/range.ts';
import type { Site } from '../domain/site.ts';
import { toAbsolute, toPagePath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import type { ListMeta, Meta, NoticesMeta } from './wire/meta.ts';

/** The sentence to show with the data (interface 1, usage term 1). */
export function toAttribution(lang: Lang, site: Site): string {
  const known = cached.get(site) ?? byLang((each) => attribute(each, site));
  cached.set(site, known);
  return known[lang];
}

/** Every answer has it, and there is one site. */
const cached = new WeakMap<Site, LocalText>();
const attribute = (lang: Lang, site: Site): string =>
  t(lang, 'meta.attribution', { name: site.name, url: site.url });

/**
 * `generated_at` is the snapshot's, so that the same question gives the same bytes (decisions, HTTP
 * 2).
 */
export function toMeta(generated_at: string, lang: Lang, site: Site): Meta {
  return {
    lang,
    generated_at,
    attribution: toAttribution(lang, site),
    docs: toAbsolute(site.url, toPagePath('docs', lang)),
  };
}

/** `range` null is upcoming from now. */
export function toListMeta(meta: Meta, count: number, range: DayRange | null): ListMeta {
  return {
    ...meta,
    count,
    range: range && { from: range.from.toString(), to: range.to.toString() },
  };
}

/** `date` is the day asked for, YYYY-MM-DD. */
export function toNoticesMeta(meta: Meta, count: number, date: string): NoticesMeta {
  return { ...meta, count, date };
}
