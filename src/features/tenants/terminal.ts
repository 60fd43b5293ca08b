import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { Tenant } from '../../core/rules/tenant.ts'

const name: TerminalField<Tenant> = { title: 'name', text: (one) => one.name, shrinkTo: 10 }
const state: TerminalField<Tenant> = {
  title: 'state',
  text: ({ status, reason }) => (reason === undefined ? status : `${status}: ${reason}`),
  shrinkTo: 10,
}
const created: TerminalField<Tenant> = {
  title: 'created',
  text: ({ isDeclared, createdAt }) => (isDeclared ? 'declared' : createdAt.slice(0, 10)),
}

export const tenantColumns: readonly TerminalField<Tenant>[] = [
  { title: 'slug', text: ({ slug }) => slug, tone: () => 'id' },
  name,
  state,
  created,
]

export const tenantFacts: TerminalRecord<Tenant> = {
  title: ({ slug }) => slug,
  fields: [name, state, created],
}
