// Why a picture is not taken: a sentence for the log, and for whoever sent it.

/** What is wrong with a picture or its address; anything else that is thrown is our own fault. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}
