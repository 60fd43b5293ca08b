import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { SandboxCheck } from '../../../core/host/sandbox.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Box, BoxCommand, BoxOptions, SandboxDriver } from '../driver.ts'
import { startChild } from './child-box.ts'

export interface DockerOptions {
  /** With bash and the programs that commands use. */
  image: string | undefined
  /** Of this node: containers that a crash has left behind are removed by it. */
  node: string
  env: Readonly<Record<string, string | undefined>>
  /** The command line of docker or podman. */
  program?: string
}

const usualImage = 'debian:12-slim'
const workspace = '/workspace'
const commandMs = 30_000
/** The first start may have to fetch the image. */
const pullMs = 600_000

/** One container for each command, through the command line of Docker. */
export function createDockerDriver(options: DockerOptions): SandboxDriver {
  const { image = usualImage, program = 'docker', node } = options
  const env = clientEnv(options.env)
  const docker = (args: readonly string[], timeout = commandMs) =>
    runDocker(program, args, { env, timeout })
  const label = `toolcrib.node=${node}`

  async function removeLeft(): Promise<void> {
    const { output } = await docker(['ps', '-aq', '--filter', `label=${label}`])
    const left = output.split('\n').filter((id) => id !== '')
    if (left.length > 0) await docker(['rm', '-f', ...left])
  }

  function createBox(box: BoxOptions): Box {
    return {
      async spawn(command) {
        const name = `toolcrib-${randomBytes(8).toString('hex')}`
        const args = dockerArgs({ name, label, image, box, command })
        return startChild({
          program,
          args,
          // Values are taken from the client's environment: its arguments are visible to others.
          options: { env: { ...command.env, ...env } },
          kill: (_child, signal) => {
            const end = ['kill', `--signal=${signal}`, name]
            // Ends the container with everything in it; its client ends with it.
            void docker(signal === 'SIGKILL' ? ['rm', '-f', name] : end)
          },
          afterwards: async () => void (await docker(['rm', '-f', name])),
        })
      },
    }
  }

  return {
    name: 'docker',
    network: 'none',
    fingerprint: async () => undefined,
    async verify() {
      const found = await docker(['version', '--format', '{{.Server.Version}}'])
      if (found.code !== 0)
        return { isSafe: false, limits: 'none', checks: [], ...unreachable(found) }
      await removeLeft()
      const probed = await docker(probeArgs(image, label), pullMs)
      const checks = probed.code === 0 ? toChecks(probed.output) : []
      const failed = checks.find(({ isOk }) => !isOk)
      const isSafe = checks.length > 0 && failed === undefined
      const reason = failed?.title ?? firstLine(probed.output)
      if (isSafe) return { isSafe, limits: 'enforced', checks }
      const fix = `Check that ${program} run ${image} bash works for the user of the server.`
      return { isSafe, limits: 'none', checks, reason, fix }
    },
    async open(box) {
      if (box.egressSocket !== undefined) {
        throw new ToolError('sandbox_unavailable', 'Containers have no way to the network', {
          fix: 'Remove the rules that allow hosts to these tools, or use the bwrap driver.',
        })
      }
      return createBox(box)
    },
    close: removeLeft,
  }
}

/** Every right that a container can do without is taken from it. */
const closed = [
  '--network=none',
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--ipc=none',
  '--init',
]

interface DockerRun {
  name: string
  label: string
  image: string
  box: Pick<BoxOptions, 'place' | 'limits'>
  command: BoxCommand
}

