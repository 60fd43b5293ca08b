import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Intrinsics, type JSValueHandle, QuickJS } from 'quickjs-wasi'
import type { CodeEnd, CodeProgram } from '../../core/kernel/context/code.ts'
import type { CodeLimits, CodeReport, WireAnswer, WireTurn } from './messages.ts'
import { prelude } from './prelude.ts'

/** One program in an engine of its own, whose memory nobody else uses. */
export interface ProgramEngine {
  start(): CodeReport
  answer(answers: readonly WireAnswer[]): CodeReport
  close(): void
}

let compiled: Promise<WebAssembly.Module> | undefined

/** Compiled once for a thread; each program gets an instance. */
async function loadModule(): Promise<WebAssembly.Module> {
  const file = fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))
  return WebAssembly.compile(await readFile(file))
}

/** Collection of garbage and the time of the machine would differ from one run to the next. */
const left = Intrinsics.WEAK_REF | Intrinsics.PERFORMANCE | Intrinsics.DOM_EXCEPTION
const intrinsics = Intrinsics.ALL & ~(left | Intrinsics.ATOB_BTOA)

/** Opens an engine with a program in it that has not begun. */
export async function openEngine(program: CodeProgram, limits: CodeLimits): Promise<ProgramEngine> {
  const clock = createClock(program)
  const time = createTimeLimit(limits.runMs)
  const vm = await QuickJS.create({
    wasm: await (compiled ??= loadModule()),
    memoryLimit: limits.memoryBytes,
    timezoneOffset: 0,
    intrinsics,
    interruptHandler: time.isUp,
    // It writes nowhere: the output of this process may be a protocol.
    wasi: (memory: WebAssembly.Memory) => ({
      clock_time_get: clock.writeTo(memory),
      fd_write: () => badDescriptor,
      random_get: () => badDescriptor,
    }),
  })
  clock.begin()
  return new QuickJsEngine(vm, { program, limits, time })
}

const badDescriptor = 8

interface EngineParts {
  program: CodeProgram
  limits: CodeLimits
  time: ReturnType<typeof createTimeLimit>
}

class QuickJsEngine implements ProgramEngine {
  readonly #vm: QuickJS
  readonly #parts: EngineParts
  #turn: { calls: { id: number; tool: string; json: string }[]; logs: string[] } = newTurn()
  #end: CodeEnd | undefined
  #logChars = 0
  #settle: JSValueHandle | undefined

  constructor(vm: QuickJS, parts: EngineParts) {
    this.#vm = vm
    this.#parts = parts
  }

  start(): CodeReport {
    return this.#go(() => {
      const { source, language, input = null } = this.#parts.program
      const text = language === 'ts' ? stripTypes(source) : source
      const vm = this.#vm
      const api = vm.callFunction(
        vm.evalCode(prelude, '<prelude>'),
        vm.undefined,
        vm.newFunction('send', (id, tool, json) => this.#send(id, tool, json)),
        vm.newFunction('log', (line) => this.#log(line)),
        vm.newFunction('finish', (isError, json) => this.#finish(isError, json)),
        vm.newString(JSON.stringify(input)),
      )
      this.#settle = api.getProp('settle')
      // On one line with the source, so that lines of errors are those of the author.
      const main = vm.evalCode(`(async () => {${text}\n})`, '<program>')
      vm.callFunction(api.getProp('run'), vm.undefined, main).dispose()
    })
  }

  answer(answers: readonly WireAnswer[]): CodeReport {
    return this.#go(() => {
      const vm = this.#vm
      for (const { id, isError, json } of answers) {
        if (this.#settle === undefined) return
        const given = [vm.newNumber(id), isError ? vm.true : vm.false, vm.newString(json)] as const
        vm.callFunction(this.#settle, vm.undefined, ...given).dispose()
        // One by one, so that what a program does next depends on the order of its answers alone.
        vm.executePendingJobs()
      }
    })
  }

  close(): void {
    this.#vm.dispose()
  }

  /** Lets the program run until it can only wait. */
  #go(work: () => void): CodeReport {
    const { time } = this.#parts
    this.#turn = newTurn()
    time.start()
    try {
      work()
      this.#vm.executePendingJobs()
    } catch (error) {
      // The program could not start. Later errors reject its promise.
      this.#end ??= { kind: 'threw', message: toMessage(error) }
    }
    time.stop()
    if (time.hasRunOut) return tooLong(this.#parts.limits)
    if (this.#isOutOfMemory()) return tooMuchMemory(this.#parts.limits)
    const report: WireTurn = { kind: 'turn', ...this.#turn }
    return this.#end === undefined ? report : { ...report, end: this.#end }
  }

  #isOutOfMemory(): boolean {
    return this.#end?.kind === 'threw' && /\bout of memory\b/.test(this.#end.message)
  }

  #send(id?: JSValueHandle, tool?: JSValueHandle, json?: JSValueHandle): JSValueHandle {
    const call = { id: toNumber(id), tool: toText(tool), json: toText(json) }
    if (call.json.length > this.#parts.limits.maxJsonChars) {
      this.#end ??= { kind: 'threw', message: `The input for ${call.tool} is too long` }
    }
    if (this.#end === undefined) this.#turn.calls.push(call)
    return this.#vm.undefined
  }

  #log(line?: JSValueHandle): JSValueHandle {
    const text = toText(line)
    const { maxLogChars } = this.#parts.limits
    if (this.#logChars < maxLogChars) {
      this.#turn.logs.push(text.slice(0, maxLogChars - this.#logChars))
    }
    this.#logChars += text.length + 1
    return this.#vm.undefined
  }

  #finish(isError?: JSValueHandle, json?: JSValueHandle): JSValueHandle {
    this.#end ??= toEnd(isError?.toBoolean() === true, toText(json), this.#parts.limits)
    return this.#vm.undefined
  }
}

