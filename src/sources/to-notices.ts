// One notice file to the notices it gives, one for each time its `when` comes round.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber } from '../domain/cancun-time.ts';
import { toSpan } from '../domain/event/occurrences.ts';
import type { Ledger, Moment, Revision } from '../domain/ledger.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { NoticeFile } from './content-schema.ts';
import { idOf } from './identity.ts';
import type { ContentIssue } from './issues.ts';
import type { ContentFile } from './read-file.ts';
import { reviseRecord } from './to-places.ts';
import { toDays, toSchedule } from './to-schedule.ts';

/** The notices of a file up to `horizon`; `open` ones have no end. */
export function toNotices(
  source: ContentFile<NoticeFile>,
  ledger: Ledger,
  moment: Moment,
  horizon: Temporal.PlainDate,
  issues: ContentIssue[],
): { record: NoticeRecord; revision: Revision }[] {
  const f = source.value;
  const id = idOf('notice', source);
  return f.when.flatMap((when, position) =>
    toDays(when, position, horizon, source, issues).map((day) => {
      const span = toSpan(toSchedule(when), day);
      const record = {
        id: `${id}-${fromDayNumber(span.first_day).toString().replaceAll('-', '')}`,
        type: f.type,
        severity: f.severity,
        title: f.title,
        body: f.body,
        zone: f.zone ?? null,
        start_ms: span.start_ms,
        end_ms: f.open ? null : span.end_ms,
        source: f.source ?? null,
        source_url: f.source_url ?? null,
      };
      return reviseRecord(record, ledger, moment);
    }),
  );
}
