import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProcessOwner } from '../../core/host/sandbox.ts'
import type { RelayHandler } from '../../core/kernel/context/processes.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { openNetwork } from '../network/open-network.ts'
import { hasBwrap, openScene, type SandboxScene } from './testing/sandbox-scene.ts'

const isThere = await hasBwrap()

describe.skipIf(!isThere)('the network of a sandbox', () => {
  const server = createServer((request, response) => response.end(`saw ${request.url}`))
  const network = openNetwork({ addresses: ['127.0.0.0/8'], ports: [] })
  let scene: SandboxScene
  let url: string

  beforeAll(async () => {
    scene = await openScene()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  })
  afterAll(async () => {
    await scene.close()
    server.close()
    await network.close()
  })

  /** A door that allows one server. */
  const throughDoor: ProcessOwner['openEgress'] = (options) =>
    network.openDoor({
      folder: options.folder,
      owner: options.owner,
      relays: options.relays ?? {},
      route: { key: 'test', trusted: [new URL(url)] },
      guard: {
        assertMayReach(host, port) {
          if (`http://${host}:${port}` !== url) throw new ToolError('denied', `not ${host}`)
        },
      },
    })

  /** bash alone speaks to the proxy, so that no program must be installed. */
  const fetchInside = (address: string) =>
    `exec 3<>/dev/tcp/127.0.0.1/3128 && printf 'GET ${address} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3 && cat <&3`

  const run = async (command: string, relays?: Record<string, RelayHandler>) => {
    const { stdout, stderr } = await scene
      .processesWith({ openEgress: throughDoor })
      .run({ command, ...(relays && { relays }) })
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr)
  }

  test('an allowed host is reached through the proxy, and no other', async () => {
    expect(await run(fetchInside(`${url}/page`))).toContain('saw /page')
    expect(await run(fetchInside('http://example.com/'))).toContain('403')
    expect(await run('echo $http_proxy $HTTPS_PROXY')).toBe(
      'http://127.0.0.1:3128 http://127.0.0.1:3128\n',
    )
  })

  test('only the proxy leads to a network', async () => {
    const [, port = ''] = /:(\d+)$/.exec(url) ?? []
    expect(await run(`(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo out`)).not.toContain('out\n')
    expect(await run('(exec 3<>/dev/udp/1.1.1.1/53) && echo x >&3 && echo sent')).not.toContain(
      'sent',
    )
    expect(await run('cat /proc/net/route | wc -l')).toBe('1\n')
  })

  test('relays are answered by functions of ours', async () => {
    const relay: RelayHandler = async (request) =>
      new Response(`${request.method} ${new URL(request.url).pathname}`, { status: 201 })
    const answer = await run(fetchInside('http://git.internal/some/repo'), { git: relay })
    expect(answer).toContain('201')
    expect(answer).toContain('GET /some/repo')
    expect(await run(fetchInside('http://other.internal/'), { git: relay })).toContain('403')
  })

  test('a command without rules has no proxy', async () => {
    const { stdout } = await scene.run('echo "[$http_proxy]"; ls /run 2>&1')
    expect(stdout).toMatch(/^\[\]\n/)
    expect(stdout).not.toContain('egress')
  })
})
