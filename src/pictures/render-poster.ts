// Poster: draws the picture that social networks show for a link to a page, as SVG and PNG. It has
// the date and texts of the page and framed pictures, called cards: one large card for an event, up
// to three for a day. Below them is the drawn sea (or plain ground), with the sun and the name of
// the site. All texts become outlines, so that no text of a user is ever markup.
import { townColor, TOWN } from '../town.ts';
import {
  type DrawingRequest,
  type Picture,
  type Poster,
  POSTER_SIZE,
  type PosterCard,
  SCENE_PIXELS,
  SCENE_SIZE,
} from '../domain/pictures.ts';
import {
  fitTextInBox,
  measureText,
  type TextBox,
  toDrawableText,
  textOutline,
} from './text-outlines.ts';

const { width: WIDTH, height: HEIGHT } = POSTER_SIZE;
// All lengths in pixels; y grows downwards.
const MARGIN = 64;
/** Upper edge of the sea or ground. */
const SHORE_Y = 498;
const DATE_WIDTH = 372;
/** Gap between the date, or the card of an event, and the text column. */
const COLUMN_GAP = 56;
/** Width of the date on posters with cards. */
const NARROW_DATE_WIDTH = 280;
/** Height of a capital letter, relative to the font size. */
const CAPITAL_HEIGHT = 0.8;

// Colors of the town (content/town.yml), by their use here.
/** Titles, numbers and frames. */
const TEXT_COLOR = townColor('ink');
/** Weekday, and the line above a title. */
const ACCENT_COLOR = townColor('bloom');
/** Smaller lines of text, and the ground. */
const DEEP_COLOR = townColor('deep');
/** Site name on the sea, and the crest of the waves. */
const FOAM_COLOR = townColor('foam');
/** Background of cards. */
const CARD_COLOR = townColor('paper');
/** Color of the sun, equal in all towns. */
const SUN_COLOR = '#ffd08a';
/** Baseline of the site name, and lower edge of the sun beside it. */
const FOOTER_Y = 592;
const SUN_RADIUS = 26;
// SVG definitions and paths: gradients of the sea and sky, and the outlines of two waves.
const SEA_GRADIENT = `<linearGradient id="w"><stop stop-color="${DEEP_COLOR}"/><stop offset=".55" stop-color="${townColor('lagoon')}"/><stop offset="1" stop-color="${townColor('shallow')}"/></linearGradient>`;
const SKY_GRADIENT = `<linearGradient id="s" x2="0" y2="1"><stop stop-color="${townColor('sky')}"/><stop offset="1" stop-color="${townColor('sky-low')}"/></linearGradient>`;
const BACK_WAVE = `M0 ${SHORE_Y - 4}q150 -34 300 0t300 0 300 0 300 0V${HEIGHT}H0Z`;
const FRONT_WAVE = `M0 ${SHORE_Y + 20}q100 -26 200 0t200 0 200 0 200 0 200 0 200 0V${HEIGHT}H0Z`;
/** Bottom of the picture: the sea, or plain ground in the deepest color of the town. */
const SEA_OR_GROUND =
  TOWN.scene === 'sea'
    ? `<path fill="${DEEP_COLOR}" opacity=".45" d="${BACK_WAVE}"/><path fill="url(#w)" stroke="${FOAM_COLOR}" stroke-width="3" d="${FRONT_WAVE}"/>`
    : `<path fill="${DEEP_COLOR}" d="M0 ${SHORE_Y + 20}H${WIDTH}V${HEIGHT}H0Z"/>`;
/** Draws the half disk of the rising sun. @param x Its left end. */
const drawSun = (x: number): string =>
  `<path fill="${SUN_COLOR}" d="M${x} ${FOOTER_Y}a${SUN_RADIUS} ${SUN_RADIUS} 0 0 1 ${2 * SUN_RADIUS} 0Z"/>`;

/**
 * Frame of a card around its scene, the picture inside it, in units of the scene.
 * components/styles/card.css draws the same card on pages.
 */
const CARD = { width: 232, height: 350, scene_x: 16, scene_y: 36 } as const;
/** Position and scale of the card of an event. */
const EVENT_CARD = { x: MARGIN, y: 40, scale: 550 / CARD.height } as const;
/** Position and scale of the cards of a day; each is in a column of `column_width`. */
const DAY_CARD = { y: 96, scale: 280 / CARD.height, column_width: 252 } as const;

/** Draws one line of text as an outline that starts at (`x`, `y`), the left end of its baseline. */
const drawLine = (text: string, x: number, y: number, size: number, fill: string): string =>
  `<path fill="${fill}" d="${textOutline(text, x, y, size)}"/>`;

/** Picture inside a card, as a data URL of our own SVG or of a JPEG; null if it is missing. */
export type CardSource = string | null;

/** Computes the font size, at most `max_size`, at which a line is not wider than `max_width`. */
function fitFontSize(line: string, max_width: number, max_size: number): number {
  const width = measureText(line, max_size);
  return width > max_width ? (max_size * max_width) / width : max_size;
}

