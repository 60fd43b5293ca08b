import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { brokenLinks } from './broken-links.mjs'
import { runNpm } from './npm.mjs'
import { modernNode } from './own-node.mjs'
import { withProgress } from './progress.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'
import { tryBundle } from './try-bundle.mjs'

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
const timeoutMs = 120_000
/** What somebody writes who has installed the package. */
const users = join(projectRoot, 'scripts/package-user')
/** npm warns everybody who installs a package that has one. */
const installScripts = ['preinstall', 'install', 'postinstall', 'prepare']

/**
 * Packs what was built, installs it into an empty folder from the registry alone, and uses it there.
 * Throws what went wrong.
 */
export async function tryPackage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib package ')))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    await npm(['pack', '--pack-destination', folder], projectRoot)
    const tarball = join(folder, `${manifest.name}-${manifest.version}.tgz`)
    await withProgress('Installing the package into an empty folder', install(folder, [tarball]))
    await tryCommands(folder)
    await tryEntries(folder)
    tryFiles(join(folder, 'node_modules', manifest.name))
    tryLightEntries(join(folder, 'node_modules', manifest.name, 'dist'))
    await tryBundle(folder)
    // The oldest `ai` that is allowed beside it, and the compiler of whoever uses it.
    const { typescript, '@types/node': types } = manifest.devDependencies
    const oldest = manifest.peerDependencies.ai.replace('^', '')
    const tools = [`ai@${oldest}`, `typescript@${typescript}`, `@types/node@${types}`]
    await withProgress('Installing what its users have', install(folder, tools))
    await tryProgram(folder, oldest)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function install(folder, packages) {
  // The prefix in full: below `npm run` the environment names that of the checkout.
  await npm(['install', '--prefix', folder, ...packages], folder)
}

/** Nothing runs at install, its pages lead to pages that are there, and nothing was packed that only this checkout has. */
function tryFiles(installed) {
  assert.deepEqual(
    installScripts.filter((name) => name in manifest.scripts),
    [],
  )
  assert.deepEqual(brokenLinks(installed).broken, [])
  // A checkout may belong to somebody else, as in a container; git would refuse to look.
  const args = ['-c', `safe.directory=${projectRoot}`, 'ls-files', '-z']
  const own = new Set(execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\0'))
  const strange = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed, join(entry.parentPath, entry.name)))
    .filter((file) => !own.has(file) && !/^(?:console\/)?dist\/|^node_modules\//.test(file))
  assert.deepEqual(strange, [])
}

/** What these entries load is free of Node: pages and edge runtimes load them, too. */
function tryLightEntries(dist) {
  assert.deepEqual(packagesBehind(join(dist, 'client/index.js')), [])
  const packages = packagesBehind(join(dist, 'define/index.js'))
  assert.deepEqual(packages, ['re2js', 'zod'])
}

