// How a submission stands, for a reader: the sentences of its page, what may be done, and between the
// fence what people wrote.
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { labelled, list, plain } from '../../serializers/markdown/nodes.ts';
import type { Followed } from '../lean/submission.ts';
import { fence } from './fence.ts';

/** The text beside `structuredContent`: each of the two is whole by itself (contract 13.9). */
export function toFollowedText(followed: Followed, lang: Lang): string {
  const { reference, stage, next, reason, message, can, status_url, event_url, sent } = followed;
  const words = [
    ...(reason === null ? [] : [[t(lang, 'mcp.follow.reason'), reason] as const]),
    ...(message === null ? [] : [[t(lang, 'mcp.follow.message'), message] as const]),
    ...Object.entries(sent),
  ];
  const items = words.map(([label, value]) => labelled(label, plain(value)));
  return [
    `${reference}: ${stage} ${next}`,
    ...(event_url === null ? [] : [`${t(lang, 'status.see')}: ${event_url}`]),
    t(lang, 'mcp.follow.can', { actions: can.join(', ') }),
    t(lang, 'mcp.follow.link', { url: status_url }),
    fence(toMarkdown([list(items)]), lang),
  ].join('\n\n');
}
