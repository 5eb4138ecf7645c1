// What an address of the site answers: a page with its status, or a redirect.
import type { Lang } from '../domain/lang.ts';
import { toPathLang } from '../i18n/paths.ts';
import { FAILURE_STATUS, type Failure, NOT_FOUND, toFailureView } from './page.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';
import { toRedirectResponse, type Visit } from './visit.ts';

/** A page with its HTTP status. */
interface PageAnswer {
  readonly status: number;
  readonly component: string;
  /** What the component is given. */
  readonly view: object;
  /** Of a refusal: after how many seconds it works again. */
  readonly retry_seconds?: number | undefined;
}

/** What a page is given beside its address: `visit` only for the forms and the status pages. */
interface PageLocals {
  readonly state: SiteState;
  readonly visit: Visit | null;
}

/** A permanent redirect to a path of ours (RFC 9110, 15.4.2). */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 301, headers: { location } });

const toFailure = ({ failure, status }: Failure, lang: Lang, { site }: SiteState): PageAnswer => ({
  status: status ?? FAILURE_STATUS[failure],
  component: 'failure',
  view: toFailureView(failure, lang, site),
});

/** The page at a path, decoded, with its query as sent, or the redirect that it answers. */
export async function answerPath(
  { state, visit }: PageLocals,
  path: string,
  query: string,
): Promise<PageAnswer | Response> {
  const page = findPage(path);
  const answer = page === null ? NOT_FOUND : await page.handle(state, query, visit);
  if (answer.kind === 'moved') return redirectTo(answer.location);
  if (answer.kind === 'redirect') return toRedirectResponse(answer);
  if (answer.kind === 'failure') return toFailure(answer, toPathLang(path), state);
  const { status, page: view, component = page?.name ?? '', retry_seconds } = answer;
  return { status, component, view, retry_seconds };
}
