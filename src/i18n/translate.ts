// Translations: looks up visible texts by flat keys, the same in each language file (tests/i18n). A
// new language needs its file, a line here and a line in domain/lang.ts.
import { TOWN } from '../town.ts';
import { type ByLang, byLang, type Lang, LANGS } from '../domain/lang.ts';
import { OFFSETS, formatUtcOffset } from '../domain/local-time.ts';
import { MAX_PICTURE_MB } from '../domain/pictures.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

/** Key of a text in the language files: `date.long`. */
export type MessageKey = keyof typeof es;
export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(es, text);
/** Texts by language, with the town's own texts in place of the defaults. */
const MESSAGES: ByLang<Record<MessageKey, string>> = { es: { ...es }, en: { ...en } };
for (const [key, text] of Object.entries(TOWN.words))
  if (isMessageKey(key)) for (const lang of LANGS) MESSAGES[lang][key] = text[lang];

/** Cache of texts split at placeholders: literal text and placeholder names in turn. */
const PIECES = new Map<string, readonly string[]>();

function splitPlaceholders(text: string): readonly string[] {
  const pieces = PIECES.get(text) ?? text.split(/\{(\w+)\}/);
  PIECES.set(text, pieces);
  return pieces;
}

/** Cached values of the placeholders that any text may have: `{town}`, `{utc}`, `{picture_mb}`. */
let town_placeholders: ByLang<Readonly<Record<string, string>>> | undefined;

/** Returns the values of the placeholders that any text may have; computes them on first use. */
export const loadTownPlaceholders = (lang: Lang): Readonly<Record<string, string>> => {
  town_placeholders ??= byLang((text_lang) => {
    const utc = OFFSETS.map(formatUtcOffset).join('/');
    const key = OFFSETS.length === 1 ? 'town.steady' : 'town.saving';
    return {
      town: TOWN.name[text_lang],
      area: TOWN.area[text_lang],
      money: TOWN.currency.name[text_lang],
      currency: TOWN.currency.code,
      // Spanish has the country code, English has none.
      region: text_lang === 'es' ? `-${TOWN.country}` : '',
      time_zone: TOWN.time_zone,
      utc,
      utc_rule: MESSAGES[text_lang][key].replace('{utc}', utc),
      links: MESSAGES[text_lang]['town.links'],
      live: MESSAGES[text_lang]['town.live'],
      outings: MESSAGES[text_lang]['town.outings'],
      places: MESSAGES[text_lang]['town.places'],
      picture_mb: String(MAX_PICTURE_MB),
    };
  });
  return town_placeholders[lang];
};

/**
 * Returns the text of a key with its `{name}` placeholders filled in; one without a value stays as
 * it is.
 */
export function t(
  lang: Lang,
  key: MessageKey,
  parts: Readonly<Record<string, string | number>> = {},
): string {
  const pieces = splitPlaceholders(MESSAGES[lang][key]);
  let text = pieces[0] ?? '';
  for (let index = 1; index < pieces.length; index += 2) {
    const name = pieces[index] ?? '';
    text += `${parts[name] ?? loadTownPlaceholders(lang)[name] ?? `{${name}}`}${pieces[index + 1] ?? ''}`;
  }
  return text;
}

/** Returns the locale (BCP 47) of a language, for Intl. */
export const localeOf = (lang: Lang): string => t(lang, 'site.html_lang');

/** Formats a list: `a, b y c` · `a, b, and c`; as a disjunction with `o` · `or`. */
export const formatList = (
  words: readonly string[],
  lang: Lang,
  type: Intl.ListFormatType = 'conjunction',
): string => new Intl.ListFormat(localeOf(lang), { type }).format(words);

/** Capitalizes the first letter: `Esta noche`. */
export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Capitalizes a text and adds a final period, unless it ends in one (`a.m.`). */
export const endWithPeriod = (text: string): string =>
  capitalize(text.endsWith('.') ? text : `${text}.`);

/** Keys that have a text for one and a text for other numbers: `day.left` for `day.left.one`. */
type CountKey = MessageKey extends infer K
  ? K extends `${infer Counted}.one`
    ? Counted
    : never
  : never;

const PLURALS = new Map<Lang, Intl.PluralRules>();

/**
 * Returns the text of `key.one` or `key.other` by the plural rules of the language, with `{count}`
 * and `parts` filled in.
 */
export function tPlural(
  lang: Lang,
  key: CountKey,
  count: number,
  parts: Readonly<Record<string, string | number>> = {},
): string {
  const rules = PLURALS.get(lang) ?? new Intl.PluralRules(localeOf(lang));
  PLURALS.set(lang, rules);
  return t(lang, rules.select(count) === 'one' ? `${key}.one` : `${key}.other`, {
    ...parts,
    count,
  });
}

/** Local languages that Intl often lacks: Yucatec Maya, Mexican Sign Language (ISO 639-3). */
const LANGUAGE_NAME_KEYS: Readonly<Record<string, MessageKey>> = {
  yua: 'language.yua',
  mfs: 'language.mfs',
};

/** Formats language codes: `español, inglés`; a code without a known name stays as it is. */
export function formatLanguageNames(codes: readonly string[], lang: Lang): string {
  const names = new Intl.DisplayNames([lang], { type: 'language' });
  return codes
    .map((code) =>
      LANGUAGE_NAME_KEYS[code] ? t(lang, LANGUAGE_NAME_KEYS[code]) : (names.of(code) ?? code),
    )
    .join(', ');
}

// Tool names are derived from the message keys (`mcp.tool.<name>.title`), so that the compiler
// checks every use.
type ToolNameOf<K> = K extends `mcp.tool.${infer Name}.title` ? Name : never;
export type ToolName = ToolNameOf<MessageKey>;

/** All tool names, unordered; the tools are ordered in mcp/tools/catalog.ts. */
export const TOOL_NAMES: readonly string[] = Object.keys(es).flatMap(
  (key) => /^mcp\.tool\.(\w+)\.title$/.exec(key)?.[1] ?? [],
);
