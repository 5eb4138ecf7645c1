// What a reader reported, as a line of the desk: with the thing that it is about.
import type { StoredCorrection } from '../../domain/correction.ts';
import { findCorrectable, toThingId } from '../forms/correct.ts';
import { toEditPath } from './find-things.ts';
import type { CorrectionLine, DeskRequest } from './screens.ts';

/** It, with the places of what it is about where a release has that. */
export function toCorrectionLine(
  { state, visit }: DeskRequest,
  stored: StoredCorrection,
): CorrectionLine {
  const { about } = stored;
  const thing = findCorrectable(state, about.kind, about.id, visit.lang);
  return thing.kind === 'failure'
    ? { stored, page_path: null, thing_path: null }
    : { stored, page_path: thing.path, thing_path: toEditPath(toThingId(about)) };
}
