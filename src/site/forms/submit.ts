// The form of a new submission: its page, or a redirect to the status page of what was taken in.
import { toSubmitMarkdown } from '../../serializers/markdown/submit.ts';
import { CLOSED } from '../page.ts';
import { defineForm, toPageRoutes } from '../page-kind.ts';
import type { Lang } from '../../domain/lang.ts';
import { PAGE_PATHS, toPagePath, toStatusPath } from '../../i18n/paths.ts';
import { submit } from '../../desk/submit.ts';
import type { SiteState } from '../state.ts';
import type { Redirect, Shown, Visit } from '../visit.ts';
import { handleForm, type SubmitPage } from './form.ts';

/** The page of a new submission. */
export function handleSubmit(
  state: SiteState,
  visit: Visit,
  lang: Lang,
): Promise<Shown<SubmitPage> | Redirect> {
  return handleForm(state, visit, {
    lang,
    action: toPagePath('submit', lang),
    paths: PAGE_PATHS.submit,
    correcting: null,
    initial: { lang, languages: lang },
    may_have_begun: false,
    store: async (submission) => {
      const { token } = await submit(visit.inbox, {
        submission,
        channel: 'form',
        sender: visit.sender,
        now_ms: state.now_ms,
      });
      // Only of a text that is public already, and then nobody can be told whose it is.
      return token === null ? `${toPagePath('submit', lang)}?known=1` : toStatusPath(token, lang);
    },
  });
}

export const submitPage = defineForm({
  name: 'submit',
  routes: toPageRoutes('submit'),
  handle: (state, { lang }, visit) => (visit ? handleSubmit(state, visit, lang) : CLOSED),
  toMarkdown: ({ snapshot, site }, { lang }) => toSubmitMarkdown(snapshot.taxonomy, lang, site),
});
