// What was added, changed, cancelled or withdrawn, by day, as Markdown.
import type { Temporal } from 'temporal-polyfill';
import type { ChangeRecord } from '../../domain/changed-thing.ts';
import type { Lang, LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toChangedDetail, toChangedName, toChangedPath } from '../../i18n/change-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { API_PATHS, withQuery } from '../../i18n/api-paths.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { heading, link, list, paragraph, plain, strong, text } from './nodes.ts';

interface ToldChanges {
  readonly since: Temporal.PlainDate;
  readonly days: readonly {
    readonly day: Temporal.PlainDate;
    readonly changes: readonly ChangeRecord[];
  }[];
  readonly total: number;
  readonly shown: number;
  readonly meta: { readonly query?: LocalText };
}

/** One change as an item of a list: what happened, to what, when it takes place. */
export function toChangeItem(change: ChangeRecord, lang: Lang, site: Site) {
  const detail = toChangedDetail(change, lang);
  const name = toChangedName(change, lang);
  return [
    strong(t(lang, `changes.word.${change.change}`)),
    text(': '),
    change.thing === null
      ? plain(name)
      : link(toAbsolute(site.url, toChangedPath(change.thing, lang)), name),
    ...(detail === null ? [] : [text(` · ${detail}`)]),
  ];
}

export function toChangesMarkdown(page: ToldChanges, lang: Lang, site: Site): string {
  const { since, days, total, shown, meta } = page;
  const since_day = toLongDay(since, lang);
  const api = toAbsolute(
    site.url,
    withQuery(API_PATHS.listChanges, { since: since.toString(), lang }),
  );
  return toDocument(
    {
      title: t(lang, 'changes.title'),
      about: t(lang, 'changes.about', {
        changes: tCount(lang, 'changes.count', total),
        day: since_day,
      }),
      terms: t(lang, 'md.terms', { name: site.name }),
      path: PAGE_PATHS.changes,
      ...(meta.query && { query: meta.query }),
    },
    [
      ...(total === 0 ? [paragraph(plain(t(lang, 'changes.none', { day: since_day })))] : []),
      ...days.flatMap(({ day, changes }) => [
        heading(2, plain(toLongDay(day, lang))),
        list(changes.map((change) => toChangeItem(change, lang, site))),
      ]),
      ...(total > shown
        ? [paragraph(plain(tCount(lang, 'changes.more', total - shown)), text(' '), link(api, api))]
        : []),
    ],
    lang,
    site,
  );
}
