// How a form's page answers: with itself, or by leading on (RFC 9110, 15.4.4: 303 after a POST).

/** The page, with its status. */
export interface Shown<P> {
  readonly kind: 'page';
  readonly status: number;
  readonly page: P;
}
export interface Led {
  readonly kind: 'led';
  readonly location: string;
  /** For the session's cookie. */
  readonly cookie: string | null;
}

export const show = <P>(page: P, status = 200): Shown<P> => ({ kind: 'page', status, page });
export const lead = (location: string, cookie: string | null = null): Led => ({
  kind: 'led',
  location,
  cookie,
});

export function toLedResponse({ location, cookie }: Led): Response {
  return new Response(null, {
    status: 303,
    headers: { location, ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  });
}
