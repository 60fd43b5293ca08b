import { spawn } from 'node:child_process'

type Env = Readonly<Record<string, string | undefined>>

/** Opens an address, checked to be http or https, in the browser, if there is one. */
export function openBrowser(url: string, env: Env): void {
  const [program, ...args] = toBrowserCommand(url, { platform: process.platform, env })
  const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false })
  child.on('error', () => undefined)
  child.unref()
}

/** Without a shell: an `&` in the address would start another command. */
export function toBrowserCommand(
  url: string,
  { platform, env }: { platform: NodeJS.Platform; env: Env },
): [string, ...string[]] {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return [env['BROWSER'] || 'xdg-open', url]
}
