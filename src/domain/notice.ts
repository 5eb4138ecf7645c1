// What a notice is, and in which order notices stand (interface 2, Notice; decisions, Resources 5).
import type { LocalText } from './lang.ts';

export const NOTICE_TYPES = [
  'weather',
  'traffic',
  'closure',
  'ecology',
  'health',
  'other',
] as const;
/** Most severe first. */
export const SEVERITIES = ['alert', 'warning', 'info'] as const;

export interface NoticeRecord {
  /** `no_`, ten characters and the local start day. */
  readonly id: string;
  readonly type: (typeof NOTICE_TYPES)[number];
  readonly severity: (typeof SEVERITIES)[number];
  readonly title: LocalText;
  /** Plain text. */
  readonly body: LocalText;
  readonly zone: string | null;
  readonly start_ms: number;
  /** Exclusive; null until an editor closes it. */
  readonly end_ms: number | null;
  readonly source: string | null;
  readonly source_url: string | null;
  readonly updated_at: string;
}

/** Alert, warning, info; then newest; then by id. */
export function compareNotices(a: NoticeRecord, b: NoticeRecord): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.start_ms - a.start_ms ||
    (a.id < b.id ? -1 : 1)
  );
}
