/** Tools behind which other agents work. */
export function isOfAgents(name: string): boolean {
  return name === 'agents.spawn' || name.startsWith('agent:')
}
