import { lazyPart } from '../ui/lazy-part.tsx'

// Each needs code of its own, which comes with the first chart or text, or when one is expected.
export const ChartDrawing = lazyPart(
  async () => (await import('./chart/chart-drawing.tsx')).ChartDrawing,
)
export const CodeView = lazyPart(async () => (await import('./code/code-view.tsx')).CodeView)
export const TerminalView = lazyPart(
  async () => (await import('./terminal/terminal-view.tsx')).TerminalView,
)
export const DiffView = lazyPart(async () => (await import('./diff/diff-view.tsx')).DiffView)
export const PageView = lazyPart(async () => (await import('./page/page-view.tsx')).PageView)