/** The arguments of docker for one command. */
export function dockerArgs({ name, label, image, box, command }: DockerRun): string[] {
  const { place, limits } = box
  const rows: string[][] = [
    ['run', '--rm', '--interactive', `--name=${name}`, `--label=${label}`],
    closed,
    [`--user=${userOf(box)}`, `--pids-limit=${limits.processes}`],
    [`--tmpfs=/tmp:rw,nosuid,nodev,size=${limits.tmpMb}m`],
    [`--ulimit=nofile=${limits.openFiles}`, '--ulimit=core=0'],
    limits.fileMb > 0 ? [`--ulimit=fsize=${limits.fileMb * 1024 * 1024}`] : [],
    limits.cpuSeconds > 0 ? [`--ulimit=cpu=${limits.cpuSeconds}`] : [],
    limits.memoryMb > 0
      ? [`--memory=${limits.memoryMb}m`, `--memory-swap=${limits.memoryMb}m`]
      : [],
    [`--mount=${mountOf(place)}`],
    [`--workdir=${command.cwd === '' ? workspace : `${workspace}/${command.cwd}`}`],
    Object.keys(command.env).map((variable) => `--env=${variable}`),
    [image, command.program, ...command.args],
  ]
  return rows.flat()
}

function mountOf({ folder, isReadOnly = false }: BoxOptions['place']): string {
  const mount = `type=bind,source=${folder},target=${workspace}`
  return isReadOnly ? `${mount},readonly` : mount
}

function userOf({ place }: Pick<BoxOptions, 'place'>): string {
  const uid = place.owner?.uid ?? process.getuid?.() ?? 1000
  const gid = place.owner?.gid ?? process.getgid?.() ?? 1000
  if (uid > 0) return `${uid}:${gid}`
  throw new ToolError('sandbox_unavailable', 'A sandbox never runs as root', {
    fix: 'Run the server as an ordinary user, or give its workspaces an owner.',
  })
}

/** The same container as for commands, which looks around. Each line is a check that failed. */
function probeArgs(image: string, label: string): string[] {
  const script = `[ -e /.dockerenv ] || [ -e /run/.containerenv ] || echo container
while read -r name value; do case $name$value in CapEff:0*[1-9a-f]*) echo capabilities;; NoNewPrivs:0) echo privileges;; esac; done < /proc/self/status
while IFS=: read -r name rest; do case $name in *lo*|*Inter*|*face*|*ip6tnl*|*tunl*|*sit0*) ;; *) echo network;; esac; done < /proc/net/dev
( : > /x ) 2>/dev/null && echo files
( : >> /proc/sys/kernel/core_pattern ) 2>/dev/null && echo kernel
echo done`
  return [
    'run',
    '--rm',
    `--label=${label}`,
    ...closed,
    '--user=64999:64999',
    image,
    'bash',
    '-c',
    script,
  ]
}

const probes: Readonly<Record<string, string>> = {
  container: 'Runs in a container',
  capabilities: 'Has no capabilities',
  privileges: 'Can gain no privileges',
  network: 'Reaches no network',
  files: 'Writes nowhere but into the workspace and /tmp',
  kernel: 'Changes no setting of the kernel',
}

function toChecks(output: string): SandboxCheck[] {
  const lines = output.split('\n')
  // It did not get to its end: nothing was shown.
  if (!lines.includes('done')) return []
  return Object.entries(probes).map(([name, title]) => ({
    name,
    title,
    isOk: !lines.includes(name),
  }))
}

interface DockerAnswer {
  code: number | string
  output: string
}

function runDocker(
  program: string,
  args: readonly string[],
  { env, timeout }: { env: Record<string, string>; timeout: number },
): Promise<DockerAnswer> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : (error.code ?? 'timeout')
      resolve({ code, output: error === null ? stdout : `${stderr}${stdout}` })
    })
  })
}

/** Where its daemon is, and nothing else of the server's environment. */
function clientEnv(env: DockerOptions['env']): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'DOCKER_HOST',
    'DOCKER_CONTEXT',
    'DOCKER_CONFIG',
    'XDG_RUNTIME_DIR',
  ]
  const known = names.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(known)
}

function unreachable({ code, output }: DockerAnswer) {
  if (code === 'ENOENT') {
    return {
      reason: 'docker is not installed',
      fix: 'Install Docker, or choose another sandbox driver in the configuration.',
    }
  }
  return {
    reason: `The Docker daemon does not answer: ${firstLine(output)}`,
    fix: 'Start it, and let the user of the server reach it (group docker).',
  }
}

function firstLine(output: string): string {
  return output.trim().split('\n')[0]?.slice(0, 300) ?? ''
}
