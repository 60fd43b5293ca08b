import { createSignIn } from '../../../app/sign-in/create-sign-in.ts'
import { createRoleBook } from '../../../core/people/role-book.ts'
import type { SignInApi } from '../../../core/sign-in/sign-in-api.ts'
import { freshStore } from '../../../testing/fresh-store.fixture.ts'

/** Signing in over a store of the test's own, with the owner of the default tenant in it. */
export function memorySignIn(): SignInApi {
  let opened: Promise<SignInApi> | undefined
  // Most tests sign nobody in, and need no store.
  const ask =
    (name: (typeof names)[number]) =>
    async (...given: never[]) => {
      const api = await (opened ??= openSignIn())
      return (api[name] as (...given: never[]) => unknown)(...given)
    }
  return Object.fromEntries(names.map((name) => [name, ask(name)])) as unknown as SignInApi
}

async function openSignIn(): Promise<SignInApi> {
  const store = await freshStore()
  const config = { signIn: { password: true, startLink: 'auto' as const, oidc: [] } }
  const views = {
    async find(slug: string) {
      const tenant = await store.tenants.find(slug)
      return (
        tenant && { tenant, rules: new Map(), secrets: new Map(), agent: async () => undefined }
      )
    },
  }
  await store.tenants.sync([{ slug: 'default', name: 'Default' }])
  await store.members.ensureOwner('default')
  return createSignIn({ store, config, roles: createRoleBook({}), views, env: {} })
}

const names = [
  'findSession',
  'signInMethods',
  'signIn',
  'findSignInLink',
  'signInByLink',
  'signOut',
  'createSignInLink',
  'findAccount',
  'changeAccount',
  'changePassword',
  'listSessions',
  'endSession',
  'endSessions',
  'createInvitation',
  'listInvitations',
  'revokeInvitation',
  'findInvitation',
  'acceptInvitation',
  'startOidc',
  'finishOidc',
] as const satisfies readonly (keyof SignInApi)[]
