// What an address of the site answers: a page with its status, its Markdown version, a document, a redirect.
import { toPathLang } from '../i18n/paths.ts';
import { respondDocument } from './documents.ts';
import { respondMarkdown } from './markdown.ts';
import { FAILURE_STATUS, NOT_FOUND, toFailureView } from './page.ts';
import { MARKDOWN_ENDING, toPageOf } from './page-kind.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';
import { redirectTo, toRedirectResponse, type Visit } from './visit.ts';

interface PageAnswer {
  readonly status: number;
  readonly component: string;
  readonly view: object;
  /** Of a refusal: after how many seconds it works again. */
  readonly retry_seconds?: number | undefined;
}

/**
 * What is at a path, decoded, with its query as sent: a page to be rendered, or a response; `visit` only for
 * forms and status pages.
 */
export async function answerPath(
  { state, visit }: { readonly state: SiteState; readonly visit: Visit | null },
  path: string,
  query: string,
): Promise<PageAnswer | Response> {
  const document = respondDocument(state, path);
  if (document) return document;
  if (path.endsWith(MARKDOWN_ENDING)) return respondMarkdown(state, toPageOf(path), query);
  const page = findPage(path);
  const answer = page === null ? NOT_FOUND : await page.handle(state, query, visit);
  if (answer.kind === 'moved') return redirectTo(answer.location);
  if (answer.kind === 'redirect') return toRedirectResponse(answer);
  if (answer.kind === 'page') {
    const { status, page: view, component = page?.name ?? '', retry_seconds } = answer;
    return { status, component, view, retry_seconds };
  }
  const { failure, status = FAILURE_STATUS[failure] } = answer;
  const view = toFailureView(failure, toPathLang(path), state.site);
  return { status, component: 'failure', view };
}
