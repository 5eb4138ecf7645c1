// A poster: the sky of this coast with the date and the words, its sea below. All words are outlines, so
// nothing that a stranger wrote is markup here.
import { type Poster, POSTER_SIZE } from '../domain/pictures.ts';
import { fitLines, measure, type Room, toDrawable, toOutline } from './lettering.ts';

const { width: WIDTH, height: HEIGHT } = POSTER_SIZE;
const EDGE = 64;
const SHORE = 498;
/** The column of the date, and where the words begin beside it. */
const DATE_WIDTH = 372;
const WORDS_X = EDGE + DATE_WIDTH + 56;
/** The height of a capital of this type, of its size. */
const CAPITAL = 0.8;

/** The light theme's colours (components/styles/tokens.css). */
const INK = '#06283d';
const BLOOM = '#950c45';
const DEEP = '#0a6e8a';
const WATER = `<linearGradient id="w"><stop stop-color="${DEEP}"/><stop offset=".55" stop-color="#17a3ae"/><stop offset="1" stop-color="#5fd3c8"/></linearGradient>`;
const SKY =
  '<linearGradient id="s" x2="0" y2="1"><stop stop-color="#dff3f3"/><stop offset="1" stop-color="#fdeee4"/></linearGradient>';
const SWELL = `M0 ${SHORE - 4}q150 -34 300 0t300 0 300 0 300 0V${HEIGHT}H0Z`;
const SEA = `M0 ${SHORE + 20}q100 -26 200 0t200 0 200 0 200 0 200 0 200 0V${HEIGHT}H0Z`;
const SUN = `M${EDGE} 592a26 26 0 0 1 52 0Z`;

const draw = (text: string, x: number, y: number, size: number, fill: string): string =>
  `<path fill="${fill}" d="${toOutline(text, x, y, size)}"/>`;

/** The date: its number fills the column; in the middle between the upper edge and the sea. */
function drawDate({ weekday, number, month }: NonNullable<Poster['date']>): string {
  const place = (words: string, max_size: number, gap: number, fill: string) => {
    const text = toDrawable(words);
    const width = measure(text, max_size);
    const size = width > DATE_WIDTH ? (max_size * DATE_WIDTH) / width : max_size;
    return { text, size, gap, fill };
  };
  const capitalized = weekday.slice(0, 1).toLocaleUpperCase() + weekday.slice(1);
  const rows = [
    place(capitalized, 74, 0, BLOOM),
    place(number, 300, 36, INK),
    place(month, 64, 34, INK),
  ];
  const height = rows.reduce((sum, { gap, size }) => sum + gap + size * CAPITAL, 0);
  let y = (SHORE - 10 - height) / 2 + 4;
  return rows
    .map(({ text, size, gap, fill }) => {
      y += gap + size * CAPITAL;
      return draw(text, EDGE, y, size, fill);
    })
    .join('');
}

/** Lines are this far apart, of their size. */
const LEADING = 1.06;
/** For a title: two lines of a large size, or three of a smaller one. */
const TITLE = [
  [112, 2],
  [98, 2],
  [88, 3],
  [78, 3],
  [70, 3],
] as const;
const LINE = [
  [46, 1],
  [42, 1],
] as const;

function drawWords(poster: Poster, x: number): string {
  const place = (text: string, steps: Room['steps'], gap: number, fill: string) => {
    const fitted = fitLines(text, { width: WIDTH - EDGE - x, steps });
    return fitted.lines.length === 0 ? [] : [{ ...fitted, gap, fill }];
  };
  // Where the type cannot write the title, what comes next stands in its place.
  const [title = '', ...lines] = [poster.title, ...poster.lines]
    .map(toDrawable)
    .filter((text) => text !== '');
  const blocks = [
    ...place(toDrawable(poster.mark ?? ''), LINE, 0, BLOOM),
    ...place(title, TITLE, 6, INK),
    ...lines.flatMap((line, at) => place(line, LINE, at === 0 ? 22 : 4, DEEP)),
  ];
  const height = blocks.reduce(
    (all, one) => all + (one.gap + one.lines.length * one.size * LEADING),
    0,
  );
  let y = (SHORE - 16 - height) / 2;
  let drawn = '';
  for (const { lines: fitted, size, gap, fill } of blocks) {
    y += gap;
    for (const line of fitted) {
      y += size * LEADING;
      drawn += draw(line, x, y - size * 0.2, size, fill);
    }
  }
  return drawn;
}

/** The same words give the same text. */
export function toPosterSvg(poster: Poster): string {
  const name = toDrawable(poster.name);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<defs>${SKY}${WATER}</defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#s)"/>`,
    `<path fill="${DEEP}" opacity=".45" d="${SWELL}"/><path fill="url(#w)" stroke="#fff" stroke-width="3" d="${SEA}"/>`,
    `<path fill="#ffd08a" d="${SUN}"/>`,
    draw(name, EDGE + 72, 592, 52, '#fff'),
    poster.date === null ? '' : drawDate(poster.date),
    drawWords(poster, poster.date === null ? EDGE : WORDS_X),
    '</svg>',
  ].join('');
}

/** As PNG; the same words give the same bytes. */
export async function paintPoster(poster: Poster): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(toPosterSvg(poster)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}
