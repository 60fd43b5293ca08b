import { lazyPart } from '../ui/lazy-part.tsx'

// Each needs a large library, which comes with the first chart or text, or when one is expected.
export const ChartDrawing = lazyPart(
  async () => (await import('./chart/chart-drawing.tsx')).ChartDrawing,
)
export const MarkdownDrawing = lazyPart(
  async () => (await import('./text/markdown-drawing.tsx')).MarkdownDrawing,
)
