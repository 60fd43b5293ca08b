import type { ToolEval } from '../../kernel/trial/tool-eval.ts'

const maxChars = 100

/** The name of an eval in reports. */
export function labelOf({ label, say }: Pick<ToolEval, 'label' | 'say'>): string {
  if (label !== undefined) return label
  const line = say.replaceAll(/\s+/g, ' ')
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`
}
