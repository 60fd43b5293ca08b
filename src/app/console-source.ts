import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ViteDevServer } from 'vite'
import { ToolError } from '../core/kernel/errors.ts'
import type { ConsoleFiles } from '../doors/http/console/console-files.ts'
import type { ServeFirst } from '../doors/http/serve-http.ts'

const folder = fileURLToPath(new URL('../../console', import.meta.url))

/** Serves the console from its sources, with hot reload. */
export interface ConsoleSource {
  files: ConsoleFiles
  /** Runs before the app and serves modules, and hot updates over the same port. */
  inFront(server: Server): Promise<ServeFirst>
  close(): Promise<void>
}

/** Vite's client is inline and uses a WebSocket; this policy is only for developing the console. */
const sourcePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws:; frame-ancestors 'none'"

/** For `toolcrib dev --console-source`, in a checkout. */
export function openConsoleSource(): ConsoleSource {
  if (!existsSync(path.join(folder, 'src/main.tsx'))) {
    throw new ToolError('invalid_request', 'The sources of the console were not found', {
      fix: 'They are in a checkout of Toolcrib; omit --console-source otherwise.',
    })
  }
  let vite: ViteDevServer | undefined
  return {
    files: {
      file: () => undefined,
      find: () => undefined,
      async page({ path: address }) {
        const html = await readFile(path.join(folder, 'index.html'), 'utf8')
        const body = (await vite?.transformIndexHtml(address, html)) ?? html
        const type = 'text/html; charset=utf-8'
        return { status: 200, type, body, contentSecurityPolicy: sourcePolicy }
      },
    },
    async inFront(server) {
      const { createServer } = await import('vite')
      vite = await createServer({
        configFile: path.join(folder, 'vite.config.ts'),
        server: { middlewareMode: true, hmr: { server } },
        appType: 'custom',
        clearScreen: false,
      })
      const { middlewares } = vite
      return (incoming, outgoing, goOn) => middlewares(incoming, outgoing, goOn)
    },
    close: async () => vite?.close(),
  }
}
