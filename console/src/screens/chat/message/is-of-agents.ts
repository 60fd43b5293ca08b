/** Tools that run other agents. */
export function isOfAgents(name: string): boolean {
  return name === 'agents.spawn' || name.startsWith('agent:')
}
