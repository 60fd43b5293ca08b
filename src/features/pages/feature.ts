import type { Capability } from '../../core/pipeline/capabilities/capability.ts'
import type { Feature } from '../feature.ts'
import type { HostPages } from '../../core/host/host-pages.ts'

/** Web pages as text that tools and models can read. */
export const pagesFeature: Feature = {
  name: 'pages',
  open: ({ host }) => ({
    operations: {},
    capabilities: { pages: pagesCapability(host.pages) },
  }),
}

/** `ctx.pages`: a conversion ends with its call. */
function pagesCapability(pages: HostPages): Capability<'pages'> {
  return ({ caller, signal }) => ({
    convert: (html, options) =>
      pages.pagesFor(caller.tenant).convert(html, { signal: signal(), ...options }),
  })
}
