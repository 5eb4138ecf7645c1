// Texts of a generated town: obviously invented, so that it cannot be mistaken for a real one.
import { byLang, type LocalText } from '../../src/domain/lang.ts';

export const TOWN_NAME = 'Pueblo de Prueba';

/** Creates a localized text; languages other than English use the Spanish one. */
export const text = (es: string, en: string = es): LocalText =>
  byLang((lang) => (lang === 'en' ? en : es));

/** Parses texts in both languages: `uno = one; dos = two`. */
const pairs = (words: string): readonly LocalText[] =>
  words.split('; ').map((pair) => {
    const [es = '', en] = pair.split(' = ');
    return text(es, en);
  });

/** Subjects of event titles, by category. */
const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  'live-music': 'Concierto de grillos = Cricket concert; Serenata de ranas = Frog serenade',
  party: 'Baile de sombras = Dance of shadows; Fiesta del reloj parado = Stopped clock party',
  theater: 'Teatro de cucharas = Spoon theater; Monólogo de un buzón = Monologue of a mailbox',
  dance: 'Danza de paraguas = Umbrella dance; Ballet de bicicletas = Bicycle ballet',
  film: 'Cine sin película = Cinema without a film; Función de nubes = Screening of clouds',
  art: 'Exposición de botones = Button exhibition; Mural de humo = Smoke mural',
  markets: 'Mercado de ecos = Market of echoes; Bazar de calcetines sueltos = Odd sock bazaar',
  food: 'Feria de la sopa azul = Blue soup fair; Cata de hielo = Ice tasting',
  sports: 'Carrera de tortugas = Turtle race; Torneo de siestas = Nap tournament',
  wellness: 'Yoga para árboles = Yoga for trees; Círculo de bostezos = Yawning circle',
  family:
    'Taller de cometas invisibles = Invisible kite workshop; Cuentos al revés = Backwards stories',
  tech: 'Encuentro de tostadoras = Toaster meetup; Charla sobre robots tímidos = Talk on shy robots',
  environment: 'Conteo de charcos = Puddle count; Siembra de piedras = Stone planting',
  culture: 'Noche de refranes nuevos = Night of new proverbs; Desfile de sombreros = Hat parade',
  community:
    'Junta de vecinos de papel = Paper neighbors meeting; Trueque de secretos = Secret swap',
};
export const listSubjects = (category: string): readonly LocalText[] =>
  pairs(CATEGORY_WORDS[category] ?? 'Algo inventado = Something made up');

/** Endings of event titles. */
export const MANNERS = pairs(
  'de medianoche = at midnight; bajo el agua = underwater; con ñandúes = with rheas; sin zapatos = without shoes; del año que viene = of next year; en espiral = in a spiral; para principiantes = for beginners; a la luz de las luciérnagas = by firefly light',
);
export const PLACES =
  'Teatro Inventado; Parque Imaginario; Salón Ficticio; Museo de Nada; Cancha de Mentiras; Muelle Supuesto; Plaza Hipotética'.split(
    '; ',
  );
export const GROUPS =
  'Colectivo Ficticio; Sociedad Supuesta; Foro Imaginado; Club Hipotético; Ayuntamiento de Prueba'.split(
    '; ',
  );

/** Summary of all events: states that they are invented. */
export const SUMMARY = text(
  'Evento inventado para pruebas en Pueblo de Prueba; no existe ni se celebrará.',
  'A made-up event for tests in Pueblo de Prueba; it does not exist and will not take place.',
);
export const DESCRIPTION = text(
  'Primer párrafo de relleno con acentos: canción, pingüino, año.\n\nSegundo párrafo de relleno, algo más largo, para que la página tenga cuerpo y se vea cómo se leen dos párrafos seguidos.',
  'First paragraph of filler.\n\nSecond paragraph of filler, somewhat longer, so that the page has a body and shows how two paragraphs read.',
);
