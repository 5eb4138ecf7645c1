// How the list that other sites put in a frame may look (contract 8.20).

/** The colours: as the viewer's system has them, or one of both. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const EMBED_ROWS = { fallback: 10, max: 30 } as const;
