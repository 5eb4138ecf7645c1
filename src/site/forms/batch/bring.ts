// The page where a calendar is brought in, by file or by address: shown, shown again with what is wrong,
// or a redirect to what was read (contract 14.34).
import { toImportMarkdown } from '../../../serializers/markdown/import.ts';
import { CLOSED } from '../../page.ts';
import { defineForm, toPageRoutes } from '../../page-kind.ts';
import type { FeedProblem } from '../../../domain/batch/feed-event.ts';
import { type Lang, LANGS } from '../../../domain/lang.ts';
import { openBatch } from '../../../desk/batches.ts';
import { checkFormStamp } from '../../../desk/secret.ts';
import { PAGE_PATHS, toBatchPath, toMarkdownPath, toPagePath } from '../../../i18n/paths.ts';
import { type Key, t } from '../../../i18n/translate.ts';
import type { PageMeta } from '../../page.ts';
import type { SiteState } from '../../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../../visit.ts';
import { toRetry } from '../refused.ts';
import { reuseStamp, STAMP_REFUSALS } from '../stamp.ts';

export interface BringPage {
  readonly meta: PageMeta;
  readonly action: string;
  readonly stamp: string;
  /** What is wrong with the whole. */
  readonly notice: string | null;
  /** What is wrong with the calendar. */
  readonly problem: string | null;
  readonly url: string;
  readonly text_lang: Lang;
}

/** Where what is wrong is not what was sent. */
const PROBLEM_STATUS: Readonly<Partial<Record<FeedProblem, number>>> = {
  too_large: 413,
  too_often: 429,
  busy: 503,
};
export const toProblemStatus = (problem: FeedProblem): number => PROBLEM_STATUS[problem] ?? 422;

/** The language of the calendar's texts. */
export const toTextLang = (fields: Visit['fields'], fallback: Lang): Lang =>
  LANGS.find((one) => one === fields.text_lang) ?? fallback;

/** The answer to any request for the page. */
export async function handleBring(
  state: SiteState,
  visit: Visit,
  lang: Lang,
): Promise<Shown<BringPage> | Redirect> {
  const { fields, inbox, sender, refusal, calendar } = visit;
  const { now_ms, snapshot } = state;
  const text_lang = toTextLang(fields, lang);
  const { when, retry_seconds } = toRetry(visit.retry_at_ms, lang, now_ms);
  const toPage = (notice: Key | null, problem: FeedProblem | null): BringPage => ({
    meta: toMeta(state, lang),
    action: toPagePath('import', lang),
    stamp: reuseStamp(visit, now_ms),
    notice: notice && t(lang, notice),
    problem: problem && t(lang, `batch.problem.${problem}`, { when }),
    url: fields.calendar_url ?? '',
    text_lang,
  });
  if (refusal !== null) return show(toPage(REFUSALS[refusal], null), refusal);
  if (visit.method === 'GET') return show(toPage(null, null));
  if (fields.homepage) return show(toPage('submit.refused.trap', null), 422);
  if (calendar === null) return show(toPage(null, 'nothing_given'), 422);
  if ('problem' in calendar)
    return {
      ...show(toPage(null, calendar.problem), toProblemStatus(calendar.problem)),
      retry_seconds,
    };
  const stamp = checkFormStamp(inbox, fields.stamp ?? '', now_ms);
  // A file is chosen quickly, and nothing is sent by it yet.
  if (stamp !== 'ok' && stamp !== 'too_soon') return show(toPage(STAMP_REFUSALS[stamp], null), 422);
  const opened = await openBatch(inbox, snapshot, { ...calendar, lang: text_lang, sender, now_ms });
  return 'problem' in opened
    ? show(toPage(null, opened.problem), toProblemStatus(opened.problem))
    : redirect(toBatchPath(opened.token, lang));
}

const toMeta = ({ site }: SiteState, lang: Lang): PageMeta => ({
  lang,
  site,
  paths: PAGE_PATHS.import,
  markdown: toMarkdownPath(PAGE_PATHS.import[lang]),
  calendar: null,
  json_ld: null,
  entry: 'submit',
  title: t(lang, 'batch.title'),
  description: t(lang, 'batch.text'),
});

export const bringPage = defineForm({
  name: 'bring',
  routes: toPageRoutes('import'),
  handle: (state, { lang }, visit) => (visit ? handleBring(state, visit, lang) : CLOSED),
  toMarkdown: ({ site }, { lang }) => toImportMarkdown(lang, site),
});
