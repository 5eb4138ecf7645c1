// What tourists and residents ask, as the calls that answer it: in both languages, narrow questions
// and wide ones, a wrong one, one with no answer. Written before they were counted.

/** A call of a tool; `{event}` stands for an event of the town. */
export interface Question {
  readonly asks: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string | number | boolean>>;
}

const q = (asks: string, tool: string, args: Question['args'] = {}): Question => ({
  asks,
  tool,
  args,
});

export const QUESTIONS: readonly Question[] = [
  q('¿Qué hay hoy?', 'eventos_hoy'),
  q('What is on today?', 'eventos_hoy', { lang: 'en' }),
  q('¿Qué hay gratis hoy?', 'eventos_hoy', { free: true }),
  q('Anything on Isla Mujeres today?', 'eventos_hoy', { zone: 'isla-mujeres', lang: 'en' }),
  q('¿Qué hago con los niños hoy?', 'eventos_hoy', { family: true }),
  q('¿Qué hay el fin de semana?', 'eventos_fin_de_semana'),
  q('What can kids do this weekend?', 'eventos_fin_de_semana', { family: true, lang: 'en' }),
  q('¿Hay algo gratis el fin?', 'eventos_fin_de_semana', { free: true }),
  q('¿Dónde hay música en vivo esta noche?', 'buscar_eventos', {
    date: 'tonight',
    category: 'live-music',
  }),
  q('What is going on right now?', 'buscar_eventos', { date: 'now', lang: 'en' }),
  q('¿Cuándo hay jazz?', 'buscar_eventos', { q: 'jazz' }),
  q('Any markets this week?', 'buscar_eventos', { date: 'week', q: 'markets', lang: 'en' }),
  q('¿Qué hay mañana en el centro?', 'buscar_eventos', { date: 'tomorrow', zone: 'downtown' }),
  q('What is free tomorrow?', 'buscar_eventos', { date: 'tomorrow', free: true, lang: 'en' }),
  q('¿Hay teatro este mes?', 'buscar_eventos', {
    from: '2026-11-21',
    to: '2026-12-20',
    category: 'theater',
  }),
  q('Is there a salsa class?', 'buscar_eventos', { q: 'salsa', lang: 'en' }),
  q('¿Qué hay cerca de mi hotel?', 'buscar_eventos', {
    near: '21.1340,-86.7680',
    radius_km: 3,
    date: 'today',
  }),
  q('¿Y el día 30 de febrero?', 'buscar_eventos', { date: '2026-02-30' }),
  q('What is on in Puerto Morelos?', 'buscar_eventos', { zone: 'puerto-morelos', lang: 'en' }),
  q('¿Cuándo es Coco Bongo?', 'buscar_eventos', { q: 'coco bongo' }),
  q('¿Qué hay en Navidad?', 'buscar_eventos', { date: '2026-12-25' }),
  q('¿A qué hora y cuánto?', 'detalle_evento', { id: '{event}' }),
  q('Tell me more about it', 'detalle_evento', { id: '{event}', lang: 'en' }),
  q('¿Cómo está el mar hoy?', 'avisos_hoy'),
  q('Any warnings for tomorrow?', 'avisos_hoy', { date: 'tomorrow', lang: 'en' }),
];
