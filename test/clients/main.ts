// npm run clients [-- claude-code codex gemini]
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tryClient } from './try-client.ts'
import { realClients } from './real-clients.ts'

const wanted = process.argv.slice(2)
const clients = realClients.filter(({ config }) => wanted.length === 0 || wanted.includes(config))
// They are large, and kept from one time to the next.
const programs = path.join(tmpdir(), 'toolcrib-clients')
await mkdir(programs, { recursive: true })
for (const client of clients) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-client-'))
  console.log(client.package)
  const problems = await tryClient(client, { folder, programs })
  for (const problem of problems) console.log(`  ✗ ${problem}`)
  if (problems.length === 0)
    console.log('  ✓ lists, calls over stdio and HTTP, and comes back for what waited')
  else process.exitCode = 1
  await rm(folder, { recursive: true, force: true })
}
