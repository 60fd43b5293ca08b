// What is tried here: the files parse, fit together and fit the program; the package is built and laid
// out as the Dockerfile says; the commands run with the same flags and variables against a real
// PostgreSQL, and the probes are answered. What is not: building the image (`npm ci` in it included),
// Compose, Caddy and a cluster, for which there is neither a Docker daemon nor an API server in a test.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseConfig } from '../src/app/config/load-config.ts'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import type { Compose, Deployment, Resource, StatefulSet } from './setup/deploy-files.ts'
import { findText } from './setup/dockerfile.ts'
import { buildImage, type Image } from './setup/image.ts'
import { startServerProcess } from './setup/server-process.ts'
import { variants } from './setup/run-length.ts'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFile(path.join(root, file), 'utf8')
const run = promisify(execFile)

let image: Image
let compose: Compose
let resources: Resource[]
let drainMs: number
let database: Awaited<ReturnType<typeof createTempDatabase>>
beforeAll(async () => {
  image = await buildImage()
  compose = parse(await read('deploy/docker-compose.yml'), { merge: true }) as Compose
  const documents = parseAllDocuments(await read('deploy/kubernetes.yaml'))
  for (const { errors } of documents) for (const error of errors) throw error
  resources = documents.map((document) => document.toJS() as Resource)
  const config = parseConfig(parse(await read('deploy/crib/toolcrib.config.yaml')), undefined)
  drainMs = config.server.drainDelayMs + config.limits.drainMs
  database = await createTempDatabase()
})
afterAll(async () => {
  await database.drop()
  await image.remove()
})

function find<Found extends Resource>(kind: Found['kind'], name = 'toolcrib'): Found {
  const found = resources.find((entry) => entry.kind === kind && entry.metadata.name === name)
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`)
  return found as Found
}
const pod = () => find<Deployment>('Deployment').spec.template.spec
const container = () => pod().containers[0]
const variables = () => Object.fromEntries(container().env.map(({ name, value }) => [name, value]))
const flag = (args: readonly string[], name: string) => args[args.indexOf(name) + 1] ?? ''
const finalStage = () => image.stages.at(-1) ?? []

/** Starts what a container would, on this machine: its paths below a folder, its database another one. */
async function startContainer(args: readonly string[], given: Record<string, string>) {
  expect(args[0]).toBe('start')
  const real = new URL(database.url)
  const address = new URL(given['TOOLCRIB_DATABASE'] ?? '')
  expect([address.username, address.password]).toEqual([real.username, ''])
  address.host = real.host
  address.pathname = real.pathname
  const env = Object.fromEntries(
    Object.entries({ ...image.env, ...given }).map(([name, value]) => [
      name,
      value.startsWith('/') ? image.toHost(value) : value,
    ]),
  )
  await writeSecret(env['TOOLCRIB_DATABASE_PASSWORD_FILE'], decodeURIComponent(real.password))
  await writeSecret(env['TOOLCRIB_MASTER_KEY_FILE'], 'A'.repeat(43))
  const port = args.indexOf('--port') + 1
  const own = args.map((word, index) => (index === port ? '0' : word))
  return startServerProcess({
    program: [process.execPath, image.toHost(image.entrypoint[1] ?? '')],
    cwd: image.toHost('/app'),
    data: image.toHost(image.env['TOOLCRIB_DATA'] ?? ''),
    args: own.slice(1).map((word) => (word.startsWith('/') ? image.toHost(word) : word)),
    env: { ...env, TOOLCRIB_DATABASE: address.href },
  })
}

function askUnderName(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/healthz', headers: { host }, agent: false }
    get(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
  })
}

async function writeSecret(file: string | undefined, text: string): Promise<void> {
  await mkdir(path.dirname(file ?? ''), { recursive: true })
  await writeFile(file ?? '', `${text}\n`)
}

test('the Dockerfile copies what is there and is sent to the builder, and runs scripts that exist', async () => {
  const ignore = (await read('deploy/Dockerfile.dockerignore')).split('\n')
  const sent = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const copies = image.stages.flat().filter(({ name, flags }) => name === 'COPY' && !flags['from'])
  const sources = copies.flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
  expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([])
  // A file below a folder that is sent needs no line of its own.
  const isBelow = (source: string) => sent.some((folder) => source.startsWith(`${folder}/`))
  const wanted = new Set(sources.filter((source) => !isBelow(source)))
  expect([...wanted].toSorted()).toEqual(sent.toSorted())
  expect(ignore).toContain('*')
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  const steps = image.stages.flat().filter(({ name }) => name === 'RUN')
  const npm = steps.map(({ text }) => text).filter((text) => text.startsWith('npm '))
  expect(npm).toEqual([
    'npm ci --ignore-scripts',
    'npm run build',
    'npm ci --omit=dev --ignore-scripts',
  ])
  expect(Object.keys(scripts)).toContain('build')
})

test('every image of ours is the Node of the lockfile, run by a user without rights, without a shell', async () => {
  const { devDependencies } = JSON.parse(await read('package.json')) as {
    devDependencies: { node: string }
  }
  const [major] = devDependencies.node.split('.')
  const bases = image.stages.map((stage) => findText(stage, 'FROM').split(' ')[0])
  expect(new Set(bases)).toEqual(new Set([`node:${major}-slim`]))
  expect(findText(finalStage(), 'USER')).toBe('node')
  expect(image.entrypoint).toEqual(['node', '/app/bin/toolcrib'])
  const tags = Object.values(compose.services).map((service) => service.image)
  const version = (JSON.parse(await read('package.json')) as { version: string }).version
  expect(tags).toEqual(['postgres:17', `toolcrib:${version}`, `toolcrib:${version}`, 'caddy:2'])
  expect(container().image).toBe(`toolcrib:${version}`)
})

test('ports agree from the command over probes to the service and the proxy', async () => {
  const port = flag(image.command, '--port')
  expect(container().args).toEqual(image.command)
  expect(findText(finalStage(), 'EXPOSE')).toBe(port)
  expect(container().ports).toEqual([{ name: 'http', containerPort: Number(port) }])
  const { startupProbe, readinessProbe, livenessProbe } = container()
  const probed = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet)
  expect(probed).toEqual([
    { path: '/healthz', port: 'http' },
    { path: '/readyz', port: 'http' },
    { path: '/healthz', port: 'http' },
  ])
  expect(find<Resource>('Service').spec).toMatchObject({ ports: [{ targetPort: 'http' }] })
  const caddy = await read('deploy/Caddyfile')
  const nodes = Object.keys(compose.services).filter((name) => name.startsWith('toolcrib-'))
  expect(/reverse_proxy (.*) \{/.exec(caddy)?.[1]).toBe(
    nodes.map((name) => `${name}:${port}`).join(' '),
  )
  expect(/health_uri (\S+)/.exec(caddy)?.[1]).toBe('/readyz')
})

test('the time that a stop may take is longer than the drain, and the delay than the proxy needs to see it', async () => {
  // Two seconds for answers that were cut off, the rest for what has to be written.
  const needed = drainMs / 1000 + 10
  expect(pod().terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed)
  for (const name of ['toolcrib-1', 'toolcrib-2']) {
    const period = compose.services[name]?.stop_grace_period ?? ''
    expect(Number(/^(\d+)s$/.exec(period)?.[1])).toBeGreaterThanOrEqual(needed)
  }
  const caddy = await read('deploy/Caddyfile')
  const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s`).exec(caddy)?.[1])
  const { drainDelayMs } = parseConfig(
    parse(await read('deploy/crib/toolcrib.config.yaml')),
    '',
  ).server
  expect(drainDelayMs / 1000).toBeGreaterThan(
    seconds('health_interval') + seconds('health_timeout'),
  )
  const { periodSeconds } = container().readinessProbe
  expect(drainDelayMs / 1000).toBeGreaterThan(2 * periodSeconds)
  expect(find<Deployment>('Deployment').spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
})

