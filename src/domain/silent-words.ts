// Words that say nothing of what somebody looks for, folded, in both languages: articles, what
// stands between words, and what every event is (contract 7.14).

const ES =
  'a al algo alguna alguno con como cual cuando cuanto cosas de del desde donde e el en entre es esta este esto hace hacer hay ir la las le lo los mas me mi o para pero por puedo que quiero se ser si sobre son su sus un una unas unos ver y ya actividad actividades evento eventos plan planes';
const EN =
  'a about an and any are around at be by can do does find for from go going happening how i in is it me my near of on or s some that the there these things this to up want we what when where which with you your activity activities event events';

/** All of them. */
export const SILENT_WORDS: ReadonlySet<string> = new Set(`${ES} ${EN}`.split(' '));
