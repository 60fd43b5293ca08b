import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A git server over HTTP: the real `git http-backend`, with Basic authentication. */
export interface GitServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** The folder with the bare repositories. */
  readonly folder: string
  /** Method, path and user of each request. */
  readonly requests: string[]
  /** Answers instead of git when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  git(repository: string, ...args: string[]): string
}

interface Access {
  user: string
  token: string
  /** Reading needs no token. */
  isPublic?: boolean
}

export async function startGitServer({
  user,
  token,
  isPublic = false,
}: Access): Promise<GitServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolcrib-git-'))
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://x')
    const [, encoded = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? []
    const given = Buffer.from(encoded, 'base64').toString()
    requests.push(`${request.method} ${pathname}${search} ${given.split(':', 1)[0]}`)
    if (self.intercept(request, response)) return
    const isWriting = /receive-pack/.test(`${pathname}${search}`)
    if (given !== `${user}:${token}` && (isWriting || !isPublic)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    runBackend(folder, request, response)
  })
  const self: GitServer = {
    origin: '',
    folder,
    requests,
    intercept: () => false,
    git: (repository, ...args) => gitIn(path.join(folder, repository), ...args),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(self, { origin: `http://127.0.0.1:${port}` })
}

function runBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
  const { 'content-type': type, 'content-encoding': encoding } = request.headers
  const protocol = request.headers['git-protocol']
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      REMOTE_USER: 'tester',
      CONTENT_TYPE: type ?? '',
      HTTP_CONTENT_ENCODING: encoding ?? '',
      ...(typeof protocol === 'string' && { GIT_PROTOCOL: protocol }),
    },
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => undefined)
  let head = Buffer.alloc(0)
  let hasHead = false
  child.stdout.on('data', (bytes: Buffer) => {
    if (hasHead) return void response.write(bytes)
    head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    hasHead = true
    const lines = head.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    const { Status: status = '200', ...rest } = headers
    response.writeHead(Number.parseInt(status, 10), rest)
    response.write(head.subarray(end + 4))
  })
  child.on('close', () => response.end())
}

/** Git as a person would use it, without any settings of this machine. */
export function gitIn(cwd: string, ...args: string[]): string {
  const identity = { NAME: 'Ada', EMAIL: 'ada@example.com' }
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(identity).map(([field, value]) => [`GIT_${role}_${field}`, value]),
    ),
  )
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...env,
    },
  })
}

/** A bare repository with these files in one commit on `main`. */
export async function addRepository(
  { folder }: GitServer,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = JSON.stringify(files)
  const made = prepared.get(wanted) ?? makeRepository(files)
  prepared.set(wanted, made)
  cpSync(made, path.join(folder, name), { recursive: true })
}

/** Repositories that were made already, by their files: a copy costs a tenth of another one. */
const prepared = new Map<string, string>()
process.once('exit', () => {
  for (const place of prepared.values()) rmSync(place, { recursive: true, force: true })
})

function makeRepository(files: Readonly<Record<string, string>>): string {
  const bare = mkdtempSync(path.join(tmpdir(), 'toolcrib-git-made-'))
  gitIn(bare, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main')
  gitIn(bare, 'config', 'http.receivepack', 'true')
  const work = mkdtempSync(path.join(tmpdir(), 'toolcrib-git-work-'))
  try {
    gitIn(work, 'init', '--quiet', '--initial-branch=main')
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(work, file)), { recursive: true })
      writeFileSync(path.join(work, file), text)
    }
    gitIn(work, 'add', '--all')
    gitIn(work, 'commit', '--quiet', '--message', 'First commit')
    gitIn(work, 'push', '--quiet', bare, 'main')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return bare
}
