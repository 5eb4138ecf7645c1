// What a page weighs over the wire, each part compressed as a browser asks for it.

/** The parts, in the order in which they are met. */
export const PARTS = ['html', 'css', 'font', 'script'] as const;
export type Part = (typeof PARTS)[number];

/** Bytes of bodies, without their headers; a part that is not there is 0. */
export interface PageWeight {
  readonly path: string;
  readonly bytes: Readonly<Record<Part, number>>;
  readonly all: number;
}

/** Where a page names what it loads before anybody touches it. */
const LOADED: Readonly<Record<Exclude<Part, 'html'>, RegExp>> = {
  css: /<link [^>]*href="([^"]+\.css)"/g,
  font: /["'(]([^"'()]+\.woff2)["')]/g,
  script: /<script [^>]*src="([^"]+)"/g,
};

async function ask(url: string): Promise<{ readonly text: string; readonly bytes: number }> {
  const answer = await fetch(url, {
    headers: { 'accept-encoding': 'br', accept: 'text/html,*/*;q=0.8' },
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const text = await answer.text();
  const length = answer.headers.get('content-length');
  if (length === null) throw new Error(`${url} does not say how long it is`);
  return { text, bytes: Number(length) };
}

/** Weighs one page of a running server. Throws where it or a part of it does not answer. */
export async function weighPage(base_url: string, path: string): Promise<PageWeight> {
  const page = await ask(new URL(path, base_url).href);
  const weigh = async (part: Exclude<Part, 'html'>): Promise<number> => {
    const paths = new Set([...page.text.matchAll(LOADED[part])].map(([, found = '']) => found));
    const sizes = await Promise.all(
      [...paths].map(async (found) => (await ask(new URL(found, base_url).href)).bytes),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const [css, font, script] = [await weigh('css'), await weigh('font'), await weigh('script')];
  const bytes = { html: page.bytes, css, font, script };
  return { path, bytes, all: page.bytes + css + font + script };
}
