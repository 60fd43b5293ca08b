import type { Caller } from '../../../core/call.ts'
import { readForm } from '../request/form-body.ts'
import { checkOrigin } from '../request/identify.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Door, Visit } from '../route.ts'
import { accountPage } from './account-page.ts'
import type { AccountView } from './account-page.ts'
import { toFaults } from './fields.ts'
import { findPerson, isRefusal, statusOf, waitOf } from './sign-in-pages.ts'
import type { SitePage } from './site-page.ts'
import { view } from './view.ts'

/** One's own account: password and sessions. */
export const accountPages: readonly SitePage[] = [
  ['get', '/account', showAccount],
  ['post', '/account/password', changePassword],
  ['post', '/account/sessions', endSessions],
]

async function showAccount({ door, request }: Visit): Promise<Reply> {
  const person = await findPerson(door, request)
  if ('page' in person) return person.page
  const { caller } = person
  const isSaved = new URL(request.url).searchParams.has('saved')
  return show(door, caller, { status: 200, isSaved })
}

type Shown = Pick<AccountView, 'faults' | 'email' | 'isSaved'> & {
  status: number
  headers?: readonly string[]
}

async function show(
  door: Door,
  caller: Caller,
  { status, headers, ...shown }: Shown,
): Promise<Reply> {
  const [account, sessions] = await Promise.all([
    door.api.findAccount(caller),
    door.api.listSessions(caller, {}),
  ])
  const content = accountPage({ account, sessions, ...shown })
  return view(status, { title: 'Account', current: 'account', isSignedIn: true, content, headers })
}

async function changePassword({ door, request }: Visit): Promise<Reply> {
  checkOrigin(request, door.publicUrl)
  const person = await findPerson(door, request)
  if ('page' in person) return person.page
  const { caller } = person
  const form = await readForm(request)
  const email = form.get('email') ?? undefined
  const current = form.get('current') ?? undefined
  const change = { password: form.get('password') ?? '', email, current }
  try {
    await door.api.changePassword(caller, change, door.browser.visitor(request))
    return empty(303, ['location', '/account?saved'])
  } catch (error) {
    if (!isRefusal(error)) throw error
    const faults = toFaults(error, ['email', 'current', 'password'])
    return show(door, caller, { status: statusOf(error), faults, email, headers: waitOf(error) })
  }
}

async function endSessions({ door, request }: Visit): Promise<Reply> {
  checkOrigin(request, door.publicUrl)
  const person = await findPerson(door, request)
  if ('page' in person) return person.page
  const { caller } = person
  const form = await readForm(request)
  const [id, all] = [form.get('id'), form.get('all')]
  if (all !== null) await door.api.endSessions(caller, { keepCurrent: all === 'others' })
  else if (id !== null) await endOne(door, caller, id)
  const isOver = all === 'everywhere' || id === caller.signInId
  return isOver
    ? empty(303, ['location', '/sign-in', 'set-cookie', door.browser.leave(request)])
    : empty(303, ['location', '/account'])
}

/** One that has ended meanwhile is as its owner wants it. */
async function endOne(door: Door, caller: Caller, id: string): Promise<void> {
  try {
    await door.api.endSession(caller, id)
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'not_found') throw error
  }
}
