// What an address of the site answers: a page with its status, or a redirect.
import type { Lang } from '../domain/lang.ts';
import { toPagePath, toPathLang } from '../i18n/paths.ts';
import { type AgendaResult, resolveAgenda } from './agenda.ts';
import { type CalendarView, resolveCalendar } from './calendar.ts';
import { type ChangesResult, resolveChanges } from './changes.ts';
import { type DownloadsView, resolveData } from './data.ts';
import { type DirectoryResult, resolveDirectory } from './directory.ts';
import { type DocsView, resolveDocs } from './docs.ts';
import { type EmbedView, resolveEmbed } from './embed.ts';
import { type EventResult, resolveEvent } from './event.ts';
import { type DatesResult, resolveDates } from './event-dates.ts';
import { type GuideResult, resolveGuide } from './guide.ts';
import { type CorrectPage, handleCorrect } from './forms/correct.ts';
import { type BatchPage, handleBatch } from './forms/batch/batch.ts';
import { type BringPage, handleBring } from './forms/batch/bring.ts';
import type { ChoosePage } from './forms/batch/choose.ts';
import { handleStatus, type StatusPage } from './forms/status.ts';
import type { SubmitPage } from './forms/form.ts';
import { handleSubmit } from './forms/submit.ts';
import { toJumpTarget } from './jump.ts';
import { type MapResult, resolveMap } from './map.ts';
import { type NoticesResult, resolveNotices } from './notices.ts';
import {
  type Failure,
  FAILURE_STATUS,
  type FailureKind,
  type FailureView,
  type Moved,
  NOT_FOUND,
  toFailureView,
} from './page.ts';
import {
  type PageRequest,
  parsePagePath,
  parseVisitPath,
  type VisitRequest,
} from './page-request.ts';
import {
  type OrganizerResult,
  resolveOrganizer,
  resolveTaxon,
  resolveVenue,
  type TaxonResult,
  type VenueResult,
} from './places.ts';
import { resolveSearch, type SearchResult } from './search.ts';
import type { SiteState } from './state.ts';
import { type Shown, toRedirectResponse, type Visit } from './visit.ts';

/** A page that depends on nobody's visit. */
export type ContentResult =
  | AgendaResult
  | SearchResult
  | MapResult
  | NoticesResult
  | ChangesResult
  | DirectoryResult
  | GuideResult
  | EventResult
  | DatesResult
  | VenueResult
  | OrganizerResult
  | TaxonResult
  | { readonly kind: 'docs'; readonly page: DocsView }
  | { readonly kind: 'data'; readonly page: DownloadsView };
/** What is found at an address that depends on nobody's visit. */
type PageResult = ContentResult | Moved | Failure;

/** All that a page may be given, by its kind. */
export type PageView =
  | ContentResult
  | { readonly kind: 'calendar'; readonly page: CalendarView }
  | { readonly kind: 'embed'; readonly page: EmbedView }
  | { readonly kind: 'submit'; readonly page: SubmitPage }
  | { readonly kind: 'status'; readonly page: StatusPage }
  | { readonly kind: 'bring'; readonly page: BringPage }
  | { readonly kind: 'choose'; readonly page: ChoosePage }
  | { readonly kind: 'batch'; readonly page: BatchPage }
  | { readonly kind: 'correct'; readonly page: CorrectPage }
  | FailureView;

/** A page with its HTTP status. */
interface PageAnswer {
  readonly status: number;
  readonly view: PageView;
  /** Of a refusal: after how many seconds it works again. */
  readonly retry_seconds?: number | undefined;
}

/** What a page is given beside its address: `visit` only for the forms and the status pages. */
interface PageLocals {
  readonly state: SiteState;
  readonly visit: Visit | null;
}

/**
 * What a request finds in the snapshot; without a request (null), nothing. `query` is what was sent
 * behind the address.
 */
export function resolvePage(state: SiteState, request: PageRequest | null, query = ''): PageResult {
  if (request === null) return NOT_FOUND;
  switch (request.kind) {
    case 'agenda':
      return resolveAgenda(state, request, query);
    case 'search':
      return resolveSearch(state, query, request.lang);
    case 'map':
      return resolveMap(state, request.lang);
    case 'notices':
      return resolveNotices(state, request);
    case 'guide':
      return resolveGuide(state, request);
    case 'changes':
      return resolveChanges(state, query, request.lang);
    case 'directory':
      return resolveDirectory(state, request, query);
    case 'docs':
      return { kind: 'docs', page: resolveDocs(state, request.lang) };
    case 'data':
      return { kind: 'data', page: resolveData(state, request.lang) };
    case 'event':
      return resolveEvent(state, request);
    case 'dates':
      return resolveDates(state, request);
    case 'venue':
      return resolveVenue(state, request);
    case 'organizer':
      return resolveOrganizer(state, request);
    default:
      return resolveTaxon(state, request);
  }
}