/** Draws a centered line, scaled down if it is wider than its box. */
function drawCentered(
  raw_text: string,
  [box_x, box_width]: readonly [x: number, width: number],
  y: number,
  size: number,
) {
  const text = toDrawableText(raw_text);
  const fitted_size = fitFontSize(text, box_width, size);
  const x = box_x + (box_width - measureText(text, fitted_size)) / 2;
  return drawLine(text, x, y, fitted_size, TEXT_COLOR);
}

/**
 * Draws a card: frame, picture, the number in its upper left corner and, if it has one, its name
 * below.
 */
function drawCard(
  { number, name }: PosterCard,
  source: CardSource,
  position: { x: number; y: number; scale: number },
) {
  const { scene_x: x, scene_y: y } = CARD;
  const { width, height } = SCENE_SIZE;
  // Without a name, the bottom border is as wide as the side borders.
  const card_height = name === null ? y + height + x : CARD.height;
  const scene_box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  return [
    `<g transform="translate(${position.x} ${position.y}) scale(${position.scale.toFixed(4)})">`,
    `<rect x="2" y="2" width="${CARD.width - 4}" height="${card_height - 4}" rx="14" fill="${CARD_COLOR}" stroke="${TEXT_COLOR}" stroke-width="4"/>`,
    source && `<image ${scene_box} preserveAspectRatio="xMidYMid slice" href="${source}"/>`,
    `<rect ${scene_box} fill="none" stroke="${TEXT_COLOR}" stroke-width="4"/>`,
    drawLine(toDrawableText(number), 18, 28, 27, TEXT_COLOR),
    name && drawCentered(name, [x, width], 334, 32),
    '</g>',
  ].join('');
}

const capitalize = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** Draws the date as three rows, vertically centered above the sea; its number fills the column. */
function drawDate(
  { weekday, number, month }: NonNullable<Poster['date']>,
  column_width: number,
): string {
  /** @param gap_above Distance to the previous row. */
  const fitRow = (raw_text: string, max_size: number, gap_above: number, fill: string) => {
    const text = toDrawableText(raw_text);
    return { text, size: fitFontSize(text, column_width, max_size), gap_above, fill };
  };
  const rows = [
    fitRow(capitalize(weekday), 74, 0, ACCENT_COLOR),
    fitRow(number, 300, 36, TEXT_COLOR),
    fitRow(month, 64, 34, TEXT_COLOR),
  ];
  const height = rows.reduce(
    (sum, { gap_above, size }) => sum + gap_above + size * CAPITAL_HEIGHT,
    0,
  );
  let y = (SHORE_Y - 10 - height) / 2 + 4;
  return rows
    .map(({ text, size, gap_above, fill }) => {
      y += gap_above + size * CAPITAL_HEIGHT;
      return drawLine(text, MARGIN, y, size, fill);
    })
    .join('');
}

/** Line height, relative to the font size. */
const LINE_HEIGHT = 1.06;
/**
 * Pairs of font size and line limit of a title, tried in order: two large lines, or three smaller
 * ones.
 */
const TITLE_SIZES = [
  [104, 2],
  [92, 2],
  [78, 3],
  [70, 3],
] as const;
/** Pairs of font size and line limit of each line below or above a title. */
const LINE_SIZES = [
  [46, 1],
  [42, 1],
] as const;

const formatDay = ({ weekday, number, month }: NonNullable<Poster['date']>): string =>
  capitalize(`${weekday} ${number} ${month}`);

/**
 * Draws title and lines in the text column, vertically centered above the sea.
 * @param lead_parts Texts of the line above the title: the status of an event and its day, if any.
 * @param x Left edge of the text column.
 */
function drawTexts(
  { title: poster_title, lines: poster_lines }: Poster,
  lead_parts: readonly (string | null)[],
  x: number,
) {
  /**
   * Returns the lines of one text, or no block for an empty text.
   * @param gap_above Distance to the previous block.
   */
  const fitBlock = (text: string, steps: TextBox['steps'], gap_above: number, fill: string) => {
    const fitted = fitTextInBox(text, { width: WIDTH - MARGIN - x, steps });
    return fitted.lines.length === 0 ? [] : [{ ...fitted, gap_above, fill }];
  };
  // If the font cannot draw the title, the first drawable line replaces it.
  const [title = '', ...lines] = [poster_title, ...poster_lines]
    .map(toDrawableText)
    .filter((text) => text !== '');
  const blocks = [
    ...fitBlock(
      toDrawableText(lead_parts.filter(Boolean).join(' · ')),
      LINE_SIZES,
      0,
      ACCENT_COLOR,
    ),
    ...fitBlock(title, TITLE_SIZES, 6, TEXT_COLOR),
    ...lines.flatMap((line, index) => fitBlock(line, LINE_SIZES, index === 0 ? 22 : 4, DEEP_COLOR)),
  ];
  const height = blocks.reduce(
    (sum, block) => sum + (block.gap_above + block.lines.length * block.size * LINE_HEIGHT),
    0,
  );
  let y = (SHORE_Y - 16 - height) / 2;
  let drawn = '';
  for (const { lines: fitted_lines, size, gap_above, fill } of blocks) {
    y += gap_above;
    for (const line of fitted_lines) {
      y += size * LINE_HEIGHT;
      drawn += drawLine(line, x, y - size * 0.2, size, fill);
    }
  }
  return drawn;
}

