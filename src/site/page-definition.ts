// A kind of page is one module: its addresses, what it takes and shows, its Markdown version, which of its pages are
// made ahead. NAME-page.astro prints it; registry.ts has all kinds.
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

export interface PageRequest {
  readonly lang: Lang;
}

interface ViewWithMeta {
  readonly meta: PageMeta;
}

/** Pages of fixed days, which take the filters, and the search, which takes any days too. */
export type FilterablePage = 'agenda' | 'search';

/** What is found at an address. */
export type PageOutcome<V> = PageResult<V> | RedirectResult | FailureResult;

/** What a page is loaded as, where there is one. */
export type LoadedPage<Load extends (...args: never[]) => unknown> =
  Extract<ReturnType<Load>, { readonly kind: 'page' }> extends PageResult<infer V> ? V : never;

/** An address, as Astro writes routes: `/eventos/[slug]`. */
export interface PageRoute<R> {
  readonly pattern: string;
  /** `part` is what stands where the brackets are, decoded. Null where no page has such an address. */
  readonly read: (part: string) => R | null;
}

export type ValidationContext = Pick<PageContext, 'snapshot' | 'now_ms'>;

interface Common<R extends PageRequest> {
  readonly name: string;
  readonly routes: readonly PageRoute<R>[];
}

/**
 * A page that depends on its address, its query, the snapshot and the instant alone: `L` is what it is loaded as,
 * `V` the same in the order in which it is shown, ready to print.
 */
interface PageDefinition<R extends PageRequest, L extends ViewWithMeta, V = L> extends Common<R> {
  /** `query` as sent, without its question mark; never throws for what it says. */
  readonly load: (state: PageContext, request: R, query: string) => PageOutcome<L>;
  readonly toMarkdown?: (view: V, state: PageContext) => string;
  readonly parameters?: (request: R) => readonly string[];
  /** Whether these are the shared filters: for its own days, or for any. */
  readonly narrowed?: FilterablePage;
  /** What is wrong with their values, as sentences, `issues` of the query's form among them. May throw AppError. */
  readonly validate?: (
    params: ParameterValues,
    issues: string[],
    state: ValidationContext,
  ) => readonly string[];
  readonly isOfMinute?: (request: R, now_ms: number) => boolean;
  readonly listBuilt?: (state: PageContext) => readonly string[];
  readonly toPoster?: (state: PageContext, request: R) => Poster | RedirectResult | FailureResult;
}

/** A page that takes in what a visitor sends; `visit` is null where no server serves. */
export interface FormDefinition<R extends PageRequest, V extends ViewWithMeta> extends Common<R> {
  readonly handle: (
    state: PageContext,
    request: R,
    visit: VisitorRequest | null,
  ) => Promise<PageOutcome<V>> | PageOutcome<V>;
  readonly toMarkdown?: (state: PageContext, request: R) => string;
}

/** The page that an address names, whatever its kind. */
export interface MatchedPage {
  readonly name: string;
  readonly lang: Lang;
  readonly is_form: boolean;
  readonly has_markdown: boolean;
  readonly parameters: readonly string[];
  readonly narrowed: FilterablePage | null;
  readonly judge: NonNullable<PageDefinition<PageRequest, ViewWithMeta, object>['validate']>;
  readonly isOfMinute: (now_ms: number) => boolean;
  readonly load: (state: PageContext, query: string) => PageOutcome<ViewWithMeta>;
  readonly handle: (
    state: PageContext,
    query: string,
    visit: VisitorRequest | null,
  ) => Promise<PageOutcome<object>> | PageOutcome<object>;
  readonly write: (state: PageContext, query: string) => string | PageOutcome<object>;
  readonly toPoster: ((state: PageContext) => Poster | RedirectResult | FailureResult) | null;
}

export interface DefinedPage {
  readonly routes: readonly {
    readonly pattern: string;
    readonly find: (part: string) => MatchedPage | null;
  }[];
  readonly listBuilt: (state: PageContext) => readonly string[];
}

export const definePage = <R extends PageRequest, V extends ViewWithMeta>(
  kind: PageDefinition<R, V>,
): DefinedPage => defineViewPage({ ...kind, print: (view) => view });

