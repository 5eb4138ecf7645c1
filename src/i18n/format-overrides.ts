// Override texts: formats the field values of a record that an editor has changed at the desk, and
// translates the messages of content schemas for the desk.
import { listFilledRows } from '../domain/override/record-form.ts';
import type { ControlTexts } from '../domain/submission/field-rules.ts';
import { detectRecurrence } from '../domain/event/occurrences.ts';
import type { Lang } from '../domain/lang.ts';
import type { FormControl } from '../domain/submission/fields.ts';
import { parseUploadUri } from '../domain/submission/submitted-picture.ts';
import { fieldPathLabels, optionLabel } from './format-forms.ts';
import { formatRecurrence } from './format-recurrence.ts';
import { type MessageKey, t } from './translate.ts';

/** Selectable venues, organizers and taxa, by control. */
export type OptionsByControl = Readonly<Partial<Record<string, readonly SelectableOption[]>>>;
export interface SelectableOption {
  readonly value: string;
  readonly label: string;
}

/** Formats the value of a control, rows as lines; an empty text if it is empty. */
export function formatControlValue(
  { name, kind, parts = [] }: FormControl,
  texts: ControlTexts,
  options: OptionsByControl,
  lang: Lang,
): string {
  if (kind === 'rows')
    return listFilledRows(texts, name)
      .map((row) => {
        const values = parts.flatMap((part) => {
          const control = { ...part, name: `${name}.${row}.${part.name}` };
          const words = formatControlValue(control, texts, options, lang);
          return words === ''
            ? []
            : [`${fieldPathLabels(`${name}.${part.name}`, lang).at(-1)}: ${words}`];
        });
        return `${row + 1}. ${values.join('; ')}`;
      })
      .join('\n');
  const text = texts[name] ?? '';
  if (text === '') return '';
  if (kind === 'check') return '✓';
  if (parseUploadUri(text) !== null) return t(lang, 'desk.edit.picture.uploaded');
  if (name.endsWith('.rrule')) {
    const rule = detectRecurrence({ rrule: text, days: 1, except: [] });
    return (rule && formatRecurrence(rule, lang)) ?? t(lang, 'desk.rule.other');
  }
  if (kind === 'lines') return text.replaceAll('\n', ', ');
  if (kind !== 'select' && kind !== 'radio' && kind !== 'checks') return text;
  const findLabel = (value: string): string =>
    options[name]?.find((option) => option.value === value)?.label ??
    optionLabel(name, value, lang);
  return text.split(',').map(findLabel).join(', ');
}

/**
 * Patterns of schema messages and the keys of their translations; named groups fill the
 * placeholders.
 */
const ISSUE_TRANSLATIONS: readonly (readonly [RegExp, MessageKey])[] = [
  [/(time|hour) (from|in quotes)/, 'desk.issue.time'],
  [/must be a day|is not a day/, 'desk.issue.day'],
  [/an address that begins/, 'desk.issue.address'],
  [/'(?<slug>.+)' is already used by another record/, 'desk.issue.taken'],
  [/must have at most (?<limit>\d+) characters/, 'desk.issue.long'],
  [/must have at most (?<limit>\d+) entries/, 'desk.issue.many'],
  [/must be (at most )?(?<limit>-?\d+)( or less)?$/, 'desk.issue.most'],
  [/must be (?<limit>-?\d+) or more/, 'desk.issue.least'],
  [/is not a holiday/, 'desk.issue.holiday'],
  [/must be (a number|whole)/, 'desk.issue.number'],
  [/must be (one of|chosen|an existing record|unknown|open)/, 'desk.issue.choice'],
  [/must not be empty|must be text/, 'desk.issue.empty'],
  [/must have es and en/, 'desk.issue.languages'],
  [/one line without control/, 'desk.issue.line'],
  [/lower-case words/, 'desk.issue.slug'],
  [/five digits|in quotes/, 'desk.issue.postal_code'],
  [/code such as (?<code>\w+)/, 'desk.issue.code'],
  [/rule of days/, 'desk.issue.rule'],
  [/has no date from since/, 'desk.issue.rule_without_dates'],
  [/exactly one of rrule/, 'desk.issue.one_of'],
  [/must have since/, 'desk.issue.since'],
  [/before since/, 'desk.issue.until'],
  [/has no date between/, 'desk.issue.no_day'],
  [/has an end but no start|needs an open/, 'desk.issue.no_start'],
  [/has a start, so its hour is known/, 'desk.issue.hour_known'],
  [/must not be the hour of open|between open and close/, 'desk.issue.close'],
  [/names a (day|date) twice/, 'desk.issue.twice'],
  [/must (say when|name at least one day|have at least one rule)/, 'desk.issue.when'],
  [/must name at least one source/, 'desk.issue.source'],
  [/both lat and lng/, 'desk.issue.point'],
  [/must name coordinates_source/, 'desk.issue.point_source'],
  [/hours if it is an open_place/, 'desk.issue.open_place'],
  [/season_name/, 'desk.issue.season'],
  [/above max/, 'desk.issue.above'],
  [/in one currency/, 'desk.issue.currency'],
  [/is a repository/, 'desk.issue.repository'],
];

/**
 * Translates a schema message for the desk; an unknown message is shown as it is, after a label.
 */
export function translateSchemaIssue(message: string, lang: Lang): string {
  for (const [pattern, key] of ISSUE_TRANSLATIONS) {
    const match = pattern.exec(message);
    if (match) return t(lang, key, match.groups ?? {});
  }
  return t(lang, 'desk.issue.other', { message });
}
