// Why a picture is not taken: a sentence for the log, and for whoever sent it.

import type { PictureProblem } from '../domain/submission/picture.ts';

/** What is wrong with a picture or its address; anything else that is thrown is our own fault. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  /** For whoever sent the file; null where it is about an address. */
  readonly problem: PictureProblem | null;
  constructor(message: string, problem: PictureProblem | null = null) {
    super(message);
    this.problem = problem;
  }
}
