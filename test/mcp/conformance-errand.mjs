// What the conformance suite starts for each scenario: it hands the task to the client, which waits at
// CONFORMANCE_CLIENT in the process of the test, and ends as that does. A client that is a process of
// its own takes a second to load what the next one loads again.
import { request } from 'node:http'

const { CONFORMANCE_CLIENT, MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT } = process.env
const asked = request(CONFORMANCE_CLIENT ?? '', { method: 'POST', agent: false }, (reply) => {
  process.exitCode = reply.statusCode === 204 ? 0 : 1
  reply.pipe(process.stderr)
})
asked.end(
  JSON.stringify({
    url: process.argv[2],
    scenario: MCP_CONFORMANCE_SCENARIO,
    context: JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}'),
  }),
)
