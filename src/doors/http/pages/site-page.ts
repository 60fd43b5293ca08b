import type { Reply } from '../reply.ts'
import type { DoorRequest } from '../route.ts'

/** Answers a request for a page. */
export type PageHandler = (visit: DoorRequest) => Promise<Reply> | Reply

/** One page or file of the site: method, path and what it answers. */
export type SitePage = readonly ['get' | 'post', string, PageHandler]
