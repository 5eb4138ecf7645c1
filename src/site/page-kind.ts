// A kind of page is one module: its addresses, what it takes and shows, its Markdown version, which of its pages are
// made ahead. NAME-page.astro prints it; registry.ts has all kinds.
import { byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import type { Poster } from '../domain/pictures.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import {
  PAGE_PATHS,
  type PageName,
  SECTION_PATHS,
  type SectionName,
  toThingPath,
} from '../i18n/paths.ts';
import { type Failure, NOT_FOUND, type PageMeta } from './page.ts';
import type { SiteState } from './state.ts';
import type { Redirect, Shown, Visit } from './visit.ts';

export interface PageRequest {
  readonly lang: Lang;
}

interface PageView {
  readonly meta: PageMeta;
}

/** Pages of fixed days, which take the filters, and the search, which takes any days too. */
export type NarrowedKind = 'agenda' | 'search';

/** What is found at an address. */
export type Answer<V> = Shown<V> | Redirect | Failure;

/** What a page is loaded as, where there is one. */
export type Loaded<Load extends (...args: never[]) => unknown> =
  Extract<ReturnType<Load>, { readonly kind: 'page' }> extends Shown<infer V> ? V : never;

/** An address, as Astro writes routes: `/eventos/[slug]`. */
export interface Route<R> {
  readonly pattern: string;
  /** `part` is what stands where the brackets are, decoded. Null where no page has such an address. */
  readonly read: (part: string) => R | null;
}

export type Judge = Pick<SiteState, 'snapshot' | 'now_ms'>;

interface Common<R extends PageRequest> {
  readonly name: string;
  readonly routes: readonly Route<R>[];
}

/**
 * A page that depends on its address, its query, the snapshot and the instant alone: `L` is what it is loaded as,
 * `V` the same in the order in which it is shown, ready to print.
 */
interface PageKind<R extends PageRequest, L extends PageView, V = L> extends Common<R> {
  /** `query` as sent, without its question mark; never throws for what it says. */
  readonly load: (state: SiteState, request: R, query: string) => Answer<L>;
  readonly toMarkdown?: (view: V, state: SiteState) => string;
  readonly parameters?: (request: R) => readonly string[];
  /** Whether these are the shared filters: for its own days, or for any. */
  readonly narrowed?: NarrowedKind;
  /** What is wrong with their values, as sentences, `issues` of the query's form among them. May throw AppError. */
  readonly judge?: (params: ParameterTexts, issues: string[], state: Judge) => readonly string[];
  readonly isOfMinute?: (request: R, now_ms: number) => boolean;
  readonly listBuilt?: (state: SiteState) => readonly string[];
  readonly toPoster?: (state: SiteState, request: R) => Poster | Redirect | Failure;
}

/** A page that takes in what a visitor sends; `visit` is null where no server serves. */
export interface FormKind<R extends PageRequest, V extends PageView> extends Common<R> {
  readonly handle: (
    state: SiteState,
    request: R,
    visit: Visit | null,
  ) => Promise<Answer<V>> | Answer<V>;
  readonly toMarkdown?: (state: SiteState, request: R) => string;
}

/** The page that an address names, whatever its kind. */
export interface FoundPage {
  readonly name: string;
  readonly lang: Lang;
  readonly is_form: boolean;
  readonly has_markdown: boolean;
  readonly parameters: readonly string[];
  readonly narrowed: NarrowedKind | null;
  readonly judge: NonNullable<PageKind<PageRequest, PageView, object>['judge']>;
  readonly isOfMinute: (now_ms: number) => boolean;
  readonly load: (state: SiteState, query: string) => Answer<PageView>;
  readonly handle: (
    state: SiteState,
    query: string,
    visit: Visit | null,
  ) => Promise<Answer<object>> | Answer<object>;
  readonly write: (state: SiteState, query: string) => string | Answer<object>;
  readonly toPoster: ((state: SiteState) => Poster | Redirect | Failure) | null;
}

export interface DefinedKind {
  readonly routes: readonly {
    readonly pattern: string;
    readonly find: (part: string) => FoundPage | null;
  }[];
  readonly listBuilt: (state: SiteState) => readonly string[];
}

export const definePage = <R extends PageRequest, V extends PageView>(
  kind: PageKind<R, V>,
): DefinedKind => definePrintedPage({ ...kind, print: (view) => view });

/** Of a page that a release makes ahead: what it is loaded as tells whether the page that is there still holds. */
export function definePrintedPage<R extends PageRequest, L extends PageView, V extends object>(
  kind: PageKind<R, L, V> & { readonly print: (loaded: L, state: SiteState) => V },
): DefinedKind {
  const { name, print, toMarkdown, toPoster, listBuilt = () => [] } = kind;
  /** The last one of a state: its digest, the page and its Markdown version are made of the same. */
  const loaded = new WeakMap<SiteState, { readonly key: string; readonly answer: Answer<L> }>();
  const toFound = (request: R): FoundPage => {
    const load = (state: SiteState, query: string): Answer<L> => {
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
      judge: kind.judge ?? ((_, issues) => issues),
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

export function defineForm<R extends PageRequest, V extends PageView>({
  toMarkdown,
  ...kind
}: FormKind<R, V>): DefinedKind {
  const toFound = (request: R): FoundPage => ({
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
  toFound: (request: R) => FoundPage,
): DefinedKind['routes'] =>
  routes.map(({ pattern, read }) => ({
    pattern,
    find: (part) => {
      const request = read(part);
      return request && toFound(request);
    },
  }));

export const toRoutes = <R>(
  patterns: LocalText,
  read: (lang: Lang, part: string) => R | null,
): readonly Route<R>[] =>
  LANGS.map((lang) => ({ pattern: patterns[lang], read: (part) => read(lang, part) }));

export const toPageRoutes = (page: PageName): readonly Route<PageRequest>[] =>
  toRoutes(PAGE_PATHS[page], (lang) => ({ lang }));

export interface SlugRequest extends PageRequest {
  /** A slug, an older one or an id, as it stands in the path. */
  readonly slug: string;
}

export const toThingRoutes = (section: SectionName): readonly Route<SlugRequest>[] =>
  toRoutes(
    byLang((lang) => `${SECTION_PATHS[section][lang]}/[slug]`),
    (lang, slug) => ({ lang, slug }),
  );

export interface TokenRequest extends PageRequest {
  /** What only its holder knows. */
  readonly token: string;
}

export const toTokenRoutes = (
  toPath: (token: string, lang: Lang) => string,
): readonly Route<TokenRequest>[] =>
  toRoutes(
    byLang((lang) => toPath('[token]', lang)),
    (lang, token) => ({ lang, token }),
  );

export const MARKDOWN_ENDING = '.md';
/** The path of a page by its own or that of its Markdown version; of what is neither, itself. */
export const toPageOf = (path: string): string =>
  path.endsWith(MARKDOWN_ENDING) ? path.slice(0, -MARKDOWN_ENDING.length) : path;

export const listPagePaths = (page: PageName): readonly string[] => Object.values(PAGE_PATHS[page]);

export const listThingPaths = (
  section: Exclude<SectionName, 'day'>,
  things: readonly { readonly slug: LocalText }[],
): readonly string[] =>
  // A thing is read once for all of its pages.
  things.flatMap(({ slug }) => LANGS.map((lang) => toThingPath(section, slug, lang)));
