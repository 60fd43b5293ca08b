import { spawn } from 'node:child_process'

/** How much of a command's output is kept: enough for the last words of whatever went wrong. */
const keptCharacters = 20_000

/**
 * Runs a command that asks nothing (its stdin is closed) and keeps what it said. Never rejects for
 * an exit code: look at `code`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { timeoutMs?: number, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ code: number | null, signal: string | null, output: string, missing: boolean }>}
 */
export function runCommand(command, args, options = {}) {
  const { timeoutMs, onStart, ...spawnOptions } = options
  return new Promise((resolve) => {
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-keptCharacters)
    }
    const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] })
    const timer = timeoutMs && setTimeout(() => child.kill('SIGTERM'), timeoutMs)
    const stopForwarding = forwardSignals(child)
    const settle = (result) => {
      clearTimeout(timer)
      stopForwarding()
      resolve({ output, missing: false, signal: null, ...result })
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => {
      keep(error.message)
      settle({
        code: null,
        missing: /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT',
      })
    })
    child.on('close', (code, signal) => settle({ code, signal }))
    if (child.pid !== undefined) onStart?.(child.pid)
  })
}

/** Numbers of the signals that people and supervisors send; a process that dies of one exits with 128 + it. */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/**
 * Hands our signals on to the child, so that it can end in its own way, instead of dying before it.
 * A terminal's Ctrl-C reaches the whole group by itself; a second one would mean "at once".
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} stops it
 */
export function forwardSignals(child) {
  const handlers = Object.keys(signalNumbers).map((signal) => {
    const handler = () => {
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(/** @type {NodeJS.Signals} */ (signal))
    }
    process.on(signal, handler)
    return { signal, handler }
  })
  return () => {
    for (const { signal, handler } of handlers) process.removeListener(signal, handler)
  }
}

/**
 * Runs a command in the foreground, with our terminal, and returns the exit code a shell would see.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { timeoutMs?: number }} [options]
 * @returns {Promise<number>}
 */
export function runInForeground(command, args, { timeoutMs, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', timeout: timeoutMs, ...options })
    const stopForwarding = forwardSignals(child)
    child.on('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.on('close', (code, signal) => {
      stopForwarding()
      resolve(code ?? 128 + (signalNumbers[signal] ?? 9))
    })
  })
}