/** Of a page that a release makes ahead: what it is loaded as tells whether the page that is there still holds. */
export function defineViewPage<R extends PageRequest, L extends ViewWithMeta, V extends object>(
  kind: PageDefinition<R, L, V> & { readonly print: (loaded: L, state: PageContext) => V },
): DefinedPage {
  const { name, print, toMarkdown, toPoster, listBuilt = () => [] } = kind;
  /** The last one of a state: its digest, the page and its Markdown version are made of the same. */
  const loaded = new WeakMap<
    PageContext,
    { readonly key: string; readonly answer: PageOutcome<L> }
  >();
  const toFound = (request: R): MatchedPage => {
    const load = (state: PageContext, query: string): PageOutcome<L> => {
      const key = JSON.stringify([request, query]);
      const known = loaded.get(state);
      if (known?.key === key) return known.answer;
      const answer = kind.load(state, request, query);
      loaded.set(state, { key, answer });
      return answer;
    };
    return {
      name,
      load,
      lang: request.lang,
      is_form: false,
      has_markdown: toMarkdown !== undefined,
      parameters: kind.parameters?.(request) ?? [],
      narrowed: kind.narrowed ?? null,
      judge: kind.validate ?? ((_, issues) => issues),
      isOfMinute: (now_ms) => kind.isOfMinute?.(request, now_ms) ?? false,
      handle: (state, query) => {
        const answer = load(state, query);
        return answer.kind === 'page' ? { ...answer, page: print(answer.page, state) } : answer;
      },
      write: (state, query) => {
        const answer = load(state, query);
        if (answer.kind !== 'page' || answer.issue) return answer;
        return toMarkdown?.(print(answer.page, state), state) ?? NOT_FOUND;
      },
      toPoster: toPoster ? (state) => toPoster(state, request) : null,
    };
  };
  return { routes: toFindable(kind, toFound), listBuilt };
}

export function defineForm<R extends PageRequest, V extends ViewWithMeta>({
  toMarkdown,
  ...kind
}: FormDefinition<R, V>): DefinedPage {
  const toFound = (request: R): MatchedPage => ({
    name: kind.name,
    lang: request.lang,
    is_form: true,
    has_markdown: toMarkdown !== undefined,
    parameters: [],
    narrowed: null,
    toPoster: null,
    judge: (_, issues) => issues,
    isOfMinute: () => false,
    load: () => NOT_FOUND,
    handle: (state, _, visit) => kind.handle(state, request, visit),
    write: (state) => toMarkdown?.(state, request) ?? NOT_FOUND,
  });
  return { routes: toFindable(kind, toFound), listBuilt: () => [] };
}

const toFindable = <R extends PageRequest>(
  { routes }: Common<R>,
  toFound: (request: R) => MatchedPage,
): DefinedPage['routes'] =>
  routes.map(({ pattern, read }) => ({
    pattern,
    find: (part) => {
      const request = read(part);
      return request && toFound(request);
    },
  }));

export const routesOf = <R>(
  patterns: LocalText,
  read: (lang: Lang, part: string) => R | null,
): readonly PageRoute<R>[] =>
  LANGS.map((lang) => ({ pattern: patterns[lang], read: (part) => read(lang, part) }));

export const pageRoutes = (page: PageName): readonly PageRoute<PageRequest>[] =>
  routesOf(PAGE_PATHS[page], (lang) => ({ lang }));

export interface SlugRequest extends PageRequest {
  /** A slug, an older one or an id, as it stands in the path. */
  readonly slug: string;
}

export const recordRoutes = (section: SectionName): readonly PageRoute<SlugRequest>[] =>
  routesOf(
    byLang((lang) => `${SECTION_PATHS[section][lang]}/[slug]`),
    (lang, slug) => ({ lang, slug }),
  );

export interface TokenRequest extends PageRequest {
  /** What only its holder knows. */
  readonly token: string;
}

export const tokenRoutes = (
  toPath: (token: string, lang: Lang) => string,
): readonly PageRoute<TokenRequest>[] =>
  routesOf(
    byLang((lang) => toPath('[token]', lang)),
    (lang, token) => ({ lang, token }),
  );

export const MARKDOWN_EXTENSION = '.md';
/** The path of a page by its own or that of its Markdown version; of what is neither, itself. */
export const pagePathOf = (path: string): string =>
  path.endsWith(MARKDOWN_EXTENSION) ? path.slice(0, -MARKDOWN_EXTENSION.length) : path;

export const listPagePaths = (page: PageName): readonly string[] => Object.values(PAGE_PATHS[page]);

export const listRecordPaths = (
  section: Exclude<SectionName, 'day'>,
  things: readonly { readonly slug: LocalText }[],
): readonly string[] =>
  // A thing is read once for all of its pages.
  things.flatMap(({ slug }) => LANGS.map((lang) => recordPath(section, slug, lang)));
