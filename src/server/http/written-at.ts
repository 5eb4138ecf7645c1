// When a Markdown document is sent, in Cancún, and of when its data is: said on its way out, so that the files of a release
// stay the same bytes.
import { floorToMinute } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import { type Representation, toRepresentation } from '../../http/representation.ts';
import { withWrittenLine } from '../../serializers/markdown/written-at.ts';
import { MARKDOWN_TYPE } from '../../site/alternates.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The same document saying when it is sent, to the minute; kept for that minute. What is no Markdown,
 * and what is not there, stays as it is.
 */
export async function tellWritten(
  { state, now_ms }: RequestContext,
  page: Representation,
  lang: Lang,
): Promise<Representation> {
  if (page.status !== 200 || page.headers['content-type'] !== MARKDOWN_TYPE) return page;
  const minute_ms = floorToMinute(now_ms);
  const key = `written ${minute_ms} ${lang} ${page.tag}`;
  const stored = state.responses.get(key);
  if (stored) return stored;
  const text = (await page.read('identity')).toString('utf8');
  const body = withWrittenLine(text, minute_ms, state.snapshot.generated_at, lang);
  const written: Representation = {
    ...toRepresentation({ status: 200, headers: page.headers, body }),
    last_modified_ms: page.last_modified_ms,
  };
  state.responses.set(key, written);
  return written;
}
