import type { Visitor } from '../sign-in/sign-in.ts'

/** Where a request came from, and at which address of ours it arrived. A library call has none. */
export interface RequestOrigin {
  /** The address of this server, as people use it. */
  url: string
  visitor: Visitor
}

/** A link to a page of this server; its path alone where the address is not known. */
export function toLink(origin: (() => RequestOrigin) | undefined, path: string): string {
  return origin === undefined ? path : new URL(path, origin().url).href
}
