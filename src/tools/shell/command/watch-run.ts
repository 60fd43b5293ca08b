import type {
  ProcessResult,
  Processes,
  RunRequest,
} from '../../../core/kernel/context/processes.ts'
import { keepOutput, type OutputKeeper } from './output-keeper.ts'

/** Of the text in the answer: the start and the end of each stream. */
const kept = {
  stdout: { head: 12_288, tail: 28_672 },
  stderr: { head: 3072, tail: 7168 },
}
const shownWhileRunning = 8192
const updateMs = 250

export interface WatchedOutput {
  stdout: OutputKeeper
  stderr: OutputKeeper
}

/** Runs a program, yields the end of its output now and then, and returns how it ended. */
export async function* watchRun(
  processes: Processes,
  request: RunRequest,
): AsyncGenerator<{ stdout: string; stderr: string }, ProcessResult & { output: WatchedOutput }> {
  const output = { stdout: keepOutput(kept.stdout), stderr: keepOutput(kept.stderr) }
  let hasNews = false
  const running = processes.run({
    ...request,
    onOutput({ stream, bytes }) {
      output[stream].push(bytes)
      hasNews = true
    },
  })
  const ended = running.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([ended, wait(updateMs)]))) {
    if (!hasNews) continue
    hasNews = false
    yield {
      stdout: output.stdout.lastText(shownWhileRunning),
      stderr: output.stderr.lastText(shownWhileRunning),
    }
  }
  return { ...(await running), output }
}

function wait(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref())
}
