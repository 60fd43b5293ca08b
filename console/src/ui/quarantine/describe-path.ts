const places: Readonly<Record<string, string>> = {
  name: 'Name',
  title: 'Title',
  description: 'Description',
  inputSchema: 'Input schema',
  outputSchema: 'Output schema',
  // Of an MCP server.
  annotations: 'Annotations',
  icons: 'Icons',
  execution: 'Execution',
  _meta: 'Metadata',
  // Of an API.
  method: 'Verb',
  path: 'Path',
  server: 'Server',
  parameters: 'Parameters',
  body: 'Body',
  security: 'Security',
  tags: 'Tags',
  accept: 'Response types',
}

/** The place of a difference in a definition, in words. */
export function describePath(path: string): string {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  const said = Object.hasOwn(places, first) ? places[first] : first
  return [said, ...rest].join(' / ') || 'Whole definition'
}
