import { errorCodes } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { sumUpOrder } from '../sum-up-order.ts'
import { describeOutput } from './describe-output.ts'
import { answerAsObject } from './demo-object.ts'
import type { DemoWords } from './demo-words.ts'
import { type Instruction, readInstructions } from './read-instructions.ts'

/** A tool as offered to the model. */
export interface KnownTool {
  name: string
  description: string
  words: DemoWords
}

/** A finished use of a tool in this turn. */
export interface DemoResult {
  tool: string
  outcome: 'done' | 'failed' | 'denied'
  text: string
  /** The returned value, if it was not text. */
  value?: JsonValue
}

/** The part of a conversation that the model sees. */
export interface DemoTurn {
  instructions: string
  /** The person's last message. */
  said: string
  /** How many times it has called tools since. */
  passes: number
  /** The results of those calls, in order. */
  results: readonly DemoResult[]
  tools: readonly KnownTool[]
}

export interface DemoCall {
  tool: string
  input: Record<string, JsonValue>
}

export type DemoAnswer = { text: string } | { calls: readonly DemoCall[]; text?: string }

/** The next answer of the demo model: it follows plain orders and knows nothing else. */
export function answerAsDemo(turn: DemoTurn): DemoAnswer {
  if (turn.instructions.startsWith(sumUpOrder)) return { text: unsummed }
  const object = turn.tools.length === 0 ? answerAsObject(turn.instructions) : undefined
  if (object !== undefined) return { text: object }
  const passes = readInstructions(turn.said)
  const failed = turn.results.some(({ outcome }) => outcome !== 'done')
  const next = passes[turn.passes]
  if (next !== undefined && !failed) return follow(next, turn)
  if (turn.results.length > 0) return { text: report(turn, passes.length - turn.passes) }
  if (/\btools?\b/i.test(turn.said)) return { text: listTools(turn.tools) }
  return { text: introduce(turn.tools) }
}

/** Without any of the conversation: an order in it would be followed again. */
const unsummed = 'Earlier messages are not known any more: the demo model cannot summarise.'

function follow(pass: readonly Instruction[], turn: DemoTurn): DemoAnswer {
  const unread = pass.find((one) => one.unread !== undefined)
  if (unread !== undefined) {
    return { text: `I can't read the input for ${unread.tool}: ${unread.unread}` }
  }
  const calls: DemoCall[] = []
  for (const { tool, input } of pass) {
    const call = toCall(tool, input, turn.tools)
    if (call === undefined) {
      return { text: `I have no tool ${tool}. ${listTools(turn.tools)}` }
    }
    calls.push(call)
  }
  return { calls }
}

/** The tool that calls tools that are not listed, by its wire name. */
export const metaCall = 'tools_call'

function toCall(
  wanted: string,
  input: Record<string, JsonValue>,
  tools: readonly KnownTool[],
): DemoCall | undefined {
  const plain = toPlain(wanted)
  const found =
    tools.find(({ name }) => toPlain(name) === plain) ??
    tools.find(({ name }) => toPlain(name).startsWith(`${plain}_`))
  if (found !== undefined) return { tool: found.name, input }
  // Tools that are not listed can be called by name all the same.
  if (tools.some(({ name }) => name === metaCall)) {
    return { tool: metaCall, input: { name: wanted, input: JSON.stringify(input) } }
  }
  return undefined
}

/** As it may look on the wire. */
function toPlain(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '_').toLowerCase()
}

function report({ results, tools }: DemoTurn, left: number): string {
  const lines = results.map(({ tool, outcome, text, value }) => {
    const words = tools.find(({ name }) => name === tool)?.words
    const title = words?.title ?? tool
    if (outcome === 'denied') return `${title} was not run: ${toSentence(text)}`
    if (outcome === 'failed') return `${title} failed: ${toSentence(text)}`
    return `${title} ${value === undefined ? describeText(text, words) : describeOutput(value, words?.labels)}`
  })
  const stopped = left > 0 ? ['I stopped there.'] : []
  return [...lines, ...stopped].join('\n\n')
}

/** A note may precede the returned value, on a line of its own. */
function describeText(text: string, words: DemoWords | undefined): string {
  const at = text.indexOf('\n{')
  const value = at === -1 ? undefined : parseJson(text.slice(at + 1))
  if (value === undefined) return describeOutput(text)
  return `${describeOutput(value, words?.labels)} ${text.slice(0, at)}`
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** Without the code, which is for programs. */
function toSentence(text: string): string {
  const [, code = '', words = ''] = /^(\w+): (.*)$/s.exec(text) ?? []
  const isCoded = code === 'Error' || Object.hasOwn(errorCodes, code)
  const said = isCoded ? words : text
  return said.replaceAll(/([.!?:;,…]?)\s*\n\s*/g, (_, end: string) => `${end || '.'} `)
}

const shownTools = 20

function listTools(tools: readonly KnownTool[]): string {
  if (tools.length === 0) return 'I have no tools. Somebody has to grant me some.'
  const shown = tools
    .slice(0, shownTools)
    .map(({ name, description }) => `- ${name}: ${description.split(/(?<=\.)\s/, 1)[0] ?? ''}`)
  const more = tools.length > shownTools ? [`… and ${tools.length - shownTools} more.`] : []
  return ['I have these tools:', ...shown, ...more].join('\n')
}

function introduce(tools: readonly KnownTool[]): string {
  const example = tools[0]?.name ?? 'time.now'
  return [
    'I am the offline demo model: I follow plain orders and understand nothing else.',
    `Write "run ${example} with {…}", join several with "and" or "then", or ask which tools I have.`,
    'Give the agent another model for real answers.',
  ].join(' ')
}
