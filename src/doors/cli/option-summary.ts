import type { OptionSpec } from './command.ts'

/** The summary of an option, with the values it takes unless they are named there. */
export function toOptionSummary({ summary, choices = [] }: OptionSpec): string {
  if (choices.every((choice) => summary.includes(choice))) return summary
  const values = choices.join(', ')
  return summary === '' ? values : `${summary}: ${values}`
}
