import { createSignIn } from '../../../app/sign-in/create-sign-in.ts'
import { createRoleBook } from '../../../core/people/role-book.ts'
import type { Store } from '../../../core/ports.ts'
import type { SignInApi } from '../../../core/sign-in/sign-in-api.ts'
import { createMemoryStore } from '../../../testing/memory/create-memory-store.ts'

/** Signing in over a store in memory, with the owner of the default tenant in it. */
export function memorySignIn(): SignInApi & { people: Store } {
  const people = createMemoryStore()
  const config = { signIn: { password: true, startLink: 'auto' as const, oidc: [] } }
  const roles = createRoleBook({})
  const views = {
    async find(slug: string) {
      const tenant = await people.tenants.find(slug)
      return (
        tenant && { tenant, rules: new Map(), secrets: new Map(), agent: async () => undefined }
      )
    },
  }
  const api = createSignIn({ store: people, config, roles, views, env: {} })
  const ready = people.tenants
    .sync([{ slug: 'default', name: 'Default' }])
    .then(() => people.members.ensureOwner('default'))
  return {
    ...api,
    people,
    createSignInLink: async (caller, request) => {
      await ready
      return api.createSignInLink(caller, request)
    },
  }
}
