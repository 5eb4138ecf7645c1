// A notice in the structured half of an answer: REST's fields without those that hold nothing.
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { toPublicNotice } from '../../serializers/wire/day.ts';
import { withoutEmpty } from './without-empty.ts';

/** `season` and `inferred` only where they are true. */
export function toLeanNotice(notice: NoticeRecord, lang: Lang): unknown {
  const { season, inferred, ...told } = toPublicNotice(notice, lang);
  return withoutEmpty({ ...told, ...(season && { season }), ...(inferred && { inferred }) });
}
