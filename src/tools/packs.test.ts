import { expect, test } from 'vitest'
import { lintTool } from '../core/schema/lint-tool.ts'
import { checkPortability } from '../core/schema/portability.ts'
import { packs } from './packs.ts'

const tools = packs.flatMap((pack) => pack.tools.map((tool) => ({ pack, tool })))

test('the built-in tools are these', () => {
  expect(tools.map(({ tool }) => tool.contract.name)).toEqual([
    'skill.list',
    'skill.read',
    'tools.search',
    'tools.describe',
    'tools.call',
    'agents.spawn',
    'tools.manage',
    'code.run',
    'flow.ask',
    'flow.wait',
    'flow.start',
    'flow.fail',
    'flow.map',
    'web.fetch',
    'web.search',
    'web.extract',
    'http.get',
    'http.request',
    'github.issue',
    'github.issue-get',
    'github.issue-list',
    'github.pull-request',
    'github.pull-request-get',
    'github.pull-request-list',
    'file.read',
    'file.list',
    'file.glob',
    'file.grep',
    'file.write',
    'file.edit',
    'file.move',
    'file.delete',
    'shell.exec',
    'process.start',
    'process.status',
    'process.output',
    'process.write',
    'process.kill',
    'git.clone',
    'git.status',
    'git.diff',
    'git.log',
    'git.branch',
    'git.commit',
    'git.pull',
    'git.push',
    'system.info',
  ])
})

test.each(tools.map(({ pack, tool }) => ({ name: tool.contract.name, pack, tool })))(
  '$name is named for its pack, has the required descriptions, and works with every provider',
  ({ name, pack, tool }) => {
    const { contract, warnings } = tool
    expect(name.split('.')[0]).toBe(pack.name === 'admin' ? 'tools' : pack.name)
    expect(warnings).toEqual([])
    // Compositions write forms and other JSON into steps of flow as they are.
    if (pack.name !== 'flow') expect(checkPortability(contract.inputSchema)).toEqual([])
    // The output of tools.call is another tool's; JSON of other servers, programs and people can be
    // anything.
    if (!['tools', 'http', 'code', 'flow'].includes(pack.name)) {
      expect(checkPortability(contract.outputSchema ?? {})).toEqual([])
    }
    // zod writes `type: ["string", "null"]` for a text without bounds, which not every client reads.
    expect(JSON.stringify([contract.inputSchema, contract.outputSchema])).not.toContain('"type":[')
    expect(contract.examples.length).toBeGreaterThan(0)
    expect(contract.description.length).toBeGreaterThan(100)
    expect(contract.description.length).toBeLessThan(1024)
    const isOfFlow = pack.name === 'flow'
    const findings = lintTool(tool).filter(({ rule }) => !isOfFlow || rule !== 'portability')
    expect(name === 'tools.call' ? findings.map(({ rule }) => rule) : findings).toEqual(
      name === 'tools.call' ? ['output-schema'] : [],
    )
  },
)

test('names of other systems lead to these tools, each to one', () => {
  const others = Object.fromEntries(
    tools.flatMap(({ tool: { contract } }) =>
      contract.aliases.map((alias) => [alias, contract.name]),
    ),
  )
  expect(others).toMatchObject({
    read_file: 'file.read',
    list_directory: 'file.list',
    search_file_content: 'file.grep',
    run_shell_command: 'shell.exec',
    webSearch: 'web.search',
    httpRequest: 'http.request',
    gitPush: 'git.push',
  })
  const all = tools.flatMap(({ tool: { contract } }) => contract.aliases)
  expect(new Set(all).size).toBe(all.length)
})
