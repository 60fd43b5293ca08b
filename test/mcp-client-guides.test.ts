import { expect, test } from 'vitest'
import { clientConfigs, mcpClients as known } from '../src/doors/cli/mcp/client-configs.ts'
import { toSnippetText } from '../src/doors/cli/mcp/to-snippet.ts'
import { mcpClients } from '../console/src/screens/settings/connect/mcp-clients.ts'

test('the console knows the clients that the command line knows', () => {
  expect(mcpClients.map(({ client }) => client).toSorted()).toEqual([...known].toSorted())
})

const url = 'https://crib.example/mcp/support'

test.each(known)('%s is told the same by the console and by the command line', (client) => {
  const config = clientConfigs[client]
  const guide = mcpClients.find((one) => one.client === client)
  for (const key of [undefined, 'crib_abc']) {
    const entry =
      config.http?.({ url, ...(key !== undefined && { key }) }) ??
      config.stdio({
        command: 'npx',
        args: ['-y', 'toolcrib', 'mcp', '--url', 'https://crib.example', '--agent', 'support'],
        env: { TOOLCRIB_KEY: key ?? 'crib_…' },
      })
    const needsBeside = config.http !== undefined && key === undefined
    const expected = toSnippetText(config, { name: 'toolcrib', entry, needsBeside })
    expect(toComparable(guide?.snippet(url, key) ?? '')).toEqual(toComparable(expected))
  }
  expect([guide?.title, guide?.nextStep]).toEqual([config.title, config.nextStep])
})

/** The order of keys in JSON means nothing. */
function toComparable(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text
}
