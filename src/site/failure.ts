// The head of a page that has no answer: no address of its own, not to be indexed.
import type { FailureKind } from '../components/failures/failure-kind.ts';
import type { PageMeta } from '../components/layout/page-meta.ts';
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { t } from '../i18n/translate.ts';

/** The head of the page of a failure, in one language. */
export function toFailureMeta(failure: FailureKind, lang: Lang, site: Site): PageMeta {
  return {
    lang,
    site,
    paths: null,
    markdown: null,
    calendar: null,
    json_ld: null,
    entry: null,
    title: t(lang, `failure.${failure}.title`),
    description: t(lang, `failure.${failure}.text`),
  };
}
