import { kept } from './storage.ts'

type Listener = () => void

const listeners = new Set<Listener>()
let hasEnded = false

/** Who is signed in here: whether the session is over, and which tenant is looked at. */
export const session = {
  hasEnded: () => hasEnded,
  /** The server said that nobody is signed in: shown once, and what was typed stays. */
  end() {
    set(true)
  },
  resume() {
    set(false)
  },
  /** The tenant that is acted in, where it is another than one's own. */
  tenant: () => kept.read('tenant') ?? undefined,
  /** All that is on the screen belongs to the other tenant: begin anew. */
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
