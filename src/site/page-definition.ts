// Page definitions: describe a kind of page by its routes, its data, its Markdown version and the
// pages that the warm-up renders into the page cache before a release goes live.
// components/*/NAME-page.astro renders it as HTML; page-registry.ts lists all kinds. A page with
// `filterable` takes event filters; a form page accepts POST requests and is never cached.
import { byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import type { Poster } from '../domain/pictures.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import {
  PAGE_PATHS,
  type PageName,
  SECTION_PATHS,
  type SectionName,
  recordPath,
} from '../i18n/paths.ts';
import { type FailureResult, NOT_FOUND, type PageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import type { RedirectResult, PageResult, VisitorRequest } from './visitor-request.ts';
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/** The parts of an address that select a page; each kind of page adds its own. */
export interface PageRequest {
  readonly lang: Lang;
}

/** Data of a page: at least its metadata. */
interface ViewWithMeta {
  readonly meta: PageMeta;
}

/**
 * Pages that take the event filters: agenda pages, which have fixed days, and the search, which
 * takes any.
 */
export type FilterablePage = 'agenda' | 'search';

/** Result of loading or handling a page. */
export type PageOutcome<V> = PageResult<V> | RedirectResult | FailureResult;

/** Data that a page's `load` returns when it finds the page. */
export type LoadedPage<Load extends (...args: never[]) => unknown> =
  Extract<ReturnType<Load>, { readonly kind: 'page' }> extends PageResult<infer V> ? V : never;

/** A route in Astro's notation, such as `/eventos/[slug]`, with the parser of its request. */
export interface PageRoute<R> {
  readonly pattern: string;
  /**
   * @param part The decoded text in the brackets; empty for a route without brackets.
   * @returns null if no page has such an address.
   */
  readonly parse: (part: string) => R | null;
}

/** The part of the context that validates a query. */
export type ValidationContext = Pick<PageContext, 'snapshot' | 'now_ms'>;

/** `name` selects the component, and labels the page in the page cache's digest. */
interface RoutedPage<R extends PageRequest> {
  readonly name: string;
  readonly routes: readonly PageRoute<R>[];
}

/**
 * A page that depends only on its address, its query, the snapshot and the instant. `L` is the data
 * that `load` returns, `V` the view model built from it.
 */
interface PageDefinition<R extends PageRequest, L extends ViewWithMeta, V = L>
  extends RoutedPage<R> {
  /** @param query The raw query without its question mark; no query makes it throw. */
  readonly load: (context: PageContext, request: R, query: string) => PageOutcome<L>;
  /** Renders the Markdown version; absent if the page has none. */
  readonly toMarkdown?: (view: V, context: PageContext) => string;
  /** Names of the query parameters; absent if the page takes none. */
  readonly parameters?: (request: R) => readonly string[];
  /** Set if the parameters are the event filters. */
  readonly filterable?: FilterablePage;
  /**
   * Returns the issues of the parameter values, including the syntax issues in `issues`. May throw
   * AppError.
   */
  readonly validate?: (
    params: ParameterValues,
    issues: ParameterIssue[],
    context: ValidationContext,
  ) => readonly ParameterIssue[];
  /** Returns whether the page depends on the minute; other pages change only with the day. */
  readonly changesEveryMinute?: (request: R, now_ms: number) => boolean;
  /** Lists the pages that the warm-up renders. */
  readonly listWarmPaths?: (context: PageContext) => readonly string[];
  /** Builds the image shown where the page is shared; absent if it uses the site's poster. */
  readonly buildPoster?: (
    context: PageContext,
    request: R,
  ) => Poster | RedirectResult | FailureResult;
}

/** A page that accepts form submissions. */
export interface FormDefinition<R extends PageRequest, V extends ViewWithMeta>
  extends RoutedPage<R> {
  /**
   * @param visit The visitor's request; null when the page is rendered without the front server.
   */
  readonly handle: (
    context: PageContext,
    request: R,
    visit: VisitorRequest | null,
  ) => Promise<PageOutcome<V>> | PageOutcome<V>;
  readonly toMarkdown?: (context: PageContext, request: R) => string;
}

/**
 * The page at one address, of any kind. It has the members of its definition, bound to the
 * request.
 */
export interface MatchedPage {
  readonly name: string;
  readonly lang: Lang;
  readonly is_form: boolean;
  readonly has_markdown: boolean;
  readonly parameters: readonly string[];
  readonly filterable: FilterablePage | null;
  readonly validate: NonNullable<PageDefinition<PageRequest, ViewWithMeta, object>['validate']>;
  readonly changesEveryMinute: (now_ms: number) => boolean;
  /** Loads the data that the digest covers; NOT_FOUND for a form. */
  readonly load: (context: PageContext, query: string) => PageOutcome<ViewWithMeta>;
  /** Builds the view model that the component renders. */
  readonly handle: (
    context: PageContext,
    query: string,
    visit: VisitorRequest | null,
  ) => Promise<PageOutcome<object>> | PageOutcome<object>;
  /** Returns the Markdown version, or the outcome that prevents it. */
  readonly renderMarkdown: (context: PageContext, query: string) => string | PageOutcome<object>;
  readonly buildPoster: ((context: PageContext) => Poster | RedirectResult | FailureResult) | null;
}

/** A definition as the registry uses it, independent of the types of its request and data. */
export interface DefinedPage {
  readonly routes: readonly {
    readonly pattern: string;
    readonly match: (part: string) => MatchedPage | null;
  }[];
  readonly listWarmPaths: (context: PageContext) => readonly string[];
}

/** Defines a page whose loaded data is its view model. */
export const definePage = <R extends PageRequest, V extends ViewWithMeta>(
  definition: PageDefinition<R, V>,
): DefinedPage => defineViewPage({ ...definition, buildView: (loaded) => loaded });

/**
 * Defines a page whose view model is built from its loaded data. The page cache compares digests of
 * the loaded data (page-digest.ts), so it need not build the view to know that a cached page is
 * current.
 */
export function defineViewPage<R extends PageRequest, L extends ViewWithMeta, V extends object>(
  definition: PageDefinition<R, L, V> & {
    readonly buildView: (loaded: L, context: PageContext) => V;
  },
): DefinedPage {
  const { name, buildView, toMarkdown, buildPoster, listWarmPaths = () => [] } = definition;
  // The digest, the page and its Markdown version are made from the same data: load it once per
  // context.
  const last_loaded = new WeakMap<
    PageContext,
    { readonly key: string; readonly outcome: PageOutcome<L> }
  >();
  const createMatch = (request: R): MatchedPage => {
    const load = (context: PageContext, query: string): PageOutcome<L> => {
      const key = JSON.stringify([request, query]);
      const last = last_loaded.get(context);
      if (last?.key === key) return last.outcome;
      const outcome = definition.load(context, request, query);
      last_loaded.set(context, { key, outcome });
      return outcome;
    };
    return {
      name,
      load,
      lang: request.lang,
      is_form: false,
      has_markdown: toMarkdown !== undefined,
      parameters: definition.parameters?.(request) ?? [],
      filterable: definition.filterable ?? null,
      validate: definition.validate ?? ((_, issues) => issues),
      changesEveryMinute: (now_ms) => definition.changesEveryMinute?.(request, now_ms) ?? false,
      handle: (context, query) => {
        const outcome = load(context, query);
        return outcome.kind === 'page'
          ? { ...outcome, page: buildView(outcome.page, context) }
          : outcome;
      },
      renderMarkdown: (context, query) => {
        const outcome = load(context, query);
        if (outcome.kind !== 'page' || outcome.issue) return outcome;
        return toMarkdown?.(buildView(outcome.page, context), context) ?? NOT_FOUND;
      },
      buildPoster: buildPoster ? (context) => buildPoster(context, request) : null,
    };
  };
  return { routes: buildRoutes(definition, createMatch), listWarmPaths };
}

/** Defines a page that accepts form submissions. */
export function defineForm<R extends PageRequest, V extends ViewWithMeta>({
  toMarkdown,
  ...definition
}: FormDefinition<R, V>): DefinedPage {
  const createMatch = (request: R): MatchedPage => ({
    name: definition.name,
    lang: request.lang,
    is_form: true,
    has_markdown: toMarkdown !== undefined,
    parameters: [],
    filterable: null,
    buildPoster: null,
    validate: (_, issues) => issues,
    changesEveryMinute: () => false,
    load: () => NOT_FOUND,
    handle: (context, _, visit) => definition.handle(context, request, visit),
    renderMarkdown: (context) => toMarkdown?.(context, request) ?? NOT_FOUND,
  });
  return { routes: buildRoutes(definition, createMatch), listWarmPaths: () => [] };
}

/** Builds the routes; a route matches if its parser accepts the part. */
const buildRoutes = <R extends PageRequest>(
  { routes }: RoutedPage<R>,
  createMatch: (request: R) => MatchedPage,
): DefinedPage['routes'] =>
  routes.map(({ pattern, parse }) => ({
    pattern,
    match: (part) => {
      const request = parse(part);
      return request && createMatch(request);
    },
  }));

/** Builds one route for each language. */
export const routesOf = <R>(
  patterns: LocalText,
  parse: (lang: Lang, part: string) => R | null,
): readonly PageRoute<R>[] =>
  LANGS.map((lang) => ({ pattern: patterns[lang], parse: (part) => parse(lang, part) }));

/** Builds the routes of a page with a fixed path. */
export const pageRoutes = (page: PageName): readonly PageRoute<PageRequest>[] =>
  routesOf(PAGE_PATHS[page], (lang) => ({ lang }));

export interface SlugRequest extends PageRequest {
  /** A current slug, an older one, or an id. */
  readonly slug: string;
}

/** Builds the routes of the pages of a kind of record: `/eventos/[slug]`. */
export const recordRoutes = (section: SectionName): readonly PageRoute<SlugRequest>[] =>
  routesOf(
    byLang((lang) => `${SECTION_PATHS[section][lang]}/[slug]`),
    (lang, slug) => ({ lang, slug }),
  );

/** A status page, whose address only the sender of a submission has. */
export interface TokenRequest extends PageRequest {
  /** Secret; its holder may see and change the submission. */
  readonly token: string;
}

/** Builds routes with a token in their path. */
export const tokenRoutes = (
  pathOf: (token: string, lang: Lang) => string,
): readonly PageRoute<TokenRequest>[] =>
  routesOf(
    byLang((lang) => pathOf('[token]', lang)),
    (lang, token) => ({ lang, token }),
  );

/** Ends the path of a Markdown version. */
export const MARKDOWN_EXTENSION = '.md';
/** Returns the path of the page that a Markdown version belongs to; any other path unchanged. */
export const pagePathOf = (path: string): string =>
  path.endsWith(MARKDOWN_EXTENSION) ? path.slice(0, -MARKDOWN_EXTENSION.length) : path;

/** Lists the paths of a page in all languages. */
export const listPagePaths = (page: PageName): readonly string[] => Object.values(PAGE_PATHS[page]);

/** Lists the paths of the pages of records in all languages. */
export const listRecordPaths = (
  section: Exclude<SectionName, 'day'>,
  records: readonly { readonly slug: LocalText }[],
): readonly string[] =>
  // Grouped by record, so that each is read once for the pages in all languages.
  records.flatMap(({ slug }) => LANGS.map((lang) => recordPath(section, slug, lang)));
