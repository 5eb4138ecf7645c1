// Filter forms: build the category and zone menus and the filter checkboxes of a page's form, and
// parse the query that the form sends, with the API's messages for invalid values.
import { AppError } from '../domain/app-error.ts';
import { FAMILY_CATEGORY } from '../domain/event/event.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { FLAG_FILTERS, TAXON_FILTERS } from '../domain/query/event-query.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { findTaxon, type Taxonomy } from '../domain/taxon.ts';
import { t } from '../i18n/translate.ts';
import type { EventCounts } from '../snapshot/count-events.ts';
import { pageResult, type PageResult } from './visitor-request.ts';
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/** An option of a `<select>`. */
interface SelectOption {
  readonly value: string;
  readonly text: string;
  /** Language of `text`, if not the page's. */
  readonly lang?: Lang;
  readonly is_selected: boolean;
}

/** A `<select>` of a form. */
export interface SelectField {
  readonly name: string;
  readonly label: string;
  /** Text of the empty option, such as `Todas las zonas`; absent if a value is required. */
  readonly any?: string;
  readonly options: readonly SelectOption[];
}

/**
 * Builds the menus of categories and zones. Several values at once, which only a typed address can
 * have, become one extra option.
 * @param choice Parameters of the page's query, by name.
 * @param counts If present, each option shows how many records it would find.
 */
export const buildTaxonSelects = (
  choice: ParameterValues,
  taxonomy: Taxonomy,
  lang: Lang,
  counts?: EventCounts['by_key'],
): readonly SelectField[] =>
  TAXON_FILTERS.map(({ name, list }) => {
    const taxa = taxonomy[list];
    const value = choice[name];
    const selected = value === undefined ? null : findTaxon(taxa, value);
    const names = value?.split(',').map((word) => findTaxon(taxa, word)?.name[lang] ?? word.trim());
    return {
      name,
      label: t(lang, `calendar.${name}`),
      any: t(lang, `calendar.any.${name}`),
      options: [
        ...(value !== undefined && names && selected === null
          ? [{ value, text: names.join(', '), is_selected: true }]
          : []),
        // Family events have a checkbox.
        ...taxa
          .filter((taxon) => taxon.key !== FAMILY_CATEGORY || taxon === selected)
          .map((taxon) => ({
            value: taxon.slug[lang],
            text: taxon.name[lang] + (counts ? ` (${counts.get(name)?.get(taxon.key) ?? 0})` : ''),
            is_selected: taxon === selected,
          })),
      ],
    };
  });

/** A checkbox of a form. */
export interface CheckboxField {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly is_checked: boolean;
}

/** Builds the checkboxes of the filters that are on or off: free, family and indoor events. */
export const buildFilterCheckboxes = (
  choice: ParameterValues,
  lang: Lang,
): readonly CheckboxField[] =>
  FLAG_FILTERS.map(({ name }) => ({
    name,
    value: '1',
    label: t(lang, `calendar.${name}`),
    is_checked: ['1', 'true'].includes(choice[name] ?? ''),
  }));

/** Builds the menu of languages, each named in itself. */
export const buildLangSelect = (label: string, selected: string): SelectField => ({
  name: 'lang',
  label,
  options: LANGS.map((lang) => ({
    value: lang,
    lang,
    text: t(lang, 'site.language'),
    is_selected: lang === selected,
  })),
});

/**
 * Parses the query of a page's form. Returns its raw parameters with the parsed value or the issue.
 * @param names Parameters that the form has; others are issues.
 * @param parse Parses the parameters, given the syntax issues. Throws AppError if any issue is
 *   found.
 */
export function parseChoice<T>(
  query: string,
  names: readonly string[],
  parse: (params: ParameterValues, issues: ParameterIssue[]) => T,
) {
  const issues: ParameterIssue[] = [];
  const params = parseParameters(query, names, issues);
  return { params, ...parseOrIssue(() => parse(params, issues)) };
}

/** Returns the page as a result, with status 400 if its query has an issue. */
export const choicePageResult = <P>(page: P & { readonly issue: string | null }): PageResult<P> =>
  page.issue === null ? pageResult(page) : { ...pageResult(page, 400), issue: page.issue };

/** Returns the parsed value, or the message of the AppError that `parse` throws. */
export function parseOrIssue<T>(
  parse: () => T,
):
  | { readonly parsed: T; readonly issue: null }
  | { readonly parsed: null; readonly issue: string } {
  try {
    return { parsed: parse(), issue: null };
  } catch (error) {
    if (error instanceof AppError) return { parsed: null, issue: error.message };
    throw error;
  }
}
