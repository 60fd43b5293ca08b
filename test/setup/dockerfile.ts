/** One instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  name: string
  /** What follows the name and the flags. */
  text: string
  flags: Readonly<Record<string, string>>
}

/** The instructions of one image, from its FROM on. */
export type Stage = readonly Instruction[]

/** Reads a Dockerfile into its stages. */
export function parseDockerfile(source: string): Stage[] {
  const lines = source.split('\n').filter((line) => !line.trimStart().startsWith('#'))
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, ' ')
  const stages: Instruction[][] = []
  for (const line of joined.split('\n').filter((text) => text.trim() !== '')) {
    const instruction = toInstruction(line)
    if (instruction.name === 'FROM') stages.push([])
    stages.at(-1)?.push(instruction)
  }
  return stages
}

function toInstruction(line: string): Instruction {
  const [, name, leading = '', text = ''] =
    /^([A-Z]+)\s+((?:--[a-z-]+=\S+\s+)*)(.*)$/.exec(line.trim()) ?? []
  if (name === undefined) throw new Error(`This is no instruction: ${line}`)
  const flags = [...leading.matchAll(/--([a-z-]+)=(\S+)/g)]
  return { name, text, flags: Object.fromEntries(flags.map(([, flag, value]) => [flag, value])) }
}

/** What the last instruction of this name says; the later one wins, as for Docker. */
export function findText(stage: Stage, name: string): string {
  const found = stage.findLast((instruction) => instruction.name === name)
  if (found === undefined) throw new Error(`The Dockerfile has no ${name}`)
  return found.text
}

/** ENV as names and values. */
export function toVariables(stage: Stage): Record<string, string> {
  const pairs = stage
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => [...text.matchAll(/([A-Z_]+)=(\S+)/g)])
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}
