// Site: name, base URL and contact of the service, passed to all code that builds links.
import { TOWN } from '../town.ts';

export interface Site {
  /** `{base_url}`, without a trailing slash. */
  readonly url: string;
  readonly name: string;
  readonly contact_email: string | null;
  /** Present if the service sends email. */
  readonly sends_mail?: true;
}

export interface SiteSettings {
  readonly site_url: string;
  readonly site_name: string | null;
  readonly contact_email: string | null;
  readonly mail: object | null;
}

export const createSite = ({ site_url, site_name, contact_email, mail }: SiteSettings): Site => ({
  url: site_url,
  name: site_name ?? TOWN.site_name,
  contact_email: contact_email ?? TOWN.contact_email ?? null,
  ...(mail && { sends_mail: true }),
});
