// What readers reported, as lines of the desk: each with the thing that it is about.
import type { StoredCorrection } from '../../domain/correction.ts';
import { listPendingCorrections } from '../../inbox/corrections.ts';
import { findCorrectable, toDeskPath } from '../correctable.ts';
import type { CorrectionLine, DeskRequest } from './screens.ts';

/** Lines on the screen; the rest comes up as these are decided. */
const LINES_SHOWN = 50;

/** The oldest that wait. */
export const listCorrectionLines = (request: DeskRequest): CorrectionLine[] =>
  listPendingCorrections(request.visit.inbox)
    .slice(0, LINES_SHOWN)
    .map((stored) => toCorrectionLine(request, stored));

/** It, with the places of what it is about where a release has that. */
export function toCorrectionLine(
  { state, visit }: DeskRequest,
  stored: StoredCorrection,
): CorrectionLine {
  const { about } = stored;
  const thing = findCorrectable(state, about.kind, about.id, visit.lang);
  return thing.kind === 'failure'
    ? { stored, page_path: null, desk_path: null }
    : { stored, page_path: thing.path, desk_path: toDeskPath(about) };
}
