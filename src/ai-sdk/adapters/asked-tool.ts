import { unwrapCall } from '../../core/search/unwrap-call.ts'

/** What a person is asked about: through `tools.call`, the tool it names and that tool's input. */
export function askedTool(name: string, input: unknown): { tool: string; input: unknown } {
  try {
    return unwrapCall({ tool: name, input })
  } catch {
    return { tool: name, input }
  }
}
