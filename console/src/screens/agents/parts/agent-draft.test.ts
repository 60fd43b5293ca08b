import { expect, test } from 'vitest'
import { toChange, toDraft } from './agent-draft.ts'
import type { Agent } from './agent-queries.ts'

const agent: Agent = {
  slug: 'ada',
  model: 'demo',
  instructions: '',
  tools: { profile: 'minimal', allow: ['a.*'], deny: [] },
  settings: {},
  autonomy: 'standard',
  hooks: { confirm: ['a.delete'], log: [], silent: [] },
  toolMode: 'auto',
  shortNames: false,
  subagentWorkspace: 'share',
  attachmentsToWorkspace: false,
  memoryEnabled: true,
  knowledgeEnabled: true,
  grants: [],
  skills: [],
  warnings: [],
  isDeclared: false,
  version: 3,
  updatedAt: '2026-01-01T00:00:00.000Z',
  updatedBy: { kind: 'user', id: 'owner' },
}

test('an untouched draft changes nothing', () => {
  expect(toChange(agent, toDraft(agent))).toEqual({})
})

test('a change has only the fields that differ, and hooks as a whole', () => {
  const draft = { ...toDraft(agent), profile: null, deny: ['a.delete'], log: ['*'] }
  expect(toChange(agent, draft)).toEqual({
    tools: { profile: null, deny: ['a.delete'] },
    hooks: { confirm: ['a.delete'], log: ['*'], silent: [] },
  })
})
