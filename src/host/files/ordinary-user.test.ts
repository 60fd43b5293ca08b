import { execFile } from 'node:child_process'
import { chownSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { aFolder } from './a-workspace.fixture.ts'

const module = pathToFileURL(path.join(import.meta.dirname, 'open-workspace-disk.ts')).href
const ordinary = 65_534

/** The file operations of a server that is not root. */
const program = `
import { mkdirSync, symlinkSync, chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
const { openWorkspaceDisk } = await import(${JSON.stringify(module)})
const disk = await openWorkspaceDisk({ folder: process.argv[1] })
const id = 'ws_' + '0'.repeat(32)
await disk.create(id, { tenant: 't', owner: { uid: 70000, gid: 70000 } })
const allowance = { usage: () => ({ maxBytes: 1e9, maxFiles: 1e9, bytes: 0, files: 0 }), reserve() {}, release() {} }
const files = disk.files({ id, owner: { uid: 70000, gid: 70000 }, allowance, assertWritable() {}, mode: () => 'free' })
const root = disk.find(id)
await files.write('a/b', 'one')
await files.edit('a/b', (text) => text + ' two')
symlinkSync('/etc', root + '/out')
mkdirSync(root + '/closed/inner', { recursive: true })
chmodSync(root + '/closed', 0)
const codes = []
for (const step of [() => files.read('out/passwd'), () => files.read('closed/inner/x'), () => files.write('out/x', 'y')]) {
  codes.push(await step().then(() => 'passed', (error) => error.code))
}
const { isPartial } = await files.list('', { recursive: true, limit: 100 })
const closedName = Buffer.concat([Buffer.from(root + '/'), Buffer.from([0xff])])
mkdirSync(Buffer.concat([closedName, Buffer.from('/inner')]), { recursive: true })
writeFileSync(Buffer.concat([closedName, Buffer.from('/f')]), '12345')
chmodSync(closedName, 0)
const size = await files.measure(100)
chmodSync(closedName, 0)
await files.delete('closed', { recursive: true })
console.log(JSON.stringify({
  needsOwner: disk.needsOwner,
  uid: statSync(root + '/a/b').uid,
  text: Buffer.from((await files.read('a/b')).bytes).toString(),
  codes,
  isPartial,
  left: (await files.list('', { limit: 9 })).entries.map((entry) => entry.path),
  size,
  gone: await disk.remove(id).then(() => !existsSync(root) && readdirSync(process.argv[1] + '/.removed')),
}))
`

async function isOpenToOthers(place: string): Promise<boolean> {
  const { mode } = await stat(place)
  if ((mode & 0o001) === 0) return false
  return path.dirname(place) === place || isOpenToOthers(path.dirname(place))
}

const isRoot = process.getuid?.() === 0
const mayOthersRead =
  !isRoot ||
  ((await isOpenToOthers(process.execPath)) && (await isOpenToOthers(import.meta.dirname)))

test.skipIf(!mayOthersRead)(
  'everything works as an ordinary user, without its rights',
  async () => {
    const folder = await aFolder()
    if (isRoot) chownSync(folder, ordinary, ordinary)
    const as = isRoot ? { uid: ordinary, gid: ordinary } : {}
    const place = path.join(folder, 'workspaces')
    const args = ['--input-type=module', '-e', program, place]
    const { stdout } = await promisify(execFile)(process.execPath, args, { ...as, cwd: '/' })
    expect(JSON.parse(stdout)).toEqual({
      needsOwner: false,
      uid: isRoot ? ordinary : process.getuid?.(),
      text: 'one two',
      codes: ['invalid_input', 'workspace_unavailable', 'invalid_input'],
      isPartial: true,
      left: ['a', 'out'],
      size: { bytes: 12, files: 8 },
      gone: [],
    })
  },
)
