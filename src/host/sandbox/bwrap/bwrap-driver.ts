import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { arch, tmpdir } from 'node:os'
import path from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Box, BoxOptions, SandboxDriver } from '../driver.ts'
import { waitScript } from './box-script.ts'
import { bwrapArgs } from './bwrap-profile.ts'
import { type ControlGroups, findControlGroups } from './control-groups.ts'
import { findClosedFolder } from '../find-closed-folder.ts'
import {
  explainFailure,
  findBwrap,
  findShell,
  type FoundBwrap,
  namespaceSettings,
  type Obstacle,
} from './find-bwrap.ts'
import { findForwarder, forwarderNames } from './forwarders.ts'
import { seccompFilter } from './seccomp-filter.ts'
import type { SandboxMachine } from './syscalls.ts'
import { boxFds, BoxStartError, startBox, type WaitingBox } from './start-box.ts'
import { createWaitingBoxes, type WaitingBoxes } from './waiting-boxes.ts'
import { verifyBoxes } from './verify-boxes.ts'

export interface BwrapOptions {
  readOnlyFolders: readonly string[]
  /** Where bwrap is looked for. */
  searchPath: string | undefined
  /** How many boxes may wait for a command on this node. */
  waitingBoxes: number
}

/** Everything that is found once. */
interface Setup {
  bwrap: FoundBwrap
  shell: string
  machine: SandboxMachine
  groups: ControlGroups | undefined
  /** A folder of ours with the files of `/etc`. */
  folder: string
}

/** A box must be able to start when all processors are busy. */
const startMs = 20_000

/** Bubblewrap: namespaces, a filter of system calls, and limits. For Linux. */
export function createBwrapDriver(options: BwrapOptions): SandboxDriver {
  let opening: Promise<Setup | Obstacle> | undefined
  const waiting = createWaitingBoxes(options.waitingBoxes)
  const setup = () => (opening ??= setUp(options))

  async function open(box: BoxOptions): Promise<Box> {
    const found = await setup()
    if (!('bwrap' in found)) throw new ToolError('sandbox_unavailable', found.reason, found)
    refuseRoot(box)
    return createBox({ box, found, waiting, readOnlyFolders: options.readOnlyFolders })
  }

  return {
    name: 'bwrap',
    network: 'egress',
    async fingerprint() {
      const found = await setup()
      if (!('bwrap' in found)) return undefined
      const { bwrap, machine, groups } = found
      const { mtimeMs, size } = await stat(bwrap.program)
      const facts = [bwrap, mtimeMs, size, machine, groups !== undefined, process.getuid?.()]
      return JSON.stringify([profileVersion, ...facts, namespaceSettings()])
    },
    async verify() {
      // Something may have been installed since.
      const before = await opening
      if (before !== undefined && !('bwrap' in before)) opening = undefined
      const found = await setup()
      if (!('bwrap' in found)) return { isSafe: false, limits: 'none', checks: [], ...found }
      return verifyBoxes({ open, hasGroups: found.groups !== undefined })
    },
    open,
    release: (id) => waiting.drop((key) => key.startsWith(`${id}:`)),
    async close() {
      await waiting.close()
      const found = await opening
      if (found !== undefined && 'folder' in found)
        await rm(found.folder, { recursive: true, force: true })
    },
  }
}

/** A change of the profile makes earlier checks void. */
const profileVersion = 3

async function setUp({ searchPath }: BwrapOptions): Promise<Setup | Obstacle> {
  const machine = arch()
  if (process.platform !== 'linux' || (machine !== 'x64' && machine !== 'arm64')) {
    return {
      reason: `bubblewrap is not supported on ${process.platform} ${machine}`,
      fix: 'Choose another driver: sandbox: { driver: "docker" } in the configuration.',
    }
  }
  const bwrap = await findBwrap(searchPath)
  const shell = findShell()
  if ('reason' in bwrap) return bwrap
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-sandbox-'))
  // Boxes of other users read what is in it.
  await chmod(folder, 0o711)
  await writeEtc(path.join(folder, 'etc'))
  return { bwrap, shell: shell ?? '', machine, groups: await findControlGroups(), folder }
}