test('secrets, volumes and selectors that are named are there', () => {
  const { services, secrets, volumes } = compose
  for (const { secrets: used = [], environment = {} } of Object.values(services)) {
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
    expect(files.map((file) => path.basename(file)).toSorted()).toEqual(used.toSorted())
    expect(used.filter((name) => !(name in secrets))).toEqual([])
  }
  expect(Object.keys(volumes)).toEqual(['records'])
  const keys = Object.keys(find<Resource>('Secret').stringData ?? {})
  const postgres = find<StatefulSet>('StatefulSet', 'postgres').spec.template.spec
  for (const { containers, volumes: mounted } of [pod(), postgres]) {
    const files = containers[0].env.filter(({ value }) =>
      value.startsWith('/run/secrets/toolcrib/'),
    )
    expect(files.filter(({ value }) => !keys.includes(path.basename(value)))).toEqual([])
    const names = containers[0].volumeMounts.map(({ name }) => name)
    expect(names.filter((name) => name !== 'records').toSorted()).toEqual(
      mounted.map(({ name }) => name).toSorted(),
    )
  }
  const labels = find<Deployment>('Deployment').spec.template.metadata.labels
  expect(find<Resource>('Service').spec).toMatchObject({ selector: labels })
  expect(find<Resource>('PodDisruptionBudget').spec).toEqual({
    minAvailable: 1,
    selector: { matchLabels: labels },
  })
  const places = resources.filter(({ kind }) => kind !== 'Namespace')
  expect(new Set(places.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['toolcrib']))
})

test.each(variants(['Compose'], ['Kubernetes']))(
  'the command of %s starts a node of the built package that answers its probes, calls and a stop',
  async (kind) => {
    const service = compose.services['toolcrib-1']
    const node = await (kind === 'Compose'
      ? startContainer(service?.command ?? image.command, service?.environment ?? {})
      : startContainer(container().args, variables()))
    const statuses = ['/healthz', '/readyz'].map(
      async (route) => (await node.request(route)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200])
    // Behind a proxy requests come under its name.
    const port = Number(new URL(node.url).port)
    expect(await askUnderName('crib.example.com', port)).toBe(200)
    const check = findText(finalStage(), 'HEALTHCHECK').replace(/^CMD /, '')
    const [, ...words] = JSON.parse(check.replace('4680', String(port))) as string[]
    await run(process.execPath, words)
    const comment = /exec toolcrib-1 node (\S+) (.*)$/m.exec(
      await read('deploy/docker-compose.yml'),
    )
    const [, program = '', line = ''] = comment ?? []
    const env = { ...process.env, TOOLCRIB_DATA: image.toHost(image.env['TOOLCRIB_DATA'] ?? '') }
    const made = await run(
      process.execPath,
      [image.toHost(program), ...line.split(' '), '--json'],
      { env },
    )
    const { token } = JSON.parse(made.stdout) as { token: string }
    const called = await fetch(`${node.url}/api/v1/tools/node.name/calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await called.json()).toMatchObject({ status: 'completed', output: { pid: node.pid } })
    const stopping = node.stop()
    await expect.poll(async () => (await node.request('/readyz')).status).toBe(503)
    expect(await stopping).toBe(0)
  },
)

test('with the values that the Secret of the manifest has for a start, no node starts', async () => {
  const given = find<Resource>('Secret').stringData?.['master-key'] ?? ''
  const { parseMasterKeys } = await import('../src/store/master-key.ts')
  expect(() => parseMasterKeys(given)).toThrow('Entry 1 of the master keys is not a key')
})
