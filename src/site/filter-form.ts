// Forms by which a page is asked: a menu for each category and zone, a box to tick for each filter that is on
// or off, and what was chosen or why it is not understood, in the API's words.
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

interface SelectOption {
  readonly value: string;
  readonly text: string;
  /** Of its words, where that is not the page's. */
  readonly lang?: Lang;
  readonly is_selected: boolean;
}

export interface SelectField {
  readonly name: string;
  readonly label: string;
  readonly any?: string;
  readonly options: readonly SelectOption[];
}

/**
 * The menus, each option with what it would find where that is counted; several at once, which only an address can
 * ask for, are an option of their own.
 */
export const buildTaxonSelects = (
  choice: ParameterValues,
  taxonomy: Taxonomy,
  lang: Lang,
  counts?: EventCounts['by_key'],
): readonly SelectField[] =>
  TAXON_FILTERS.map(({ name, list }) => {
    const taxa = taxonomy[list];
    const asked = choice[name];
    const chosen = asked === undefined ? null : findTaxon(taxa, asked);
    const words = asked?.split(',').map((word) => findTaxon(taxa, word)?.name[lang] ?? word.trim());
    return {
      name,
      label: t(lang, `calendar.${name}`),
      any: t(lang, `calendar.any.${name}`),
      options: [
        ...(asked !== undefined && words && chosen === null
          ? [{ value: asked, text: words.join(', '), is_selected: true }]
          : []),
        // All plans for families are a box to tick.
        ...taxa
          .filter((taxon) => taxon.key !== FAMILY_CATEGORY || taxon === chosen)
          .map((taxon) => ({
            value: taxon.slug[lang],
            text: taxon.name[lang] + (counts ? ` (${counts.get(name)?.get(taxon.key) ?? 0})` : ''),
            is_selected: taxon === chosen,
          })),
      ],
    };
  });

export interface CheckboxField {
  readonly name: string;
  readonly label: string;
  readonly is_on: boolean;
}

export const buildFilterCheckboxes = (
  choice: ParameterValues,
  lang: Lang,
): readonly CheckboxField[] =>
  FLAG_FILTERS.map(({ name }) => ({
    name,
    label: t(lang, `calendar.${name}`),
    is_on: ['1', 'true'].includes(choice[name] ?? ''),
  }));

export const buildLangSelect = (label: string, chosen: string): SelectField => ({
  name: 'lang',
  label,
  options: LANGS.map((lang) => ({
    value: lang,
    lang,
    text: t(lang, 'site.language'),
    is_selected: lang === chosen,
  })),
});

/** The parameters of a query as sent, with what they ask for or why that is not understood. */
export function parseChoice<T>(
  query: string,
  names: readonly string[],
  read: (params: ParameterValues, issues: string[]) => T,
) {
  const issues: string[] = [];
  const params = parseParameters(query, names, issues);
  return { params, ...parseOrIssue(() => read(params, issues)) };
}

/** The page of a choice, which says what is wrong with it. */
export const choicePageResult = <P>(page: P & { readonly issue: string | null }): PageResult<P> =>
  page.issue === null ? pageResult(page) : { ...pageResult(page, 400), issue: page.issue };

/** What a query asks for; the sentence of an AppError as its issue. */
export function parseOrIssue<T>(
  read: () => T,
): { readonly asked: T; readonly issue: null } | { readonly asked: null; readonly issue: string } {
  try {
    return { asked: read(), issue: null };
  } catch (thrown) {
    if (thrown instanceof AppError) return { asked: null, issue: thrown.message };
    throw thrown;
  }
}
