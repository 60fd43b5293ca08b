import { kept } from './storage.ts'

type Listener = () => void

const listeners = new Set<Listener>()
let hasEnded = false

/** The sign-in state of this tab: whether it has ended, and which tenant is shown. */
export const session = {
  hasEnded: () => hasEnded,
  /** The server answered that nobody is signed in: shown once, and typed text is kept. */
  end() {
    set(true)
  },
  resume() {
    set(false)
  },
  /** The tenant that is acted in, where it is another than one's own. */
  tenant: () => kept.read('tenant') ?? undefined,
  /** Everything on the screen belongs to the other tenant: reload. */
  enterTenant(slug: string | undefined) {
    if (slug === undefined) kept.remove('tenant')
    else kept.write('tenant', slug)
    window.location.assign('/')
  },
  subscribe(listener: Listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function set(ended: boolean): void {
  if (hasEnded === ended) return
  hasEnded = ended
  for (const listener of listeners) listener()
}
