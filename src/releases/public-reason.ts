// Why something failed, as anyone who asks how the service is may read it: one line, no paths of
// this machine.
import { type Layout, PROJECT_DIR } from './layout.ts';

const MAX_REASON = 300;

/** The first line of what was thrown. */
export function toPublicReason(layout: Layout, thrown: unknown): string {
  const [first = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1);
  return first
    .replaceAll('file://', '')
    .replaceAll(layout.data_dir, 'DATA_DIR')
    .replaceAll(PROJECT_DIR, '')
    .slice(0, MAX_REASON);
}