const importLine = /^(?:import|export)\b[^'"\n]*["']([^"'\n]+)["'];?$/gm

/** Whatever is imported that is not a file of ours, by this file and by those that it imports. */
function packagesBehind(entry) {
  const files = [entry]
  const packages = new Set()
  // Grows while it is walked.
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    for (const [, name] of text.matchAll(importLine)) {
      if (!name.startsWith('.')) packages.add(name)
      else if (!files.includes(join(file, '..', name))) files.push(join(file, '..', name))
    }
  }
  return [...packages].toSorted((left, right) => left.localeCompare(right))
}

async function tryCommands(folder) {
  assert.equal((await toolcrib(folder, ['--version'])).trim(), manifest.version)
  await toolcrib(folder, ['init'])
  copyFileSync(join(users, 'worker.tool.ts'), join(folder, 'tools/worker.tool.ts'))
  const server = spawn(modernNode(), [programIn(folder), 'start', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const closed = new Promise((resolve) => server.on('close', resolve))
    await new Promise((resolve, reject) => {
      createInterface(server.stdout).once('line', resolve)
      server.on('close', (code) => reject(new Error(`toolcrib start ended with ${code}`)))
    })
    const said = await toolcrib(folder, ['call', 'hello.greet', '--name', 'Ada', '--json'])
    assert.deepEqual(JSON.parse(said).output, { greeting: 'Hello Ada!' })
    await tryWorker(folder)
    server.kill('SIGTERM')
    assert.equal(await closed, 0, 'toolcrib start did not end well')
  } finally {
    server.kill('SIGKILL')
  }
}

/** A tool that asks for a worker thread gets one, which ends with the time that it may take. */
async function tryWorker(folder) {
  const said = await toolcrib(folder, ['call', 'work.where', '--json'])
  assert.deepEqual(JSON.parse(said).output, { isMainThread: false })
  const args = [programIn(folder), 'call', 'work.where', '--endless', '--json']
  const { code, output } = await runCommand(modernNode(), args, { cwd: folder, timeoutMs })
  assert.notEqual(code, 0)
  assert.match(output, /"code":"timeout"/)
}

/** Everything that `exports` promises can be imported, and has its types. */
async function tryEntries(folder) {
  for (const [path, target] of Object.entries(manifest.exports)) {
    const name = join(manifest.name, path)
    if (typeof target === 'string') continue
    const program = `if (Object.keys(await import('${name}')).length === 0) throw new Error('${name} is empty')`
    await node(folder, ['--input-type=module', '--eval', program])
    assert.ok(existsSync(join(folder, 'node_modules', manifest.name, target.types)), target.types)
  }
}

async function tryProgram(folder, version) {
  const copy = join(folder, 'node_modules', manifest.name, 'node_modules', 'ai')
  assert.equal(existsSync(copy), false, 'there are two copies of ai')
  const { version: installed } = JSON.parse(
    readFileSync(join(folder, 'node_modules/ai/package.json'), 'utf8'),
  )
  assert.equal(installed, version)
  copyFileSync(join(users, 'use.ts'), join(folder, 'use.ts'))
  const compiler = join(folder, 'node_modules/typescript/bin/tsc')
  // The types of others are theirs to mend.
  // The settings of the starter, which is there by now, are tried on their own.
  const settings = ['--ignoreConfig', '--strict', '--skipLibCheck']
  const flags = ['use.ts', ...settings, '--target', 'es2024', '--types', 'node']
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit']
  await node(folder, [compiler, ...flags, ...bundler])
  await node(folder, [compiler, ...flags, '--module', 'nodenext'])
  await node(folder, ['--no-experimental-strip-types', 'use.js'])
  await tryStarter(folder, compiler)
  await tryExamples(folder)
}

/** What `init` wrote there has no type errors, and its test passes. */
async function tryStarter(folder, compiler) {
  rmSync(join(folder, 'use.ts'))
  await toolcrib(folder, ['types'])
  await node(folder, [compiler, '--noEmit', '-p', folder])
  await node(folder, ['--test', 'tools/hello.test.ts'])
}

/** As their pages say: copied, because Node runs no TypeScript inside of node_modules. */
async function tryExamples(folder) {
  const copy = join(folder, 'my examples')
  cpSync(join(folder, 'node_modules', manifest.name, 'examples'), copy, { recursive: true })
  assert.match(await node(folder, [join(copy, 'agents/ai-sdk.ts')]), /^ {2}refunded: A-7$/m)
  for (const file of ['crib/try.ts', 'worker/try.ts']) {
    assert.equal(await node(folder, [join(copy, file)]), 'Everything came out as written.\n')
  }
}

function toolcrib(folder, args) {
  return node(folder, [programIn(folder), ...args])
}

/** The one that `npx toolcrib` runs. */
function programIn(folder) {
  return join(folder, 'node_modules/.bin', manifest.name)
}

async function node(folder, args) {
  const result = await runCommand(modernNode(), args, { cwd: folder, timeoutMs })
  return outputOf(`node ${args.join(' ')}`, result)
}

async function npm(args, cwd) {
  return outputOf(`npm ${args.join(' ')}`, await runNpm(args, { cwd }))
}

function outputOf(command, { code, output }) {
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
  return output
}
