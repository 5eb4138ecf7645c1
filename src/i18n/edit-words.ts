// The words of the form of edits: what a field is called, what may stand in it, a value in lines, and
// what is wrong with it.
import { type FieldChoices, type FieldShape, NO_WORD } from '../domain/edit/form.ts';
import { toRecurrence } from '../domain/event/occurrences.ts';
import type { Lang } from '../domain/lang.ts';
import { readUploadLink } from '../domain/submission/picture.ts';
import { toRecurrenceWords } from './recurrence.ts';
import { isKey, type Key, t } from './translate.ts';

const find = (lang: Lang, keys: readonly string[]): string | null => {
  const key = keys.find((one): one is Key => isKey(one));
  return key === undefined ? null : t(lang, key);
};

/** What a field is called, by its path below a kind of thing: `event.when.0.start`. */
export function toFieldLabel(path: string, lang: Lang): string {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name));
  const [name = ''] = names.slice(-1);
  return find(lang, [`desk.field.${names.slice(-2).join('.')}`, `desk.field.${name}`]) ?? name;
}

/** What a choice of a field is called; how it is written where it has no words. */
export function toChoiceLabel(
  path: string,
  value: string,
  choices: FieldChoices,
  lang: Lang,
): string {
  const name = path.split('.').at(-1) ?? '';
  const known = name === 'category' || name === 'zone' ? choices[name] : [];
  const own = known.find((option) => option.value === value);
  if (own) return own.label;
  if (value === NO_WORD && path.endsWith('price')) return t(lang, 'desk.choice.word');
  return (
    find(
      lang,
      [
        'desk.choice',
        'desk.type',
        'desk.severity',
        'organizer.type',
        'opening.visitor',
        'recurrence.weekday',
      ].map((start) => `${start}.${value}`),
    ) ?? value
  );
}

/** Of a picture that was uploaded, nobody can read the address. */
const toTextWords = (shape: FieldShape, text: string, lang: Lang): string =>
  shape.is === 'text' && shape.control === 'picture' && readUploadLink(text) !== null
    ? t(lang, 'desk.edit.picture.uploaded')
    : text;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a field says, in lines; none where it says nothing. */
function toValueLines(
  shape: FieldShape,
  value: unknown,
  path: string,
  choices: FieldChoices,
  lang: Lang,
): readonly string[] {
  const toWords = (one: unknown): string => toChoiceLabel(path, String(one), choices, lang);
  if (value === undefined || value === null || value === '') return [];
  switch (shape.is) {
    case 'flag':
      return value === true ? ['✓'] : [];
    case 'choice':
      return [toWords(value)];
    case 'place':
      return [choices[shape.of].find((one) => one.value === value)?.label ?? String(value)];
    case 'choices':
    case 'texts': {
      const list = Array.isArray(value) ? value : [];
      return list.length === 0 ? [] : [list.map(toWords).join(', ')];
    }
    case 'rule': {
      const rule = toRecurrence({ rrule: String(value), days: 1, except: [] });
      return [(rule && toRecurrenceWords(rule, lang)) ?? t(lang, 'desk.rule.other')];
    }
    case 'rows':
      return (Array.isArray(value) ? value : []).flatMap((row: unknown, at) =>
        toValueLines(shape.row, row, `${path}.${at}`, choices, lang).map(
          (line) => `${at + 1}. ${line}`,
        ),
      );
    case 'word':
      return isRecord(value)
        ? toValueLines(shape.group, value, path, choices, lang)
        : [toWords(value)];
    case 'group':
      return shape.fields.flatMap(([name, part]) => {
        const at = `${path}.${name}`;
        const inner = isRecord(value) ? value[name] : undefined;
        return toValueLines(part, inner, at, choices, lang).map(
          (line) => `${toFieldLabel(at, lang)}: ${line}`,
        );
      });
    default:
      return [toTextWords(shape, String(value), lang)];
  }
}

export function toWords(
  shape: FieldShape,
  value: unknown,
  path: string,
  choices: FieldChoices,
  lang: Lang,
): string {
  const lines = toValueLines(shape, value, path, choices, lang);
  return lines.length === 0 ? t(lang, 'desk.edit.absent') : lines.join('\n');
}

/** What a sentence is known by; its named groups are the parts of the words. */
const ISSUES: readonly (readonly [RegExp, Key])[] = [
  [/(time|hour) (from|in quotes)/, 'desk.issue.time'],
  [/must be a day|is not a day/, 'desk.issue.day'],
  [/an address that begins/, 'desk.issue.address'],
  [/'(?<slug>.+)' is the address of another/, 'desk.issue.taken'],
  [/must have at most (?<limit>\d+) characters/, 'desk.issue.long'],
  [/must have at most (?<limit>\d+) entries/, 'desk.issue.many'],
  [/must be (at most )?(?<limit>-?\d+)( or less)?$/, 'desk.issue.most'],
  [/must be (?<limit>-?\d+) or more/, 'desk.issue.least'],
  [/must be (a number|whole)/, 'desk.issue.number'],
  [
    /must be (one of|chosen|one that is there|unknown|open)|must be \w+, \w+ or \w+/,
    'desk.issue.choice',
  ],
  [/must not be empty|must be text/, 'desk.issue.empty'],
  [/must have es and en/, 'desk.issue.languages'],
  [/one line without control/, 'desk.issue.line'],
  [/lower-case words/, 'desk.issue.slug'],
  [/five digits|in quotes/, 'desk.issue.postal_code'],
  [/code such as (?<code>\w+)/, 'desk.issue.code'],
  [/rule of RFC 5545/, 'desk.issue.rule'],
  [/exactly one of rrule/, 'desk.issue.one_of'],
  [/must have since/, 'desk.issue.since'],
  [/before since/, 'desk.issue.until'],
  [/gives no day at all/, 'desk.issue.no_day'],
  [/has an end but no start|needs an open/, 'desk.issue.no_start'],
  [/has a start, so its hour is known/, 'desk.issue.hour_known'],
  [/must not be the hour of open|between open and close/, 'desk.issue.close'],
  [/names a (day|date) twice/, 'desk.issue.twice'],
  [/must (say when|name at least one day|have at least one rule)/, 'desk.issue.when'],
  [/must name at least one source/, 'desk.issue.source'],
  [/both lat and lng/, 'desk.issue.point'],
  [/must name coordinates_source/, 'desk.issue.point_source'],
  [/hours where it is an open_place/, 'desk.issue.open_place'],
  [/season_name/, 'desk.issue.season'],
  [/above max/, 'desk.issue.above'],
  [/in one currency/, 'desk.issue.currency'],
  [/is no holiday/, 'desk.issue.holiday'],
  [/is a repository/, 'desk.issue.repository'],
];

/** A sentence of a schema as the desk says it; as it is, behind a word, where it has none. */
export function toIssueWords(message: string, lang: Lang): string {
  for (const [known, key] of ISSUES) {
    const found = known.exec(message);
    if (found) return t(lang, key, found.groups ?? {});
  }
  return t(lang, 'desk.issue.other', { message });
}
