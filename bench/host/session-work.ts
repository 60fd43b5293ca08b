/** As the file in the data folder of a running server says. */
export interface SessionServer {
  url: string
  key: string
}

const pollMs = 50
/** Some milliseconds of work for bash. */
const busyWork = 'for ((i = 0; i < 5000; i++)); do :; done'

/**
 * Works until the time is over: a turn in the shell of the session, which stays, and a command of
 * its own. Returns the turns that were finished.
 */
export async function workInSession(
  server: SessionServer,
  sessionId: string,
  until: number,
): Promise<number> {
  const call = caller(server, sessionId)
  const { pid } = await call('process.start', { command: 'bash', cwd: null })
  let offset = 0
  let turns = 0
  while (performance.now() < until) {
    await call('process.write', { pid, text: `${busyWork}; echo turn-${turns}\n` })
    offset = await untilSaid(call, { pid, offset, text: `turn-${turns}\n` })
    const { exitCode } = await call('shell.exec', { command: busyWork, cwd: null, timeout: 60 })
    if (exitCode !== 0)
      throw new Error(`The command of ${sessionId} ended with ${String(exitCode)}`)
    turns += 1
  }
  return turns
}

type Call = (tool: string, input: object) => Promise<Record<string, unknown>>

async function untilSaid(
  call: Call,
  { text, ...from }: { pid: unknown; offset: number; text: string },
): Promise<number> {
  let { offset } = from
  for (let said = ''; !said.includes(text);) {
    const page = { pid: from.pid, stream: 'stdout', offset, maxBytes: null }
    const found = await call('process.output', page)
    if (found['isEnd'] === true) throw new Error('The shell has ended')
    said += String(found['text'])
    offset = Number(found['next'])
    if (!said.includes(text)) await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return offset
}

function caller({ url, key }: SessionServer, sessionId: string): Call {
  return async (tool, input) => {
    const response = await fetch(`${url}/api/v1/tools/${tool}/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ input, sessionId }),
    })
    const result = (await response.json()) as { status?: string; output?: object }
    if (result.status !== 'completed') throw new Error(`${tool}: ${JSON.stringify(result)}`)
    return result.output as Record<string, unknown>
  }
}
