// Flyer patterns: match words for dates, hours, prices, venues and audiences in Spanish and
// English. Patterns without accents are for folded text, the others for the text as written.
import { TOWN } from '../../town.ts';

const DAY_NAMES =
  'lun(?:es)?|martes|mi[eé](?:rcoles)?|jue(?:ves)?|vie(?:rnes)?|s[aá]b(?:ados?)?|dom(?:ingos?)?|mon(?:days?)?|tue(?:s|sdays?)?|wed(?:nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?';
const MONTH_NAMES =
  'ene(?:ro)?|feb(?:rero|ruary)?|marzo|march|abr(?:il)?|mayo?|jun(?:io|e)?|jul(?:io|y)?|ago(?:sto)?|sep(?:t|tiembre|tember)?|oct(?:ubre|ober)?|nov(?:iembre|ember)?|dic(?:iembre)?|jan(?:uary)?|apr(?:il)?|aug(?:ust)?|dec(?:ember)?';
/** First letters of the weekdays in Spanish and English, from Monday; then of the months. */
export const WEEKDAY_PREFIXES = 'lun mon,mar tue,mie wed,jue thu,vie fri,sab sat,dom sun'.split(
  ',',
);
export const MONTH_PREFIXES =
  'ene jan,feb,mar,abr apr,may,jun,jul,ago aug,sep,oct,nov,dic dec'.split(',');

/**
 * Words of days, and connectives between them. Groups: `figures` is a numeric date (`5/12`), `number`
 * a day of the month, `near` a day relative to today.
 */
export const DAY_WORD_PATTERN = new RegExp(
  String.raw`(?<![\p{L}\d$])(?:(?<weekday>${DAY_NAMES})|(?<month>${MONTH_NAMES})|(?<year>20\d\d)(?!-)|(?<figures>\d{1,2}/\d{1,2}(?:/\d{2}(?:\d\d)?)?|\d{1,2}[.-]\d{1,2}[.-]20\d\d|20\d\d-\d\d-\d\d)(?![/.-]\d)|(?<number>\d{1,2})(?:st|nd|rd|th|º|°)?|(?<near>hoy|today|tonight|(?<!la )mañana|tomorrow)|todos|todas|cada|every|each|los|este|esta|this|hasta|until|till|through|to|al?|de|del|el|las|the|of|on|y|e|and|d[ií]as?)(?![\p{L}\d])|[-–—/&+,]`,
  'giu',
);
/** Matches a text that ends with a day name or month name. */
export const FOLLOWS_DAY_PATTERN = new RegExp(
  String.raw`(?:${DAY_NAMES}|${MONTH_NAMES})\W*$`,
  'iu',
);
export const REPEATED_DAY_PATTERN =
  /(?<!\p{L})(?:todos|todas|cada|every|each|los)(?!\p{L})|sábados|sabados|domingos|days/iu;
export const EVERY_DAY_PATTERN = /(?<!\p{L})(?:todos|todas|cada|every)(?!\p{L})/iu;
export const NEARBY_DAY_PATTERN =
  /(?<!\p{L})(?:este|esta|this|hoy|today|tonight|mañana|tomorrow)(?!\p{L})/iu;
export const TODAY_PATTERN = /^(?:hoy|today|tonight)/i;
export const UNTIL_PATTERN = /^(?:hasta|until|till|through)(?!\p{L})/iu;
export const RANGE_PATTERN =
  /[\p{L}\d] ?[-–—] ?[\p{L}\d]|[\p{L}\d,] (?:al?|to|hasta|until|till|through) /iu;
/**
 * Text before a day that is not a date of the event: a street or venue named after it, a deadline,
 * `primer`, `menos los`.
 */
export const FALSE_DAY_CONTEXT_PATTERN =
  /(?:calle|avenida|av|teatro|escuela|colonia|col|plaza|limite|inscripcion(?:es)?|registro|venta|deadline)\b\D{0,20}$|(?:primer|segundo|tercer|cuarto|ultimo|first|second|third|fourth|last|excepto|menos|except|cerrado|closed)(?: on)? $/;

/** Groups: hour, minutes, `pm`, `hrs` or time of day, and a word for noon or midnight. */
const TIME = String.raw`(?<!\d[-/.,:]|[\d$])(?:(\d{1,2})(?:[:.](\d{2}))?(?![\d/])(?:\s?([ap]\.?\s?m\b\.?|h(?:rs?|oras?)?\b\.?|de la (?:ma[nñ]ana|tarde|noche|madrugada)|del d[ií]a))?|(noon|mediod[ií]a|midnight|medianoche))`;
export const HOUR_PATTERN = new RegExp(TIME, 'giu');
export const HOUR_RANGE_PATTERN = new RegExp(
  String.raw`${TIME}(?:\s?[-–—]\s?|\s(?:a|to|hasta|until|till)\s(?:las?\s)?)${TIME}`,
  'giu',
);
// The text before an hour: doors open, the show starts or the event ends then.
export const DOORS_OPEN_PATTERN =
  /(?:doors?|puertas?|acceso|apertura)(?: open)?(?: at)?(?: a las)?\W*$/;
