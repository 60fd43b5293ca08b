import { stripTypeScriptTypes } from 'node:module'
import { Script } from 'node:vm'

const before = '(async () => {'
const after = '\n})'

/** Compiles a program without running it. Returns its first error, or undefined. */
export function findSyntaxError(source: string, language: 'js' | 'ts'): string | undefined {
  try {
    const text =
      language === 'ts' ? stripTypeScriptTypes(before + source + after) : before + source + after
    // Only parsed: nothing of it runs here.
    const script = new Script(text, { filename: 'program.js' })
    return script.cachedDataRejected === true ? 'can not be compiled' : undefined
  } catch (error) {
    const { message, stack = '' } = error as Error
    const line = /^program\.js:(\d+)/.exec(stack)?.[1]
    return `has a syntax error${line === undefined ? '' : ` in line ${line}`}: ${message}`
  }
}
