// The reasons that an editor gives most, to be chosen instead of written; the sender reads each in the
// language of the submission (contract 14.22).

export const REJECTIONS = [
  'spam',
  'duplicate',
  'private',
  'past',
  'outside',
  'unconfirmed',
] as const;
export const WISHES = ['place', 'hour', 'price', 'source', 'picture', 'text'] as const;

export type Rejection = (typeof REJECTIONS)[number];
export type Wish = (typeof WISHES)[number];

/** Null for whatever is none of them. */
export const findRejection = (text: string | undefined): Rejection | null =>
  REJECTIONS.find((known) => known === text) ?? null;
export const findWish = (text: string | undefined): Wish | null =>
  WISHES.find((known) => known === text) ?? null;
