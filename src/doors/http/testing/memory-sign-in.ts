import { ToolError } from '../../../core/kernel/errors.ts'
import type { ApiOf } from '../../../core/operations/operation.ts'
import { toApi, type OpenOperation } from '../../../core/operations/run-operation.ts'
import { createRoleBook } from '../../../core/people/role-book.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import type { SignInDoor } from '../../../core/sign-in/sign-in.ts'
import { accountOperations } from '../../../features/sign-ins/account-operations.ts'
import { openSignIns } from '../../../features/sign-ins/feature.ts'
import { invitationOperations } from '../../../features/sign-ins/invitation-operations.ts'
import { signInOperations } from '../../../features/sign-ins/operations.ts'
import { freshStore } from '../../../testing/fresh-store.fixture.ts'

const table = { ...signInOperations, ...accountOperations, ...invitationOperations }

export type MemorySignIns = ApiOf<typeof table>

/** Signing in over a store of the test's own, with the owner of the default tenant in it. */
export function memorySignIn(): {
  door: SignInDoor
  signIns: MemorySignIns
  runOperation: CoreApi['runOperation']
} {
  let opened: ReturnType<typeof open> | undefined
  // Most tests sign nobody in, and need no store.
  const openOnce = () => (opened ??= open())
  const door = names.map((name) => {
    const ask = async (...given: never[]) =>
      ((await openOnce()).door[name] as (...given: never[]) => unknown)(...given)
    return [name, ask] as const
  })
  const runOperation: CoreApi['runOperation'] = async (name, caller, request) => {
    const operation = Object.hasOwn(table, name) && (await openOnce()).operations[name]
    if (!operation) throw new ToolError('not_found', `No operation ${name} here`)
    return operation.run(caller, request)
  }
  const operations = Object.keys(table).map((name): [string, OpenOperation] => [
    name,
    { run: (caller, request) => runOperation(name, caller, request) },
  ])
  return {
    door: Object.fromEntries(door) as unknown as SignInDoor,
    signIns: toApi(table, Object.fromEntries(operations)),
    runOperation,
  }
}

async function open() {
  const store = await freshStore()
  await store.tenants.sync([{ slug: 'default', name: 'Default' }])
  await store.members.ensureOwner('default')
  return openSignIns({
    store,
    engine: store.engine,
    config: { password: true, startLink: 'auto', oidc: [] },
    roles: createRoleBook({}),
    env: {},
    fetchFor: () => fetch,
    isTenantOpen: async (slug) => (await store.tenants.find(slug)) !== undefined,
    keyPermissions: async () => undefined,
  })
}

const names = [
  'findSignedIn',
  'signInMethods',
  'signIn',
  'findSignInLink',
  'signInByLink',
  'signOut',
  'createStartLink',
  'findInvitation',
  'acceptInvitation',
  'startOidc',
  'finishOidc',
] as const satisfies readonly (keyof SignInDoor)[]
