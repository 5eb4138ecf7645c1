// For Astro (its dev server, other adapters), answered from the table of operations like all of /api.
export { ALL } from '../api/[...path].ts';
