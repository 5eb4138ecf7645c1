// What is remembered of the last build that served, and of the last that failed.
import { writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import {
  listFaults,
  readLastBuild,
  writeFailure,
  writeSuccess,
} from '../../src/releases/last-build.ts';
import { type Layout, toLayout } from '../../src/releases/snapshots.ts';
import { toContentError } from '../../src/sources/issues.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

const AT = '2026-11-20T18:00:00-05:00';
const FAULT = { file: 'events/a.yml', line: 3, field: 'price', message: 'must be less' };
const SUCCESS = {
  release: 'x'.repeat(22),
  generated_at: '2026-11-20T12:00:00-05:00',
  summary: '7 events read',
};
let layout: Layout;
beforeEach(() => {
  layout = toLayout(makeTestFolder());
});

test('is nothing where there is no record, or half of one', () => {
  expect(readLastBuild(layout)).toEqual({ success: null, failure: null });
  writeFileSync(layout.last_build_file, '{"success":');
  expect(readLastBuild(layout)).toEqual({ success: null, failure: null });
});

test('keeps the success beside a failure, whose first line it tells without paths of this machine', () => {
  writeSuccess(layout, SUCCESS);
  const thrown = new Error(`EIO: i/o error, open '${layout.data_dir}/inbox.db'\nsecond line`);
  writeFailure(layout, AT, thrown);
  expect(readLastBuild(layout)).toEqual({
    success: SUCCESS,
    failure: { at: AT, reason: "EIO: i/o error, open 'DATA_DIR/inbox.db'" },
  });
  writeSuccess(layout, SUCCESS);
  expect(readLastBuild(layout).failure).toBeNull();
});

test('names the files that stopped a build, or that the one which serves could not take', () => {
  writeSuccess(layout, { ...SUCCESS, faults: [{ ...FAULT, is_left_out: true }] });
  expect(listFaults(readLastBuild(layout))).toEqual([{ ...FAULT, is_left_out: true }]);
  writeFailure(layout, AT, toContentError(Array.from({ length: 101 }, () => FAULT)));
  const faults = listFaults(readLastBuild(layout));
  expect([faults.length, faults[0]]).toEqual([100, { ...FAULT, is_left_out: false }]);
});
