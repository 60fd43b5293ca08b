import type { Reply } from '../reply.ts'
import type { Visit } from '../route.ts'

/** One page or file of the site: method, path and what it answers. */
export type SitePage = readonly ['get' | 'post', string, (visit: Visit) => Promise<Reply> | Reply]
