// The words of a made-up town: plainly made up, so that nobody mistakes it for the real one.
import { byLang, DEFAULT_LANG, type Lang, type LocalText } from '../../src/domain/lang.ts';
import type { CATEGORY_KEYS } from '../../src/domain/taxon.ts';

export const TOWN_NAME = 'Pueblo de Prueba';

type Written = Readonly<Partial<Record<Lang, string>> & Record<typeof DEFAULT_LANG, string>>;

/** A text in every language; Spanish stands in for a language that nobody wrote it in. */
export const written = (texts: Written): LocalText =>
  byLang((lang) => texts[lang] ?? texts[DEFAULT_LANG]);

const text = (es: string, en: string): LocalText => written({ es, en });

/** What happens, by category. */
export const THINGS: Readonly<Record<(typeof CATEGORY_KEYS)[number], readonly LocalText[]>> = {
  'live-music': [
    text('Concierto de grillos', 'Cricket concert'),
    text('Serenata de ranas', 'Frog serenade'),
  ],
  party: [
    text('Baile de sombras', 'Dance of shadows'),
    text('Fiesta del reloj parado', 'Stopped clock party'),
  ],
  theater: [
    text('Teatro de cucharas', 'Spoon theater'),
    text('Monólogo de un buzón', 'Monologue of a mailbox'),
  ],
  dance: [
    text('Danza de paraguas', 'Umbrella dance'),
    text('Ballet de bicicletas', 'Bicycle ballet'),
  ],
  film: [
    text('Cine sin película', 'Cinema without a film'),
    text('Función de nubes', 'Screening of clouds'),
  ],
  art: [text('Exposición de botones', 'Button exhibition'), text('Mural de humo', 'Smoke mural')],
  markets: [
    text('Mercado de ecos', 'Market of echoes'),
    text('Bazar de calcetines sueltos', 'Odd sock bazaar'),
  ],
  food: [text('Feria de la sopa azul', 'Blue soup fair'), text('Cata de hielo', 'Ice tasting')],
  sports: [text('Carrera de tortugas', 'Turtle race'), text('Torneo de siestas', 'Nap tournament')],
  wellness: [
    text('Yoga para árboles', 'Yoga for trees'),
    text('Círculo de bostezos', 'Yawning circle'),
  ],
  family: [
    text('Taller de cometas invisibles', 'Invisible kite workshop'),
    text('Cuentos al revés', 'Backwards stories'),
  ],
  tech: [
    text('Encuentro de tostadoras', 'Toaster meetup'),
    text('Charla sobre robots tímidos', 'Talk on shy robots'),
  ],
  environment: [
    text('Conteo de charcos', 'Puddle count'),
    text('Siembra de piedras', 'Stone planting'),
  ],
  culture: [
    text('Noche de refranes nuevos', 'Night of new proverbs'),
    text('Desfile de sombreros', 'Hat parade'),
  ],
  community: [
    text('Junta de vecinos de papel', 'Paper neighbors meeting'),
    text('Trueque de secretos', 'Secret swap'),
  ],
};

export const MANNERS: readonly LocalText[] = [
  text('de medianoche', 'at midnight'),
  text('bajo el agua', 'underwater'),
  text('con ñandúes', 'with rheas'),
  text('sin zapatos', 'without shoes'),
  text('del año que viene', 'of next year'),
  text('en espiral', 'in a spiral'),
  text('para principiantes', 'for beginners'),
  text('a la luz de las luciérnagas', 'by firefly light'),
];

export const PLACES: readonly string[] = [
  'Teatro Inventado',
  'Parque Imaginario',
  'Salón Ficticio',
  'Museo de Nada',
  'Cancha de Mentiras',
  'Muelle Supuesto',
  'Plaza Hipotética',
];

export const GROUPS: readonly string[] = [
  'Colectivo Ficticio',
  'Sociedad Supuesta',
  'Foro Imaginado',
  'Club Hipotético',
  'Ayuntamiento de Prueba',
];

/** Every summary says what it is. */
export const SUMMARY: LocalText = text(
  'Evento inventado para pruebas en Pueblo de Prueba; no existe ni se celebrará.',
  'A made-up event for tests in Pueblo de Prueba; it does not exist and will not take place.',
);
export const DESCRIPTION: LocalText = text(
  'Primer párrafo de relleno con acentos: canción, pingüino, año.\n\nSegundo párrafo de relleno, algo más largo, para que la página tenga cuerpo y se vea cómo se leen dos párrafos seguidos.',
  'First paragraph of filler.\n\nSecond paragraph of filler, somewhat longer, so that the page has a body and shows how two paragraphs read.',
);
