import { lazyPart } from '../../ui/lazy-part.tsx'

// Apart from the other lazy parts, because one of them draws Markdown too.
export const MarkdownDrawing = lazyPart(
  async () => (await import('./markdown-drawing.tsx')).MarkdownDrawing,
)
