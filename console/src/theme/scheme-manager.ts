import { localStorageColorSchemeManager } from '@mantine/core'
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const yearSeconds = 31_536_000

/** Stores the chosen colour scheme, and sends it to the server, whose sign-in pages have no script. */
export function createSchemeManager(): MantineColorSchemeManager {
  const stored = localStorageColorSchemeManager({ key: 'toolcrib.scheme' })
  // Chosen on an earlier visit: the server's cookie may have expired.
  tellServer(stored.get('auto'))
  return {
    ...stored,
    set(scheme) {
      stored.set(scheme)
      tellServer(scheme)
    },
    clear() {
      stored.clear()
      tellServer('auto')
    },
  }
}

function tellServer(scheme: MantineColorScheme): void {
  const age = scheme === 'auto' ? 0 : yearSeconds
  document.cookie = `toolcrib_scheme=${scheme}; Path=/; Max-Age=${age}; SameSite=Lax`
}
