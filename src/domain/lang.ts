// The two languages of the service, and text that exists in both.

export const LANGS = ['es', 'en'] as const;
export type Lang = (typeof LANGS)[number];

/** A text in both languages; both are always there (the snapshot's checks refuse less). */
export type LocalText = Readonly<Record<Lang, string>>;