/** The status of a result. */
export function toStatus(result: PageResult): number {
  if (result.kind === 'moved') return 301;
  return result.kind === 'failure' ? FAILURE_STATUS[result.failure] : 200;
}

/** A permanent redirect to a path of ours (RFC 9110, 15.4.2). */
export const redirectTo = (location: string, status: 301 | 302 = 301): Response =>
  new Response(null, { status, headers: { location } });

const toFailure = (
  kind: FailureKind,
  lang: Lang,
  { site }: SiteState,
  status: number = FAILURE_STATUS[kind],
): PageAnswer => ({ status, view: toFailureView(kind, lang, site) });

/** The page at a path, decoded, with its query as sent, or the redirect that it answers. */
export async function answerPath(
  { state, visit }: PageLocals,
  path: string,
  query: string,
): Promise<PageAnswer | Response> {
  const request = parseVisitPath(path);
  if (request !== null) return answerVisit(state, visit, request, query);
  const result = resolvePage(state, parsePagePath(path, state.now_ms), query);
  if (result.kind === 'moved') return redirectTo(result.location);
  return result.kind === 'failure'
    ? toFailure(result.failure, toPathLang(path), state)
    : { status: 200, view: result };
}

const toStatusLine = ({ status, retry_seconds }: Shown<unknown>) => ({ status, retry_seconds });

async function answerVisit(
  state: SiteState,
  visit: Visit | null,
  request: VisitRequest,
  query: string,
): Promise<PageAnswer | Response> {
  const { lang } = request;
  switch (request.kind) {
    case 'home':
      return redirectTo(toPagePath('today', lang), 302);
    case 'offline':
      return toFailure('offline', lang, state);
    case 'jump':
      return redirectTo(toJumpTarget(state, query, lang), 302);
    case 'calendar': {
      const { status, page } = resolveCalendar(state, query, lang);
      return { status, view: { kind: 'calendar', page } };
    }
    case 'embed': {
      const { status, page } = resolveEmbed(state, query, lang);
      return { status, view: { kind: 'embed', page } };
    }
    case 'submit': {
      // Without the front server nothing can be taken in.
      const result = visit && (await handleSubmit(state, visit, lang));
      if (result === null) return toFailure('broken', lang, state, 503);
      if (result.kind === 'redirect') return toRedirectResponse(result);
      return { ...toStatusLine(result), view: { kind: 'submit', page: result.page } };
    }
    case 'status': {
      const result = visit && (await handleStatus(state, visit, request.token, lang));
      if (result === null) return toFailure('not_found', lang, state);
      if (result.kind === 'redirect') return toRedirectResponse(result);
      const { page } = result;
      const line = toStatusLine(result);
      return 'status' in page
        ? { ...line, view: { kind: 'status', page: page.status } }
        : { ...line, view: { kind: 'submit', page: page.correction } };
    }
    case 'import': {
      const result = visit && (await handleBring(state, visit, lang));
      if (result === null) return toFailure('broken', lang, state, 503);
      if (result.kind === 'redirect') return toRedirectResponse(result);
      return { ...toStatusLine(result), view: { kind: 'bring', page: result.page } };
    }
    case 'batch': {
      const result = visit && (await handleBatch(state, visit, request.token, lang));
      if (result === null) return toFailure('not_found', lang, state);
      if (result.kind === 'redirect') return toRedirectResponse(result);
      const { page } = result;
      return 'choose' in page
        ? { ...toStatusLine(result), view: { kind: 'choose', page: page.choose } }
        : { ...toStatusLine(result), view: { kind: 'batch', page: page.batch } };
    }
    case 'correct': {
      if (visit === null) return toFailure('broken', lang, state, 503);
      const result = await handleCorrect(state, visit, request);
      if (result.kind === 'failure') return toFailure(result.failure, lang, state);
      if (result.kind === 'redirect') return toRedirectResponse(result);
      return { ...toStatusLine(result), view: { kind: 'correct', page: result.page } };
    }
  }
}
