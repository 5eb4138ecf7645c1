// Every visible word: flat keys in es.json and en.json, the same keys in both (tests/i18n).
import type { Lang } from '../domain/lang.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

export type Key = keyof typeof es;
const STRINGS: Readonly<Record<Lang, Readonly<Record<Key, string>>>> = { es, en };

/** The text of a key with its `{name}` parts filled in; a part without a value stays as it is. */
export function t(
  lang: Lang,
  key: Key,
  parts: Readonly<Record<string, string | number>> = {},
): string {
  return STRINGS[lang][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(parts[name] ?? whole),
  );
}

/** `key.one` for 1, `key.other` else, with `{count}` filled in. */
export function tCount(
  lang: Lang,
  key:
    | 'calendar.count'
    | 'desk.duplicates'
    | 'dates.further'
    | 'dates.more'
    | 'events.count'
    | 'notices.count',
  count: number,
): string {
  return t(lang, count === 1 ? `${key}.one` : `${key}.other`, { count });
}
