// /robots.txt: who may read and use what.
import type { APIRoute } from 'astro';
import { toRobots } from '../serializers/discovery.ts';

export const GET: APIRoute = ({ locals }) => new Response(toRobots(locals.state.site));
