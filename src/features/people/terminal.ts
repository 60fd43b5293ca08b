import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { Member } from '../../core/people/member.ts'
import type { WhoAmI } from './schemas.ts'

export const memberColumns: readonly TerminalField<Member>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'name', text: ({ name }) => name, shrinkTo: 10 },
  { title: 'email', text: ({ email }) => email, shrinkTo: 12 },
  {
    title: 'role',
    text: ({ role, permissions }) => [role, ...permissions].join(' '),
    shrinkTo: 8,
  },
  { title: 'state', text: ({ status }) => status },
]

export const memberFacts: TerminalRecord<Member> = {
  title: ({ name }) => name,
  fields: [
    { title: 'id', text: ({ id }) => id },
    { title: 'email', text: ({ email }) => email },
    { title: 'role', text: ({ role }) => role },
    { title: 'permissions', text: ({ permissions }) => permissions.join(' ') },
    { title: 'state', text: ({ status }) => status },
    { title: 'since', text: ({ createdAt }) => createdAt.slice(0, 10) },
  ],
}

/** `mem_1 Ada is operator with billing.refund, suspended`. */
export function inWords({ id, name, role, permissions, status }: Member): string {
  const more = permissions.length === 0 ? '' : ` with ${permissions.join(', ')}`
  const state = status === 'active' ? '' : `, ${status}`
  return `${id} ${name} is ${role}${more}${state}`
}

/** The caller behind a key or sign-in. */
export const whoAmIFacts: TerminalRecord<WhoAmI> = {
  title: ({ principal }) => `${principal.kind}:${principal.id}`,
  fields: [
    { title: 'name', text: ({ name }) => name },
    { title: 'email', text: ({ email }) => email },
    {
      title: 'tenant',
      text: ({ tenant, home }) => (home === undefined ? tenant : `${tenant} (of ${home})`),
    },
    { title: 'role', text: ({ role }) => role },
    { title: 'permissions', text: ({ permissions }) => permissions.join(' ') },
    { title: 'agent', text: ({ agent }) => agent },
  ],
}