async function writeEtc(folder: string): Promise<void> {
  const files = {
    passwd:
      'root:x:0:0:root:/:/usr/sbin/nologin\nbox:x:1000:1000:box:/workspace:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n',
    group: 'root:x:0:\nbox:x:1000:\nnogroup:x:65534:\n',
    hosts: '127.0.0.1 localhost box\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  }
  await mkdir(folder, { mode: 0o755 })
  await chmod(folder, 0o755)
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text)
    await chmod(path.join(folder, name), 0o644)
  }
}

/** Inside a box of root, the kernel would let a command write settings of this machine. */
function refuseRoot({ place }: BoxOptions): void {
  const uid = place.owner?.uid ?? process.getuid?.() ?? 0
  if (uid > 0) return
  throw new ToolError('sandbox_unavailable', 'A sandbox never runs as root', {
    fix: 'Run the server as an ordinary user, or give its workspaces an owner.',
  })
}

/** Distinguishes a workspace that the user of the box can't reach from a machine without boxes. */
function toStartError(error: unknown, { folder, owner }: BoxOptions['place']): unknown {
  if (!(error instanceof BoxStartError)) return error
  const closed = owner === undefined ? undefined : findClosedFolder(folder, owner)
  if (closed !== undefined) {
    const reason = `Programs can't reach the workspace: ${closed} is closed to their user`
    return new ToolError('workspace_unavailable', reason, {
      fix: `Let other users pass it: chmod o+x ${closed}. Or put workspaces elsewhere: workspaces.folder in the configuration.`,
      cause: error,
    })
  }
  const { reason, fix } = explainFailure(error.output)
  return new ToolError('sandbox_unavailable', reason, { fix, cause: error })
}

interface BoxParts {
  box: BoxOptions
  found: Setup
  waiting: WaitingBoxes
  readOnlyFolders: readonly string[]
}

function createBox({ box, found, waiting, readOnlyFolders }: BoxParts): Box {
  const { place, limits, egressSocket } = box
  const hasNetwork = egressSocket !== undefined
  const forwarder = hasNetwork ? requireForwarder() : undefined
  const filter = seccompFilter(found.machine, { hasNetwork })
  const args = bwrapArgs(
    box,
    { readOnlyFolders, etc: path.join(found.folder, 'etc') },
    boxFds.seccomp,
  )
  async function start(): Promise<WaitingBox> {
    const id = `${process.pid}-${randomBytes(6).toString('hex')}`
    const group = await found.groups?.create(id, limits)
    try {
      return await startBox({
        program: found.bwrap.program,
        args,
        filter,
        shell: found.shell,
        script: waitScript({ limits, forwarder }),
        env: { PATH: boxPath, LC_ALL: 'C' },
        owner: place.owner,
        group,
        startMs,
        fileBytes: limits.fileMb * 1024 * 1024,
      })
    } catch (error) {
      await group?.remove()
      throw toStartError(error, place)
    }
  }
  // A box with a network belongs to one call, whose rules its proxy follows.
  const key = hasNetwork
    ? undefined
    : `${place.id}:${JSON.stringify([place.folder, place.isReadOnly, limits])}`
  return {
    async spawn(command) {
      const next = await waiting.take(key, start)
      const process = await next.run(command)
      if (key !== undefined) {
        // Not while the command runs: it would compete with it.
        process.ended.then(
          () => waiting.prepare(key, start),
          () => undefined,
        )
      }
      return process
    },
  }
}

const boxPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function requireForwarder(): string {
  const found = findForwarder()
  if (found !== undefined) return found.script
  throw new ToolError('sandbox_unavailable', 'Commands here have no way to the proxy', {
    fix: `Install one of ${forwarderNames.join(', ')} on this machine, or allow these commands no host.`,
  })
}