/** Pairs of font size and line limit of the event title below a card of a day. */
const CARD_TITLE_SIZES = [
  [32, 2],
  [29, 3],
] as const;

/**
 * Draws the main part of a day's poster: title and lines in one row, and below them the cards with
 * their titles.
 * @param sources The picture of each card, in the same order.
 * @param left Left edge of the first card.
 */
function drawCards({ title, lines, cards }: Poster, sources: readonly CardSource[], left: number) {
  const heading = [title, ...lines].map(toDrawableText).filter(Boolean).join(' · ');
  const { lines: heading_lines, size } = fitTextInBox(heading, {
    width: WIDTH - MARGIN - left,
    steps: LINE_SIZES,
  });
  const drawn = cards.map((card, index) => {
    const x = left + index * DAY_CARD.column_width;
    const { lines: title_lines, size: title_size } = fitTextInBox(
      toDrawableText(card.title ?? ''),
      { width: DAY_CARD.column_width - 20, steps: CARD_TITLE_SIZES },
    );
    const title_top = DAY_CARD.y + CARD.height * DAY_CARD.scale + 8;
    const drawn_title = title_lines.map((line, row) =>
      drawLine(
        line,
        x,
        title_top + (row + 1) * title_size * LINE_HEIGHT - title_size * 0.2,
        title_size,
        TEXT_COLOR,
      ),
    );
    return drawCard(card, sources[index] ?? null, { ...DAY_CARD, x }) + drawn_title.join('');
  });
  return (
    heading_lines.map((line) => drawLine(line, left, 76, size, DEEP_COLOR)).join('') +
    drawn.join('')
  );
}

/**
 * Renders a poster as SVG. Equal posters and sources give equal text.
 * @param sources The picture of each card, in the same order.
 */
export function renderPosterSvg(poster: Poster, sources: readonly CardSource[]): string {
  const { date, mark, cards } = poster;
  const [first_card] = cards;
  // Only an event's poster has its title next to the card; with a day's cards each has a title
  // below.
  const is_event = first_card?.title === null;
  const text_x = EVENT_CARD.x + CARD.width * EVENT_CARD.scale + COLUMN_GAP - 10;
  const footer_x = is_event ? text_x : MARGIN;
  const drawBody = (): string => {
    if (is_event && first_card)
      return (
        drawCard(first_card, sources[0] ?? null, EVENT_CARD) +
        drawTexts(poster, [mark, date && formatDay(date)], text_x)
      );
    const date_width = first_card ? NARROW_DATE_WIDTH : DATE_WIDTH;
    const x = date === null ? MARGIN : MARGIN + date_width + COLUMN_GAP;
    const body = first_card ? drawCards(poster, sources, x) : drawTexts(poster, [mark], x);
    return (date === null ? '' : drawDate(date, date_width)) + body;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<defs>${SKY_GRADIENT}${SEA_GRADIENT}</defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#s)"/>`,
    SEA_OR_GROUND,
    drawSun(footer_x),
    drawLine(toDrawableText(poster.name), footer_x + 72, FOOTER_Y, 52, FOAM_COLOR),
    drawBody(),
    '</svg>',
  ].join('');
}

/** Reads the picture of a card or scene. @returns null if it is missing. */
export type ReadCardSource = (
  picture: Picture,
) => Promise<{ readonly type: string; readonly bytes: Buffer } | null>;

/**
 * Renders a poster, or the scene (drawing) of a motif, as PNG. Equal requests and sources give
 * equal bytes.
 */
export async function renderPng(
  request: DrawingRequest,
  readSource: ReadCardSource,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  if ('scene' in request) {
    const motif = request.scene;
    const source = await readSource({ kind: 'drawing', motif, alt: motif.alt });
    // Dots per inch at which an SVG in units of 1/72 inch has the pixels of the PNG.
    const density = (72 * SCENE_PIXELS.width) / SCENE_SIZE.width;
    return sharp(source?.bytes, { density })
      .resize(SCENE_PIXELS)
      .png({ compressionLevel: 9, palette: true })
      .toBuffer();
  }
  const sources = await Promise.all(
    request.cards.map(async ({ picture }) => {
      const source = await readSource(picture);
      return source && `data:${source.type};base64,${source.bytes.toString('base64')}`;
    }),
  );
  return sharp(Buffer.from(renderPosterSvg(request, sources)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}
