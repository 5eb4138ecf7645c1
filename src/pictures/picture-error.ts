// Why a picture is not taken: a sentence for the log, and for whoever sent it.

import type { PictureProblem } from '../domain/submission/picture.ts';

/** Why nothing comes from an address: its form, where it leads, what its server does. */
export type FetchFailure =
  | 'not_address'
  | 'not_public'
  | 'not_found'
  | 'not_fetched'
  | 'too_slow'
  | 'too_large';

/** What is wrong with a picture or its address; anything else that is thrown is our own fault. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  /** For whoever sent the file; null where it is about an address. */
  readonly problem: PictureProblem | null;
  /** Of an address; null of a file. */
  readonly failure: FetchFailure | null;
  constructor(
    message: string,
    problem: PictureProblem | null = null,
    failure: FetchFailure | null = null,
  ) {
    super(message);
    this.problem = problem;
    this.failure = failure;
  }
}
