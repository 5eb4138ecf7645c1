// A poster as SVG: the sky of this coast with the date and the words, its sea below. All words are
// outlines, so nothing that a stranger wrote is markup here.
import { type Poster, POSTER_SIZE } from '../domain/poster.ts';
import { fitLines, type Fitted } from './fit-lines.ts';
import { measure, toDrawable, toOutline } from './lettering.ts';

const { width: WIDTH, height: HEIGHT } = POSTER_SIZE;
const EDGE = 64;
/** Where the sea begins. */
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

/** A text in one line of the column of the date, as large as fits up to `max_size`. */
const fitLine = (text: string, max_size: number): number => {
  const width = measure(text, max_size);
  return width > DATE_WIDTH ? (max_size * DATE_WIDTH) / width : max_size;
};

/** The date: its number fills the column. */
function drawDate(date: NonNullable<Poster['date']>): string {
  const [weekday, number, month] = [
    toDrawable(toCapitalized(date.weekday)),
    toDrawable(date.number),
    toDrawable(date.month),
  ];
  const [weekday_size, number_size, month_size] = [
    fitLine(weekday, 74),
    fitLine(number, 300),
    fitLine(month, 64),
  ];
  const number_height = number_size * CAPITAL;
  // The three lines stand in the middle between the upper edge and the sea.
  const height = weekday_size * CAPITAL + 36 + number_height + 34 + month_size * CAPITAL;
  const top = (SHORE - 10 - height) / 2 + 4;
  const number_y = top + weekday_size * CAPITAL + 36 + number_height;
  return [
    draw(weekday, EDGE, top + weekday_size * CAPITAL, weekday_size, BLOOM),
    draw(number, EDGE, number_y, number_size, INK),
    draw(month, EDGE, number_y + 34 + month_size * CAPITAL, month_size, INK),
  ].join('');
}

const toCapitalized = (text: string): string =>
  text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

interface Block extends Fitted {
  readonly fill: string;
  /** Pixels above its first line. */
  readonly gap: number;
}

/** Lines are this far apart, of their size. */
const LEADING = 1.06;

const toHeight = ({ lines, size, gap }: Block): number =>
  lines.length === 0 ? 0 : gap + lines.length * size * LEADING;

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

/** The words beside the date, in the middle of the sky's height. */
function drawWords(poster: Poster, x: number): string {
  const width = WIDTH - EDGE - x;
  // Where the type cannot write the title, what comes next stands in its place.
  const [title = '', ...lines] = [poster.title, ...poster.lines]
    .map(toDrawable)
    .filter((text) => text !== '');
  const blocks: readonly Block[] = [
    { ...fitLines(toDrawable(poster.mark ?? ''), { width, steps: LINE }), fill: BLOOM, gap: 0 },
    { ...fitLines(title, { width, steps: TITLE }), fill: INK, gap: 6 },
    ...lines.map((line, at) => ({
      ...fitLines(line, { width, steps: LINE }),
      fill: DEEP,
      gap: at === 0 ? 22 : 4,
    })),
  ];
  return drawBlocks(blocks, x);
}

function drawBlocks(blocks: readonly Block[], x: number): string {
  let y = (SHORE - 16 - blocks.reduce((sum, block) => sum + toHeight(block), 0)) / 2;
  return blocks
    .map(({ lines, size, gap, fill }) => {
      y += lines.length === 0 ? 0 : gap;
      return lines
        .map((line) => {
          y += size * LEADING;
          return draw(line, x, y - size * 0.2, size, fill);
        })
        .join('');
    })
    .join('');
}

/** The poster, whole; the same words give the same text. */
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