export const SHOW_START_PATTERN =
  /(?:show|inicio|inicia|comienza|empieza|starts?|funcion)(?: at)?(?: a las)?\W*$/;
export const END_TIME_PATTERN =
  /(?:hasta|until|till|termina|ends?|cierre)(?: at)?(?: a)?(?: las?)?\W*$/;
/** Text before the hour of an offer's deadline, which is not an hour of the event. */
export const OFFER_DEADLINE_PATTERN = /(?:antes|despues) de(?: las?)?\s*$|\b(?:before|after)\s*$/;
export const OFFER_PATTERN = /\b(?:\dx\d|promo\w*|gratis|free|libre|cover|happy)\b/;

export const LINK_PATTERN = new RegExp(
  String.raw`https?:\/\/[^\s<>"]+|(?<![@\w.-])(?:[\w-]{1,60}\.){1,4}(?:com|${TOWN.country}|org|net|io|gle|ly|me|app|events?)(?![\w-])(?:\/[^\s<>"]*)?`,
  'giu',
);
/** Links to chats and maps, which are not a source of the event. */
export const NON_SOURCE_LINK_PATTERN =
  /^https?:\/\/(?:wa\.me|(?:chat|api)\.whatsapp|maps\.|goo\.gl\/maps|t\.me)/i;
export const REGISTRATION_PATTERN = /registr|inscri|rsvp|sign ?up|forms\.gle/;
export const TICKET_SALE_PATTERN = /bolet|ticket|venta|entradas|eventbrite|passline/;

export const AGE_LIMIT_PATTERN =
  /(?:s[oó]lo |exclusivo )?(?:para )?mayores de (?:edad|\d{1,2}(?: a[nñ]os)?)|(?:a partir de|desde) (?:los )?\d{1,2} a[nñ]os|s[oó]lo adultos|adults only|\+ ?(?:18|21)(?![\d ]*\d)|(?<!\d)(?:18|21) ?\+|(?<!\d)(?:18|21) and (?:over|up)|ages? \d{1,2} ?(?:\+|and (?:up|over|older))|🔞/giu;
export const ALL_AGES_PATTERN =
  /toda la familia|todas las edades|todo p[uú]blico|all ages|family[- ]friendly|the whole family|(?:ambiente|evento|show) familiar/giu;

/** `$1,200`, `150 pesos`, `12,50 €`; a bare number only after a word of a price: `cover 200`. */
export const AMOUNT_PATTERN =
  /(\d ?x ?)?(?:((?:usd?)? ?[$€£]) ?(\d{1,3}(?:,\d{3})+|\d{1,6}(?:,\d\d(?!\d))?)(?:\.00?)?(?!\d|\.\d| ?[-–] ?\d)( ?(?:mxn|m\.?n\.?|pesos|varos|usd|d[oó]lares|dlls|euros?))?|(?<![\d.,])(\d{2,6}|\d{1,6}(?:,\d\d)?(?= ?[€£])) ?(pesos|varos|mxn|usd|d[oó]lares|dlls|eur(?:os?)?|[€£])|(?<=(?<!\p{L})(?:cover|entrada|boletos?|costo|precio|preventa|taquilla|inscripci[oó]n|general|cuota)(?: general| de)?:? )(\d{2,5})(?!\d| ?(?:%|personas|a[nñ]os)))(?![\p{L}\d])/giu;
/**
 * Patterns of the words for a currency and of its code, in order of precedence: dollars, euros,
 * pounds, pesos, and `$` alone, which is the town's dollar or peso.
 */
const CURRENCIES = [
  [/us|d[oó]l|dl/i, /^USD$/],
  [/€|eur/i, /^EUR$/],
  [/£/, /^GBP$/],
  [/p|m|v/i, /^(?!EUR|GBP|USD)/],
  [/\$/, /^(?!EUR|GBP)/],
] as const;
/** Returns true if the first currency that a text names is not the town's. */
export const isForeignCurrency = (text: string): boolean =>
  CURRENCIES.find(([words]) => words.test(text))?.[1].test(TOWN.currency.code) === false;
export const FROM_AMOUNT_PATTERN = /(?:desde|from)\s*$/;
// Words of a price for admission, and of a price for anything else.
export const ADMISSION_PRICE_PATTERN =
  /entrada|cover|bolet|costo|precio|preventa|taquilla|admision|acceso|general|vip|inscripcion|cuota|donativo|donation|cooperacion|inversion|caballeros|hombres|ticket|entry|admission|presale|at the door|cost|price|adult|per person|estudiante|inapam|student/;
