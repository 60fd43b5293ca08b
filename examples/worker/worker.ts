/**
 * The print room: a process of its own, in whatever language. It knows nothing of Toolcrib but two
 * addresses and the token that each job brings along.
 *
 *     node worker.ts <folder>
 */
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

interface Job {
  callId: string
  completion: { url: string; token: string; expiresAt: string }
  text: string
  as: 'json' | 'svg'
}

const room = path.resolve(process.argv[2] ?? 'print-room')
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

await mkdir(room, { recursive: true })
console.log(`The print room looks into ${room}`)
// What a worker before this one had begun and not finished is begun again.
for (const name of await readdir(room)) {
  if (name.endsWith('.taken')) await rename(at(name), at(name.replace(/\.taken$/, '.job')))
}
while (!stop.signal.aborted) {
  for (const name of (await readdir(room)).filter((file) => file.endsWith('.job'))) {
    await take(name)
  }
  await rest(100)
}

function at(name: string): string {
  return path.join(room, name)
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Several workers may share the folder: who renames the job has it. */
async function take(name: string): Promise<void> {
  const taken = at(name.replace(/\.job$/, '.taken'))
  try {
    await rename(at(name), taken)
  } catch {
    return
  }
  const job = JSON.parse(await readFile(taken, 'utf8')) as Job
  if (await work(job)) await rm(taken)
  // The server does not answer: later again.
  else await rename(taken, at(name))
}

/** True when there is nothing more to do for this job. */
async function work(job: Job): Promise<boolean> {
  try {
    const lines = job.text.split('\n').map((line) => line.trim())
    if (lines.some((line) => line.length > 60)) {
      return await complete(job, { status: 'failed', error: 'A line is too long for the poster' })
    }
    const isWanted = await tell(job, { done: 1, total: 2, message: 'Set in type' })
    if (!isWanted) return true
    const response = { lines, width: Math.max(...lines.map((line) => line.length)) }
    if (job.as === 'json') return await complete(job, { status: 'completed', response })
    return await completeWithFile(job, toSvg(lines))
  } catch (error) {
    console.error(`${job.callId}: ${String(error)}`)
    return false
  }
}

/** How far it is. 409 means that nobody waits for it any more: cancelled, or its time is over. */
async function tell({ completion }: Job, progress: object): Promise<boolean> {
  const url = completion.url.replace(/\/complete$/, '/progress')
  return (await post(url, completion.token, { body: JSON.stringify(progress) })) !== 409
}

async function complete({ completion, callId }: Job, report: object): Promise<boolean> {
  const status = await post(completion.url, completion.token, { body: JSON.stringify(report) })
  console.log(`${callId}: ${status}`)
  return isOver(status)
}

/** A file is sent as it is, with its type. */
async function completeWithFile({ completion, callId }: Job, svg: string): Promise<boolean> {
  const status = await post(completion.url, completion.token, { body: svg, type: 'image/svg+xml' })
  console.log(`${callId}: ${status}`)
  return isOver(status)
}

/** 202: taken. 404 and 409: too late, or taken before and the answer was lost. Else: once more, later. */
function isOver(status: number): boolean {
  return status === 202 || status === 404 || status === 409
}

async function post(
  url: string,
  token: string,
  { body, type = 'application/json' }: { body: string; type?: string },
): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

function toSvg(lines: readonly string[]): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const rows = lines.map((line, row) => `<text x="20" y="${40 + row * 30}">${escape(line)}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg">${rows.join('')}</svg>`
}
