import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

/** The last step of a schema that may be out there: every further one comes behind it. */
const published = '0019_tenant_life'

test('every step has its own number, and later steps follow those that were published', () => {
  const names = Object.keys(migrations).toSorted()
  const numbers = names.map((name) => name.slice(0, 4))
  expect(new Set(numbers).size).toBe(names.length)
  expect(names.slice(names.indexOf(published) + 1)).toEqual([
    '0020_key_makers',
    '0021_found_tools',
    '0022_conversations',
    '0023_mcp_known_servers',
    '0025_mcp_connections',
    '0026_tool_pace',
    '0027_uploads',
    '0028_secret_notes',
    '0029_calls_by_key',
    '0030_secret_values',
    '0031_asking_tools',
    '0032_rule_changes',
    '0033_visitor_keys',
    '0034_approval_people',
    '0035_group_settlers',
    '0036_tool_versions',
    '0037_workspaces',
    '0038_workspace_changes',
    '0039_apis',
    '0040_versions',
    '0046_approval_previews',
    '0047_questions',
    '0048_step_calls',
  ])
})
