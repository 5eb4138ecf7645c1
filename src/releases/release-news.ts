// How releases go, read from the files that builds leave: what the desk tells who pressed "publish
// now".
import type { ReleaseNews } from '../domain/release-news.ts';
import { readLastBuild } from './last-build.ts';
import type { Layout } from './layout.ts';
import { isLocked } from './lock.ts';
import { isReleaseRequested } from './request-release.ts';

export function readReleaseNews(layout: Layout): ReleaseNews {
  const { success, failure } = readLastBuild(layout);
  return {
    is_wanted: isReleaseRequested(layout),
    is_building: isLocked(layout.lock_file),
    last: success && { at: success.generated_at, changes: success.changes ?? null },
    failure,
  };
}
