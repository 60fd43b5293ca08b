import { findAgentFor } from '../../core/operations/find-agent-for.ts'
import { agentFor } from '../../core/operations/agent-reach.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { checkSecretValue } from './check-secret-value.ts'
import { listSecretsPage } from './list-secrets.ts'
import { assertNotesHideValue, toNotes } from './notes.ts'
import { findRequirement, secretNotFound, toolsFor, type SecretParts } from './parts.ts'
import { runProbes } from './run-probes.ts'
import {
  ofAgent,
  secret,
  secretNotes,
  secretOverview,
  secretQuery,
  secretTest,
  secretValue,
} from './schemas.ts'

const define = operationsOf<SecretParts>('Secrets')

const params = { name: 'The name of the secret, as tools declare it' }
const asListed = { description: 'The secret as listed', schema: secret }

const listSecrets = define({
  http: 'GET /api/v1/secrets',
  summary: 'List the secrets that are set, and those that tools declare',
  description:
    'Names, versions and the tools that use them. Values are never returned, except choices from a list that no tool declares sensitive.',
  needs: 'secrets.write',
  agents: 'own',
  query: secretQuery,
  answer: { description: 'The secrets', schema: secretOverview },
  run: (query, { caller, parts }) => listSecretsPage(caller, query, parts),
})

const writeSecret = define({
  http: 'PUT /api/v1/secrets/{name}',
  summary: 'Set a secret',
  needs: 'secrets.write',
  agents: 'own',
  params,
  hasChosenName: true,
  query: ofAgent,
  body: secretValue,
  answer: asListed,
  async run({ name, value, agent: asked, ...given }, { caller, parts }) {
    const agent = await findAgentFor(parts.rules, caller, asked)
    const requirement = findRequirement(name, caller, parts)
    checkSecretValue(name, value, requirement)
    const notes = toNotes(given)
    // A choice that no tool declares sensitive is shown to people.
    if (requirement?.sensitive ?? true) assertNotesHideValue(notes, name, value)
    const { tenant, principal: by } = caller
    const summary = await parts.secrets.write({ tenant, agent, by, notes }, name, value)
    await parts.rules.refresh()
    return summary
  },
})

const noteSecret = define({
  http: 'PATCH /api/v1/secrets/{name}',
  summary: 'Change the notes on a secret',
  description:
    'Changes its description and expiry, not its value. Omitted fields are unchanged; null removes one.',
  needs: 'secrets.write',
  agents: 'own',
  params,
  hasChosenName: true,
  query: ofAgent,
  body: secretNotes,
  answer: asListed,
  async run({ name, agent: asked, ...given }, { caller, parts }) {
    const agent = agentFor(caller, asked)
    const { tenant, principal: by } = caller
    const notes = toNotes(given)
    if (findRequirement(name, caller, parts)?.sensitive ?? true) {
      const values = await parts.secrets.read({ tenant, agent }, [name])
      assertNotesHideValue(notes, name, values.get(name) ?? '')
    }
    const summary = await parts.secrets.note({ tenant, agent, by }, name, notes)
    if (summary === undefined) throw secretNotFound(name)
    return summary
  },
})

const deleteSecret = define({
  http: 'DELETE /api/v1/secrets/{name}',
  summary: 'Delete a secret',
  needs: 'secrets.write',
  agents: 'own',
  params,
  hasChosenName: true,
  query: ofAgent,
  async run({ name, agent: asked }, { caller, parts }) {
    const agent = agentFor(caller, asked)
    const { tenant, principal: by } = caller
    if (!(await parts.secrets.delete({ tenant, agent, by }, name))) throw secretNotFound(name)
    await parts.rules.refresh()
  },
})

const testSecret = define({
  http: 'POST /api/v1/secrets/{name}/test',
  summary: 'Check a secret',
  description:
    'Runs the check that a tool or its pack provides on the stored value, for at most 10 seconds.',
  needs: 'secrets.write',
  agents: 'own',
  params,
  hasChosenName: true,
  query: ofAgent,
  answer: { description: 'The result of the check', schema: secretTest },
  async run({ name, agent: asked }, { caller, parts }) {
    const agent = agentFor(caller, asked)
    const values = await parts.secrets.read({ tenant: caller.tenant, agent }, [name])
    const value = values.get(name) ?? ''
    if (value === '') throw secretNotFound(name)
    const { readEnv } = parts.pipeline
    return runProbes(await toolsFor(caller, parts), { name, value, readEnv })
  },
})

/** Everything that can be asked about secrets, by library method. Values go in and never come out. */
export const secretOperations = {
  listSecrets,
  writeSecret,
  noteSecret,
  deleteSecret,
  testSecret,
}
