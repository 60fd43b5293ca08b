import { localStorageColorSchemeManager } from '@mantine/core'
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const yearSeconds = 31_536_000

/** Keeps the colours that were chosen, and tells the server: its pages for signing in have no script. */
export function createSchemeManager(): MantineColorSchemeManager {
  const stored = localStorageColorSchemeManager({ key: 'toolcrib.scheme' })
  // Chosen on an earlier visit: what the server was told then may be gone.
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
