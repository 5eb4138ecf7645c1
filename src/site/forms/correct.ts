// The form by which a reader says what has changed: shown, shown again with what is wrong, taken in,
// and the thanks after it (contract 14.11).
import { CORRECTABLE, type Correctable } from '../../domain/correction.ts';
import { CLOSED } from '../page.ts';
import { defineForm, type PageRequest, toRoutes } from '../page-kind.ts';
import {
  CORRECTION_FIELDS,
  type CorrectionField,
  type CorrectionValues,
  pickCorrectionValues,
  readCorrection,
} from '../../domain/correction.ts';
import { byLang } from '../../domain/lang.ts';
import { toCorrectPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { sendCorrection } from '../../desk/corrections.ts';
import { checkFormStamp } from '../../desk/secret.ts';
import { getCorrection } from '../../inbox/corrections.ts';
import { type CorrectableThing, findCorrectable } from '../correctable.ts';
import type { Failure, PageMeta } from '../page.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { toSentence } from './read-form.ts';
import { toRefused } from './refused.ts';
import { reuseStamp, STAMP_REFUSALS } from './stamp.ts';

interface CorrectRequest extends PageRequest {
  readonly about: Correctable;
  readonly id: string;
}

export interface CorrectPage {
  readonly meta: PageMeta;
  readonly about: CorrectableThing;
  readonly values: CorrectionValues;
  /** The sentence of each control where something is wrong. */
  readonly issues: ReadonlyMap<CorrectionField, string>;
  /** What is wrong with the whole. */
  readonly notice: string | null;
  readonly action: string;
  readonly stamp: string;
  /** The reference of what was just sent; null for the form. */
  readonly sent: string | null;
}

/** The answer to any request for the form of one thing. */
export async function handleCorrect(
  state: SiteState,
  visit: Visit,
  request: CorrectRequest,
): Promise<Shown<CorrectPage> | Redirect | Failure> {
  const { lang } = request;
  const about = findCorrectable(state, request.about, request.id, lang);
  if (about.kind === 'failure') return about;
  const { inbox, fields, sender, refusal } = visit;
  const { now_ms } = state;
  const values = pickCorrectionValues(fields);
  const { correction, issues } = readCorrection(values);
  const toPage = async (
    notice: Key | null,
    shown: CorrectPage['issues'],
  ): Promise<CorrectPage> => ({
    meta: toMeta(state, about, request),
    about,
    values,
    issues: shown,
    notice: notice && t(lang, notice),
    action: toCorrectPath(about.kind, about.id, lang),
    stamp: reuseStamp(visit, now_ms),
    sent: await findSent(visit, about),
  });
  if (visit.method === 'GET') return show(await toPage(null, new Map()));
  const sentences = new Map(
    CORRECTION_FIELDS.flatMap((name) => {
      const issue = issues.find(({ field }) => field === name);
      return issue ? [[name, toSentence(issue, lang)] as const] : [];
    }),
  );
  if (refusal !== null)
    return show(
      await toPage(REFUSALS[refusal], fields.change === undefined ? new Map() : sentences),
      refusal,
    );
  if (fields.homepage) return show(await toPage('submit.refused.trap', sentences), 422);
  if (correction === null) return show(await toPage(null, sentences), 422);
  const stamp = checkFormStamp(inbox, fields.stamp ?? '', now_ms);
  if (stamp !== 'ok') return show(await toPage(STAMP_REFUSALS[stamp], sentences), 422);
  try {
    const { reference } = await sendCorrection(inbox, { correction, about, lang, sender, now_ms });
    return redirect(`${toCorrectPath(about.kind, about.id, lang)}?sent=${reference}`);
  } catch (thrown) {
    const refused = toRefused(thrown, lang, now_ms);
    if (refused === null) throw thrown;
    const page = { ...(await toPage(null, sentences)), notice: refused.notice };
    return { ...show(page, refused.status), retry_seconds: refused.retry_seconds };
  }
}

/** Only what is stored, of this very thing: an address made up by somebody thanks for nothing. */
async function findSent(
  { inbox, method, query }: Visit,
  { kind, id }: CorrectableThing,
): Promise<string | null> {
  const stored = method === 'GET' && query.sent ? await getCorrection(inbox, query.sent) : null;
  return stored?.about.kind === kind && stored.about.id === id ? stored.reference : null;
}

function toMeta({ site }: SiteState, about: CorrectableThing, { lang }: CorrectRequest): PageMeta {
  return {
    lang,
    site,
    paths: byLang((one) => toCorrectPath(about.kind, about.id, one)),
    is_private: true,
    markdown: null,
    calendar: null,
    json_ld: null,
    entry: null,
    title: t(lang, 'correct.title'),
    description: t(lang, 'correct.description', { title: about.title }),
  };
}

export const correctPage = defineForm<CorrectRequest, CorrectPage>({
  name: 'correct',
  routes: CORRECTABLE.flatMap((about) =>
    toRoutes(
      byLang((lang) => toCorrectPath(about, '[id]', lang)),
      (lang, id) => ({ lang, about, id }),
    ),
  ),
  handle: (state, request, visit) => (visit ? handleCorrect(state, visit, request) : CLOSED),
});
