// Every visible word: flat keys, the same in the file of each language (tests/i18n). A language is
// its file, its line here and its line in domain/lang.ts.
import { TOWN } from '../town.ts';
import { type ByLang, byLang, type Lang, LANGS } from '../domain/lang.ts';
import { OFFSETS, formatUtcOffset } from '../domain/local-time.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

export type MessageKey = keyof typeof es;
export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(es, text);
/** As the town says them, where it has words of its own. */
const WORDS: ByLang<Record<MessageKey, string>> = { es: { ...es }, en: { ...en } };
for (const [key, text] of Object.entries(TOWN.words))
  if (isMessageKey(key)) for (const lang of LANGS) WORDS[lang][key] = text[lang];

/** Texts in pieces, made once for each: what stands between two parts, a part's name, and so on. */
const PIECES = new Map<string, readonly string[]>();

function readPieces(text: string): readonly string[] {
  const known = PIECES.get(text) ?? text.split(/\{(\w+)\}/);
  PIECES.set(text, known);
  return known;
}

/** What any text may say of the town: `{town}`, `{utc}`, the `{places}` it has; made when the first asks. */
let town_parts: ByLang<Readonly<Record<string, string>>> | undefined;

export const loadTownPlaceholders = (lang: Lang): Readonly<Record<string, string>> => {
  town_parts ??= byLang((each) => {
    const utc = OFFSETS.map(formatUtcOffset).join('/');
    const key = OFFSETS.length === 1 ? 'town.steady' : 'town.saving';
    return {
      town: TOWN.name[each],
      area: TOWN.area[each],
      money: TOWN.currency.name[each],
      currency: TOWN.currency.code,
      // Spanish is that of the country; English that of travellers.
      region: each === 'es' ? `-${TOWN.country}` : '',
      time_zone: TOWN.time_zone,
      utc,
      utc_rule: WORDS[each][key].replace('{utc}', utc),
      links: WORDS[each]['town.links'],
      live: WORDS[each]['town.live'],
      outings: WORDS[each]['town.outings'],
      places: WORDS[each]['town.places'],
    };
  });
  return town_parts[lang];
};

/** The text of a key with its `{name}` parts filled in; a part without a value stays as it is. */
export function t(
  lang: Lang,
  key: MessageKey,
  parts: Readonly<Record<string, string | number>> = {},
): string {
  const pieces = readPieces(WORDS[lang][key]);
  let text = pieces[0] ?? '';
  for (let at = 1; at < pieces.length; at += 2) {
    const name = pieces[at] ?? '';
    text += `${parts[name] ?? loadTownPlaceholders(lang)[name] ?? `{${name}}`}${pieces[at + 1] ?? ''}`;
  }
  return text;
}

/** The locale whose names and numbers a language has (BCP 47), as Intl takes it. */
export const localeOf = (lang: Lang): string => t(lang, 'site.html_lang');

/** `a, b y c` · `a, b, and c`; with `o` · `or` as a disjunction. */
export const formatList = (
  words: readonly string[],
  lang: Lang,
  type: Intl.ListFormatType = 'conjunction',
): string => new Intl.ListFormat(localeOf(lang), { type }).format(words);

/** A phrase as it begins a label: `Esta noche`. */
export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** With a capital and one stop, also behind `a.m.`. */
export const toSentence = (text: string): string =>
  capitalize(text.endsWith('.') ? text : `${text}.`);

type CountKey = MessageKey extends infer K
  ? K extends `${infer Counted}.one`
    ? Counted
    : never
  : never;

const PLURALS = new Map<Lang, Intl.PluralRules>();

/** `key.one` for what the language counts as one, `key.other` else, with `{count}` and `parts` filled in. */
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

/** Spoken here and unknown to most machines: Yucatec Maya, Mexican Sign Language (ISO 639-3). */
const NAMES: Readonly<Record<string, MessageKey>> = { yua: 'language.yua', mfs: 'language.mfs' };

/** `español, inglés`, from codes; a code without a known name stays as it is. */
export function formatLanguageNames(codes: readonly string[], lang: Lang): string {
  const names = new Intl.DisplayNames([lang], { type: 'language' });
  return codes
    .map((code) => (NAMES[code] ? t(lang, NAMES[code]) : (names.of(code) ?? code)))
    .join(', ');
}

// A tool has words under its name (`mcp.tool.<name>.title`), so the names are those that have some:
// whoever names a tool anywhere is checked against them.
type NameIn<K> = K extends `mcp.tool.${infer Name}.title` ? Name : never;
export type ToolName = NameIn<MessageKey>;

/** All of them, in no order of meaning: the order of the tools is that of mcp/tools/catalog.ts. */
export const TOOL_NAMES: readonly string[] = Object.keys(es).flatMap(
  (key) => /^mcp\.tool\.(\w+)\.title$/.exec(key)?.[1] ?? [],
);