function newTurn() {
  return { calls: [], logs: [] }
}

function toEnd(isError: boolean, json: string, { maxJsonChars }: CodeLimits): CodeEnd {
  if (json.length > maxJsonChars) {
    return { kind: 'threw', message: `The result has more than ${maxJsonChars} characters` }
  }
  const value = JSON.parse(json) as { message?: unknown; code?: unknown }
  if (!isError) return { kind: 'returned', value: value as never }
  const message = typeof value.message === 'string' ? value.message : 'The program failed'
  return { kind: 'threw', message, ...(typeof value.code === 'string' && { code: value.code }) }
}

function toNumber(handle: JSValueHandle | undefined): number {
  return handle?.isNumber === true ? handle.toNumber() : -1
}

function toText(handle: JSValueHandle | undefined): string {
  return handle?.isString === true ? handle.toString() : ''
}

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const line = /<program>:(\d+)/.exec(error.stack ?? '')?.[1]
  return `${error.name}: ${error.message}${line === undefined ? '' : ` (line ${line})`}`
}

function tooLong({ runMs }: CodeLimits): CodeReport {
  const message = `The program computed for more than ${runMs / 1000} seconds`
  return { kind: 'failed', code: 'timeout', message }
}

function tooMuchMemory({ memoryBytes }: CodeLimits): CodeReport {
  const message = `The program needs more than ${Math.round(memoryBytes / 1_048_576)} MB`
  return { kind: 'failed', code: 'quota_exceeded', message }
}

/** Its wrapper makes `return` and `await` legal; types become spaces, so places stay. */
function stripTypes(source: string): string {
  const before = 'async () => {'
  const after = '\n}'
  return stripTypeScriptTypes(before + source + after).slice(before.length, -after.length)
}

/** Counts the time in which the program runs. */
function createTimeLimit(runMs: number) {
  let leftMs = runMs
  let startedAt = 0
  let hasRunOut = false
  return {
    start: () => void (startedAt = performance.now()),
    stop: () => void (leftMs -= performance.now() - startedAt),
    isUp: () => (hasRunOut ||= performance.now() - startedAt > leftMs),
    get hasRunOut() {
      return hasRunOut
    },
  }
}

/**
 * The clock of a program: the engine seeds `Math.random` with the first time it reads, and after
 * that each reading is a millisecond later, so that a program that is run again sees the same.
 */
function createClock({ seed, startedAt = Date.now() }: CodeProgram) {
  let nanoseconds = createHash('sha256').update(seed).digest().readBigUInt64LE() >> 1n
  let step = 0n
  return {
    begin() {
      nanoseconds = BigInt(Math.trunc(startedAt)) * 1_000_000n
      step = 1_000_000n
    },
    writeTo: (memory: WebAssembly.Memory) => (_id: number, _precision: bigint, at: number) => {
      new DataView(memory.buffer).setBigUint64(at, nanoseconds, true)
      nanoseconds += step
      return 0
    },
  }
}