export const OTHER_PRICE_PATTERN =
  /premio|bolsa de|consumo|estacionamiento|descuento|botella|cubeta|puesto|stand|prize|parking|discount|minimo|minimum|cerveza|beer|drinks? for|tacos|rifa|raffle|booth|pareja|couple|\d (?:boletos|tickets|entradas)/;
export const INCLUDES_PATTERN = /incluye|includes/;
/** Conditions of a price. */
export const PRICE_NOTE_PATTERN =
  /gratis|free|incluye|includes?\b|ninos?\b|ninas?\b|menores|kids|child|inapam|estudiante|student/;
/** Labels that distinguish several prices. */
export const PRICE_TIER_PATTERN = /preventa|taquilla|presale|door|day of|dia del|vip|general|adult/;
export const FREE_ENTRY_PATTERN =
  /(?:entrada|acceso|admisi[oó]n|ingreso|evento|entry|admission|entrance)(?: es| is|:)?(?: totalmente| completamente)? (?:libre|gratis|gratuit[oa]|free)|free (?:entry|admission|entrance|event)|(?<!\p{L})no (?:hay |se cobra )?cover(?!\p{L})|sin (?:costo|cover)|no tiene costo|(?<!\p{L})(?:gratis|gratuit[oa]s?)(?!\p{L})|^free(?=[!.,]|$)|(?:it[’']s|is|for) free(?!\p{L})/giu;
/** Free only for some visitors, or free of something else. */
export const PARTLY_FREE_PATTERN =
  /nin[oa]s?\b|menores|kids|child|under|inapam|mujer|ladies|damas|antes de|before|estacionamiento|degustacion|cumplea|wifi/;

/** A line with a label for the place, such as `Lugar:`; its group is the place. */
export const PLACE_LABEL_PATTERN =
  /^[^\p{L}\d📍📌]*(?:(?:lugar|d[oó]nde|sede|ubicaci[oó]n|direcci[oó]n|punto de (?:reuni[oó]n|encuentro)|where|venue|location|place|meet(?:ing point)?(?: at)?)(?!\p{L})[\s:?-]*|[📍📌]\s*)(.*)$/iu;
export const STREET_PATTERN =
  /(?:^|,\s*)(?:av(?:enida|\.)?|calle|c\.|blvd\.?|boulevard|bulevar|carretera|sm|supermanzana|km)\s?\.?\s*[\p{L}\d]/iu;

/** Prefixes of the subject of an email, which precede a title. */
export const SUBJECT_PREFIX_PATTERN = /^(?:asunto|subject|re|fwd?):\s*/i;
/** Folded lines that are not a title: greetings, labels, `presenta:`. */
export const NON_TITLE_PATTERN =
  /^(?:h?ola|buen[oa]s|hi|hello|hey|save the date|no te lo pierdas|fechas?|hora|horarios?|lugar|donde|cuando|costo|entrada|when|where|date|time)(?!\p{L})|^(?:atencion|aviso|invitacion|proximamente|evento)\P{L}*$|(?:presenta|invita)n?(?: (?:al?|a las?|a los|a su))?:?$/u;
/** Punctuation, articles and prepositions at the end of a text. */
export const DANGLING_END_PATTERN =
  /(?:[\s,:(–—-]|\s(?:del?|el|este|esta|los?|las?|al?|at|on|from|desde|en|this|con|y|and))+$/i;
/**
 * Words that are not names: a title in capitals that has only these can be converted to lower case.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  'a al con de del e el en la las los para por y un una su the of and in at with for gran noche tarde dia concierto conciertos festival feria fiesta taller clase clases curso mercado mercadito bazar tianguis exposicion expo obra teatro cine danza baile musica vivo jazz rock salsa cumbia bachata trova boleros karaoke comedia show torneo carrera rodada nocturna limpieza playa posada pastorela navidad navideno navidena taco tacos verde familiar infantil ninos yoga meditacion conferencia charla lectura libro libros intercambio poesia inauguracion aniversario fin ano night live music concert market party beach cleanup workshop class fair comedy open mic craft food art'.split(
    ' ',
  ),
);
/** Words that do not identify a category: a fiesta may be religious, a club a book club. */
export const AMBIGUOUS_CATEGORY_WORDS: ReadonlySet<string> = new Set(['fiesta', 'club']);

export const LANGUAGE_PATTERNS = {
  es: /(?<!\p{L})(?:de|el|la|los|las|en|y|del|con|para|por|todos|cada|una?|entrada|libre|gratis|boletos|lugar|hora|costo|hrs)(?!\p{L})/giu,
  en: /(?<!\p{L})(?:the|of|and|with|for|from|every|to|is|at|this|you|by|on|in|each|free|tickets|doors|entry|night|where|welcome|\p{L}{3,6}day)(?!\p{L})/giu,
} as const;

/** Matches a number, a day or a price. A line without any needs no field beyond the description. */
export const FACT_PATTERN =
  /[\d$]|(?<!\p{L})(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bados?|domingos?|\p{L}{3,6}days?|gratis|free)(?!\p{L})/iu;
